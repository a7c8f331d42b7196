package routes_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"postern/generated/routes"
	"postern/internal/rest"
)

// example is a request example of the specification, which the committed facts leave
// out.
type example struct {
	Request string `json:"method_request"` // GET /i/_search?size=1
	Value   any    `json:"value"`          // the body, as JSON or YAML text, or as a value
}

// undecoded are the examples that do not decode, and why. Strict: one that decodes has
// to go.
func undecoded() map[string]string {
	return map[string]string{
		"cat.pending_tasks CatPendingTasksRequestExample1": "an & is missing in its URL, Elasticsearch refuses it, too",
		"reindex ReindexRequestExample5":                   "refused by name: pipeline",
		"reindex ReindexRequestExample11":                  "refused by name: function_score",
		"reindex ReindexRequestExample13":                  "refused by name: remote",
		"update UpdateRequestExample10":                    "the triple quotes are those of Kibana's console, Elasticsearch does not take them either",
	}
}

// TestExamplesDecode decodes every request example of the specification for the
// supported endpoints. It needs the npm package: unpacked in the folder that
// POSTERN_SPEC_PACKAGE names, or from npm.
func TestExamplesDecode(t *testing.T) {
	schema := schemaJSON(t)
	var doc struct {
		Endpoints []struct {
			Name    string
			Request *struct{ Name, Namespace string }
		}
		Types []struct {
			Kind     string
			Name     struct{ Name, Namespace string }
			Examples map[string]example
		}
	}
	if err := json.Unmarshal(schema, &doc); err != nil {
		t.Fatal(err)
	}
	endpoint := map[string]string{}
	for _, e := range doc.Endpoints {
		if e.Request != nil {
			endpoint[e.Request.Namespace+":"+e.Request.Name] = e.Name
		}
	}
	table := trie()
	supported := map[string]bool{}
	for _, r := range tableOf() {
		if r.Call != nil {
			supported[r.Endpoint] = true
		}
	}
	known, decoded := undecoded(), 0
	for _, typ := range doc.Types {
		name := endpoint[typ.Name.Namespace+":"+typ.Name.Name]
		if typ.Kind != "request" || !supported[name] {
			continue
		}
		for id, x := range typ.Examples {
			err := x.decode(table)
			_, excused := known[name+" "+id]
			delete(known, name+" "+id)
			switch {
			case err == nil && excused:
				t.Errorf("%s %s decodes: it needs no excuse any more", name, id)
			case err == nil:
				decoded++
			case !excused:
				t.Errorf("%s %s: %s\n%v", name, id, x.Request, err)
			}
		}
	}
	for id := range known {
		t.Errorf("%s is excused, but there is no such example", id)
	}
	t.Logf("%d examples decode", decoded)
}

// decode routes and decodes the example as the request that it shows.
func (x example) decode(table *rest.Trie[routes.Route]) error {
	method, target, ok := strings.Cut(strings.TrimSpace(x.Request), " ")
	if !ok {
		return errors.New("an example without a request")
	}
	body, err := x.body()
	if err != nil {
		return err
	}
	return ask(table, method, strings.TrimSpace(target), body)
}

// body is the example's body as JSON text.
func (x example) body() (string, error) {
	switch v := x.Value.(type) {
	case nil:
		return "", nil
	case string:
		text := strings.TrimSpace(v)
		if text == "" || text[0] == '{' || text[0] == '[' {
			return text, nil
		}
		var value any
		if err := yaml.Unmarshal([]byte(text), &value); err != nil {
			return "", err
		}
		if s, ok := value.(string); ok {
			return s, nil
		}
		out, err := json.Marshal(value)
		return string(out), err
	default:
		out, err := json.Marshal(v)
		return string(out), err
	}
}

// schemaJSON finds the published specification, or skips.
func schemaJSON(t *testing.T) []byte {
	t.Helper()
	if dir := os.Getenv("POSTERN_SPEC_PACKAGE"); dir != "" {
		text, err := os.ReadFile(filepath.Join(dir, "dist", "schema.json"))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	text, err := fromNPM(t.TempDir())
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("the specification's package: %v", err)
		}
		t.Skipf("the specification's package can't be had (npm pack @elastic/request-converter@8.19.1): %v", err)
	}
	return text
}

func fromNPM(dir string) ([]byte, error) {
	out, err := exec.Command("npm", "pack", "--silent", "--pack-destination", dir, "@elastic/request-converter@8.19.1").CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, bytes.TrimSpace(out))
	}
	found, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if err != nil || len(found) != 1 {
		return nil, fmt.Errorf("npm left %d archives", len(found))
	}
	f, err := os.Open(found[0])
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil, errors.New("no schema.json in the package")
		}
		if err != nil {
			return nil, err
		}
		if h.Name == "package/dist/schema.json" {
			return io.ReadAll(r)
		}
	}
}
