package planner

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"postern/generated/api"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/internal/metadata"
	"postern/internal/rest"
	"postern/internal/segment"
	"postern/internal/store"
	"postern/internal/store/storetest"
)

// TestGoldenSearches answers the searches of testdata/golden as Elasticsearch 8.15.0 did.
// With POSTERN_RECORD=URL of one, its answers are recorded anew first.
func TestGoldenSearches(t *testing.T) {
	const dir = "testdata/golden/"
	if engine := os.Getenv("POSTERN_RECORD"); engine != "" {
		if err := record(engine, dir); err != nil {
			t.Fatal(err)
		}
	}
	m, ix := goldenIndex(t, dir)
	p := &Planner{Documents: m, Node: "node", Now: time.Now}
	plain := &Planner{Documents: m, Node: "node", Now: time.Now, Rules: RuleSet{}.Without(AllRules()...)}
	engine := &storetest.Engine{Documents: m, Weight: store.Weight{Documents: 1e6}}
	others := []*Planner{plain, {Documents: engine, Node: "node", Now: time.Now}}
	for _, rule := range pushRules() {
		others = append(others, &Planner{Documents: engine, Node: "node", Now: time.Now, Rules: RuleSet{}.Without(rule)})
	}
	requests, answers := lines(t, dir+"requests.ndjson"), lines(t, dir+"answers.ndjson")
	if len(requests) != len(answers) {
		t.Fatalf("%d requests and %d answers", len(requests), len(answers))
	}
	for i, body := range requests {
		got := answerTo(p, ix, body)
		if err := sameJSON(got, answers[i], !bytes.Contains(body, []byte(`"fields"`))); err != nil {
			t.Errorf("%s\n%v\n got %s\nwant %s", body, err, clip(got), clip(answers[i]))
		}
		for _, p := range others {
			if other := answerTo(p, ix, body); !bytes.Equal(got, other) {
				t.Errorf("%s\n with rules %s\n otherwise  %s", body, clip(got), clip(other))
			}
		}
	}
}

func clip(b []byte) []byte { return b[:min(len(b), 3000)] }

// answerTo is the answer to one body, or its error, without what differs from run to run.
func answerTo(p *Planner, ix *metadata.Index, body []byte) []byte {
	r, err := requestOf(body)
	if err == nil {
		var a *Answer
		if a, err = p.Search(context.Background(), []metadata.Resolved{{Index: ix}}, r); err == nil {
			return settle(a.AppendJSON(nil))
		}
	}
	if e, ok := eserr.As(err); ok {
		return settle(e.AppendJSON(nil))
	}
	return []byte(err.Error())
}

// requestOf decodes a body, or the parameters of a URL.
func requestOf(line []byte) (*api.SearchRequest, error) {
	if params, ok := strings.CutPrefix(string(line), "?"); ok {
		in := &rest.Input{}
		for _, pair := range strings.Split(params+"&_source=false", "&") {
			name, value, _ := strings.Cut(pair, "=")
			value, err := url.QueryUnescape(value)
			if err != nil {
				return nil, err
			}
			in.Query = append(in.Query, rest.Param{Name: name, Value: value})
		}
		return api.DecodeSearchRequest(in)
	}
	v, err := jsonx.Parse(line)
	if err != nil {
		return nil, err
	}
	b, err := api.DecodeSearchBody(v)
	if err != nil {
		return nil, err
	}
	return &api.SearchRequest{Body: *b}, nil
}

var unsettled = regexp.MustCompile(`"(took)":\d+|"(node|index_uuid)":"[^"]*"`)

// settle takes out times and names that differ from run to run.
func settle(b []byte) []byte { return unsettled.ReplaceAll(b, []byte(`"$1$2":0`)) }

func lines(t *testing.T, file string) (out [][]byte) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(b) {
		out = append(out, bytes.TrimSpace(line))
	}
	return out
}

// goldenIndex loads the documents into segments.
func goldenIndex(t *testing.T, dir string) (*memory, *metadata.Index) {
	t.Helper()
	b, err := os.ReadFile(dir + "index.json")
	if err != nil {
		t.Fatal(err)
	}
	mappings := jsonx.MustParse(string(b)).Get("mappings")
	ix := &metadata.Index{Name: "qrygolden", UUID: "u", Mapping: mustMapping(t, string(mappings.Raw()))}
	m := &memory{}
	tail := segment.NewTail()
	for i, line := range lines(t, dir+"docs.ndjson") {
		d := jsonx.MustParse(string(line))
		source := d.Get("_source")
		doc := &mapping.Document{}
		if err := parseDocument(ix.Mapping, doc, d.Get("_id").Text(), d.Get("_routing").Text(), source); err != nil {
			t.Fatalf("document %d: %v", i, err)
		}
		doc.SeqNo, doc.Version = int64(i), 1
		tail.Append(doc)
		m.sources = append(m.sources, source.Raw())
		if i == 25 {
			m.parts = append(m.parts, segment.Part{Segment: tail.Seal()})
			tail = segment.NewTail()
		}
	}
	m.parts = append(m.parts, segment.Part{Segment: tail.View(tail.Len())})
	return m, ix
}

// sameJSON compares answers; scores may differ by rounding. In order, the members' order
// counts, too; the fields option has names that share a bucket of Elasticsearch's hash
// map in the order of their arrival, which is not worth following.
func sameJSON(got, want []byte, inOrder bool) error {
	var g, w any
	for _, p := range [...]struct {
		raw []byte
		at  *any
	}{{got, &g}, {want, &w}} {
		d := json.NewDecoder(bytes.NewReader(p.raw))
		d.UseNumber()
		if err := d.Decode(p.at); err != nil {
			return err
		}
	}
	if err := sameValue("", g, w); err != nil {
		return err
	}
	if !inOrder {
		return nil
	}
	numbers := regexp.MustCompile(`-?\d+\.\d+(E-?\d+)?`)
	if a, b := numbers.ReplaceAll(got, []byte("n")), numbers.ReplaceAll(want, []byte("n")); !bytes.Equal(a, b) {
		return fmt.Errorf("the order of members differs")
	}
	return nil
}

func sameValue(path string, g, w any) error {
	switch w := w.(type) {
	case map[string]any:
		g, ok := g.(map[string]any)
		if !ok || len(g) != len(w) {
			return fmt.Errorf("%s: %v, want %v", path, g, w)
		}
		for k, v := range w {
			if err := sameValue(path+"."+k, g[k], v); err != nil {
				return err
			}
		}
		return nil
	case []any:
		g, ok := g.([]any)
		if !ok || len(g) != len(w) {
			return fmt.Errorf("%s: %v, want %v", path, g, w)
		}
		for i, v := range w {
			if err := sameValue(fmt.Sprintf("%s[%d]", path, i), g[i], v); err != nil {
				return err
			}
		}
		return nil
	case json.Number:
		n, ok := g.(json.Number)
		if ok && strings.Contains(path, "score") || strings.Contains(path, ".sort") {
			a, _ := n.Float64()
			b, _ := w.Float64()
			if ok && math.Abs(a-b) <= 1e-5*math.Abs(b) {
				return nil
			}
		}
	}
	if g != w {
		return fmt.Errorf("%s: %v, want %v", path, g, w)
	}
	return nil
}

// record asks an Elasticsearch for the answers.
func record(engine, dir string) error {
	call := func(method, path, kind string, body []byte) ([]byte, error) {
		r, err := http.NewRequest(method, engine+path, bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		r.Header.Set("Content-Type", kind)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			return nil, err
		}
		defer resp.Body.Close()
		return io.ReadAll(resp.Body)
	}
	const js = "application/json"
	index, err := os.ReadFile(dir + "index.json")
	if err != nil {
		return err
	}
	if _, err := call("DELETE", "/qrygolden?ignore_unavailable=true", js, nil); err != nil {
		return err
	}
	if out, err := call("PUT", "/qrygolden", js, index); err != nil || !bytes.Contains(out, []byte(`"acknowledged":true`)) {
		return fmt.Errorf("create: %s %v", out, err)
	}
	docs, err := os.ReadFile(dir + "docs.ndjson")
	if err != nil {
		return err
	}
	for line := range bytes.Lines(docs) {
		d := jsonx.MustParse(string(bytes.TrimSpace(line)))
		path := "/qrygolden/_doc/" + d.Get("_id").Text()
		if r := d.Get("_routing"); r.Exists() {
			path += "?routing=" + r.Text()
		}
		if out, err := call("PUT", path, js, d.Get("_source").Raw()); err != nil || !bytes.Contains(out, []byte(`"created"`)) {
			return fmt.Errorf("%s: %s %v", path, out, err)
		}
	}
	if _, err := call("POST", "/qrygolden/_refresh", js, nil); err != nil {
		return err
	}
	if _, err := call("POST", "/qrygolden/_forcemerge?max_num_segments=1", js, nil); err != nil {
		return err
	}
	requests, err := os.ReadFile(dir + "requests.ndjson")
	if err != nil {
		return err
	}
	var answers bytes.Buffer
	w := bufio.NewWriter(&answers)
	for line := range bytes.Lines(requests) {
		method, path, body := "POST", "/qrygolden/_search?request_cache=false", bytes.TrimSpace(line)
		if body[0] == '?' {
			method, path, body = "GET", "/qrygolden/_search"+string(body)+"&request_cache=false&_source=false", nil
		}
		out, err := call(method, path, js, body)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\n", settle(out))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if _, err := call("DELETE", "/qrygolden", js, nil); err != nil {
		return err
	}
	return os.WriteFile(dir+"answers.ndjson", answers.Bytes(), 0o644)
}
