package lint_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"postern/internal/lint"
)

// arrow says what of our own a package may import. Names are matched as paths are, and
// /... stands for a folder and all below it.
type arrow struct {
	from string
	to   []string
}

// arrows is the layout: cmd → handlers → {mutate, planner} → {query, aggs} → ports →
// segment → leaves. The first line that fits a package counts, and each package needs one.
func arrows() []arrow {
	leaves := []string{"internal/jsonx", "internal/eserr", "internal/xcontent", "internal/bytesize", "internal/datemath", "internal/analysis",
		"internal/decimalformat", "internal/geodesy", "internal/javamap", "internal/termregexp", "internal/sketch"}
	documents := append([]string{"internal/mapping", "internal/segment"}, leaves...)
	ports := append([]string{"internal/metadata", "internal/store", "internal/fence", "internal/cache", "internal/sourcefilter", "internal/readers"}, documents...)
	return []arrow{
		{"cmd/postern", append([]string{"handlers/...", "planner", "internal/mutate", "internal/store/...", "internal/fence/...", "internal/cache/..."}, ports...)},
		{"handlers/cat", leaves},
		{"handlers/transport", []string{"generated/routes", "handlers/transport/...", "internal/rest", "internal/eserr", "internal/jsonx", "internal/bytesize", "internal/xcontent"}},
		{"handlers/transport/...", []string{"internal/jsonx", "internal/eserr"}},
		{"handlers", append([]string{"generated/...", "handlers/cat", "planner", "planner/query", "internal/mutate", "internal/rest"}, ports...)},
		{"planner/query", append([]string{"generated/query", "internal/store"}, documents...)},
		{"planner/aggs", append([]string{"generated/query", "generated/aggs", "planner/query", "internal/store"}, documents...)},
		{"planner", append([]string{"generated/api", "generated/query", "generated/aggs", "generated/answer", "planner/query", "planner/aggs"}, ports...)},
		{"generated/query", []string{"internal/jsonx", "internal/eserr", "internal/xcontent"}},
		{"generated/aggs", []string{"generated/query", "internal/jsonx", "internal/eserr", "internal/xcontent"}},
		{"generated/answer", []string{"internal/jsonx"}},
		{"generated/api", []string{"generated/query", "generated/aggs", "internal/jsonx", "internal/eserr", "internal/xcontent", "internal/rest"}},
		{"generated/routes", []string{"generated/api", "internal/jsonx", "internal/eserr", "internal/xcontent", "internal/rest"}},
		{"internal/mutate", append([]string{"generated/answer"}, ports...)},
		{"internal/store", append([]string{"internal/metadata"}, documents...)},
		{"internal/store/...", append([]string{"internal/store", "internal/store/storetest", "internal/metadata", "internal/fence"}, documents...)},
		{"internal/readers", []string{"internal/eserr"}},
		{"internal/cache", []string{"internal/fence", "internal/fence/memory"}},
		{"internal/fence", leaves},
		{"internal/fence/...", append([]string{"internal/fence"}, leaves...)},
		{"internal/metadata", append([]string{"internal/mapping", "internal/sourcefilter"}, leaves...)},
		{"internal/segment", append([]string{"internal/mapping"}, leaves...)},
		{"internal/sourcefilter", []string{"internal/jsonx"}},
		{"internal/mapping", leaves},
		{"internal/analysis", []string{"internal/jsonx", "internal/eserr"}},
		{"internal/datemath", []string{"internal/jsonx", "internal/eserr"}},
		{"internal/rest", []string{"internal/jsonx", "internal/eserr", "internal/xcontent"}},
		{"internal/xcontent", []string{"internal/jsonx", "internal/eserr", "internal/datemath", "internal/geodesy"}},
		{"internal/eserr", []string{"internal/jsonx", "internal/bytesize"}},
		{"internal/jsonx", nil},
		{"internal/bytesize", nil},
		{"internal/decimalformat", []string{"internal/eserr", "internal/jsonx"}},
		{"internal/geodesy", []string{"internal/eserr"}},
		{"internal/javamap", nil},
		{"internal/termregexp", []string{"internal/eserr"}},
		{"internal/sketch", nil},
		{"internal/lint", nil},
		{"internal/testreport", nil},
		{"generator/...", []string{"generator/...", "spec"}},
		{"spec/...", []string{"spec"}},
		{"conformance/...", []string{"conformance/...", "spec"}},
	}
}

// foreign says who may import a module that is a choice of one place.
func foreign() map[string][]string {
	return map[string][]string{
		"github.com/gofiber/fiber":          {"cmd/postern", "handlers/transport/...", "generated/routes"},
		"github.com/valyala/fasthttp":       {"cmd/postern", "handlers/transport/..."},
		"github.com/cockroachdb/pebble":     {"internal/store/embedded"},
		"github.com/dave/jennifer":          {"generator/..."},
		"github.com/alecthomas/kong":        {"cmd/postern", "conformance/cmd/..."},
		"github.com/qdrant/go-client":       {"internal/store/qdrant", "conformance/engines/..."},
		"github.com/valkey-io/valkey-go":    {"internal/fence/valkey", "conformance/engines/..."},
		"github.com/go-json-experiment":     {"internal/jsonx"},
		"encoding/json":                     {"conformance/...", "spec/...", "generator/...", "internal/testreport"},
		"github.com/clipperhouse/uax29":     {"internal/analysis"},
		"github.com/axiomhq/hyperloglog":    {"planner/aggs", "internal/sketch"},
		"github.com/google/go-cmp":          {"conformance/...", "internal/store/storetest"},
		"github.com/cockroachdb/datadriven": {},
	}
}

func fits(pattern, pack string) bool {
	if base, deep := strings.CutSuffix(pattern, "/..."); deep {
		return pack == base || strings.HasPrefix(pack, base+"/")
	}
	return pattern == pack
}

func any(patterns []string, pack string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return fits(p, pack) })
}

// loaded reads the sources once for all tests.
var loaded = sync.OnceValues(func() ([]lint.File, error) { return lint.Sources("../..") })

func sources(t *testing.T) []lint.File {
	t.Helper()
	files, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestArrowsGoDown(t *testing.T) {
	list := arrows()
	for _, f := range sources(t) {
		i := slices.IndexFunc(list, func(a arrow) bool { return fits(a.from, f.Package) })
		if i < 0 {
			t.Errorf("%s: package %s has no place in the layout; add it to arrows()", f.Path, f.Package)
			continue
		}
		if f.Test { // tests may wire what only cmd wires
			continue
		}
		for _, imported := range f.Imports() {
			own, ok := strings.CutPrefix(imported, "postern/")
			if ok && own != f.Package && !any(list[i].to, own) {
				t.Errorf("%s imports %s; %s may import only %s", f.Path, own, list[i].from, strings.Join(list[i].to, ", "))
			}
		}
	}
}

func TestForeignModulesStayInTheirPlace(t *testing.T) {
	rules := foreign()
	for _, f := range sources(t) {
		if f.Test {
			continue
		}
		for _, imported := range f.Imports() {
			for module, places := range rules {
				if (imported == module || strings.HasPrefix(imported, module+"/")) && !any(places, f.Package) {
					t.Errorf("%s imports %s; only %s may", f.Path, imported, strings.Join(places, ", "))
				}
			}
		}
	}
}

func TestNoTestingInProducts(t *testing.T) {
	for _, f := range sources(t) {
		if !f.Test && slices.Contains(f.Imports(), "testing") && !any([]string{"conformance/...", "internal/store/storetest", "internal/fence/fencetest"}, f.Package) {
			t.Errorf("%s imports testing", f.Path)
		}
	}
}
