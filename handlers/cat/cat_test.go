package cat

import (
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// testdata/help_*.txt are Elasticsearch 8.15.0's.
func TestHelp(t *testing.T) {
	for name, columns := range map[string][]Column{
		"aliases": AliasesColumns(), "count": CountColumns(), "health": HealthColumns(), "indices": IndicesColumns(), "nodes": NodesColumns(),
	} {
		want, err := os.ReadFile("testdata/help_" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		v, err := (&Table{Columns: columns}).View(Options{Help: true})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(v.AppendText(nil))); diff != "" {
			t.Errorf("%s: (-Elasticsearch +ours)\n%s", name, diff)
		}
	}
}

func sample() *Table {
	return &Table{
		Columns: []Column{
			{Name: "health", Aliases: "h"}, {Name: "index", Aliases: "i,idx"}, {Name: "docs.count", Aliases: "dc,docsCount", Right: true},
			{Name: "store.size", Aliases: "ss,storeSize", Right: true}, {Name: "pri.store.size", Right: true}, {Name: "uptime", Aliases: "u", Right: true, Extra: true},
		},
		Rows: [][]Cell{
			{Text("yellow"), Text("http-al"), Int(12), Size(3399), Size(3399), Time(90 * time.Minute)},
			{Text("green"), Text("b"), Int(2), Size(7190), Size(7190), Time(1234 * time.Millisecond)},
			{Text("red"), Text("a"), {}, {}, {}, {}},
		},
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		opt  Options
		want string
	}{
		{Options{}, "yellow http-al 12 3.3kb 3.3kb\ngreen  b        2   7kb   7kb\nred    a                     \n"},
		{Options{V: true, S: []string{"i"}}, "health index   docs.count store.size pri.store.size\nred    a                                           \ngreen  b                2        7kb            7kb\nyellow http-al         12      3.3kb          3.3kb\n"},
		{Options{V: true, H: []string{"ss", "idx"}, S: []string{"ss:desc", "i"}, Bytes: "kb"}, "ss idx\n 7 b\n 3 http-al\n   a\n"},
		{Options{H: []string{"u", "nope", "u"}}, "1.5h\n1.2s\n    \n"},
		{Options{H: []string{"u"}, Time: "ms"}, "5400000\n   1234\n       \n"},
		{Options{V: true, H: []string{"*ount", "ss"}, Primary: true}, "docs.count    ss pri.ss\n        12 3.3kb  3.3kb\n         2   7kb    7kb\n                       \n"},
		{Options{H: []string{"nope"}}, "\n\n\n"},
	} {
		v, err := sample().View(c.opt)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, string(v.AppendText(nil))); diff != "" {
			t.Errorf("%+v: (-want +got)\n%s", c.opt, diff)
		}
	}
	if _, err := sample().View(Options{S: []string{"nope"}}); err == nil || err.Error() != "illegal_argument_exception: Unable to sort by unknown sort key `nope`" {
		t.Error(err)
	}
}

func TestJSON(t *testing.T) {
	v, err := sample().View(Options{H: []string{"i", "dc"}, S: []string{"dc"}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(v.AppendJSON(nil)), `[{"i":"a","dc":null},{"i":"b","dc":"2"},{"i":"http-al","dc":"12"}]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
