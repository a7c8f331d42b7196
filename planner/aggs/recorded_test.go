package aggs

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"postern/generated/api"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/internal/segment"
	"postern/planner/query"
)

// recorded is a request and what Elasticsearch answered, 8.15.0 unless the file says otherwise: the aggregations, or the
// chain of errors, one a line behind "! ".
type recorded struct{ request, answer string }

func readRecorded(t *testing.T, path string) []recorded {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var list []recorded
	for block := range strings.SplitSeq(strings.TrimSuffix(string(b), "\n"), "\n\n") {
		request, answer, _ := strings.Cut(block, "\n")
		list = append(list, recorded{request, strings.TrimPrefix(answer, "  ")})
	}
	return list
}

func lines(t *testing.T, path string) []string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(b)), "\n")
}

func recordedMapping(t testing.TB) *mapping.Mapping {
	t.Helper()
	o, err := mapping.OptionsOf(func(func(string, []string) bool) {})
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile("testdata/recorded/mapping.json")
	if err != nil {
		t.Fatal(err)
	}
	m, err := mapping.Parse(jsonx.MustParse(string(b)), o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// spread puts the documents into segments of a size.
func spread(t testing.TB, m *mapping.Mapping, docs []string, size int) []segment.Part {
	t.Helper()
	var parts []segment.Part
	var tail *segment.Tail
	for i, source := range docs {
		if i%size == 0 {
			if tail != nil {
				parts = append(parts, segment.Part{Segment: tail.Seal()})
			}
			tail = segment.NewTail()
		}
		doc := &mapping.Document{}
		if _, err := m.ParseDocument(doc, strconv.Itoa(i), "", jsonx.MustParse(source)); err != nil {
			t.Fatal(err)
		}
		doc.SeqNo, doc.Version = int64(i), 1
		tail.Append(doc)
	}
	return append(parts, segment.Part{Segment: tail.Seal()})
}

// run answers a search body's aggregations.
func run(t testing.TB, m *mapping.Mapping, parts []segment.Part, request string) (string, error) {
	t.Helper()
	body, err := api.DecodeSearchBody(jsonx.MustParse(request))
	if err != nil {
		return "", err
	}
	if err := Check(body.Aggregations); err != nil {
		return "", err
	}
	c := &query.Context{Index: "agvs", UUID: "u", Mapping: m, Now: time.Unix(1_700_000_000, 0)}
	which := query.MatchAll()
	if body.Query != nil {
		if which, err = query.Parse(c, body.Query); err != nil {
			return "", err
		}
	}
	tree, err := Parse(c, body.Aggregations, nil)
	if err != nil {
		return "", err
	}
	x := query.NewExec(t.Context(), parts)
	for _, p := range parts {
		docs, err := query.Match(x, which, p)
		if err != nil {
			return "", err
		}
		if err := tree.Collect(x, p, docs); err != nil {
			return "", err
		}
	}
	if err := tree.Finish(x); err != nil {
		return "", err
	}
	b, err := tree.AppendJSON(nil, true)
	return string(b), err
}

func shown(answer string, err error) string {
	if err == nil {
		return answer
	}
	e, ok := eserr.As(err)
	if !ok {
		return err.Error()
	}
	var chain []string
	for ; e != nil; e = e.CausedBy {
		chain = append(chain, "! "+e.Type+": "+e.Reason)
	}
	return strings.Join(chain, "\n")
}

// The answers are Elasticsearch's for the same sixty documents, to the byte; the same
// comes out however they are spread over segments. differences.txt says where and why
// not.
func TestRecorded(t *testing.T) {
	m := recordedMapping(t)
	docs := lines(t, "testdata/recorded/documents.ndjson")
	different := map[string]bool{}
	for _, d := range readRecorded(t, "testdata/recorded/differences.txt") {
		different[d.request] = true
	}
	files, err := filepath.Glob("testdata/recorded/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{len(docs), 7} {
		parts := spread(t, m, docs, size)
		for _, file := range files {
			if strings.HasSuffix(file, "differences.txt") {
				continue
			}
			for _, r := range readRecorded(t, file) {
				answer, err := run(t, m, parts, r.request)
				got := shown(answer, err)
				if different[r.request] {
					if got == r.answer {
						t.Errorf("%s: passes: its line in differences.txt has to go", r.request)
					}
					continue
				}
				if got != r.answer {
					t.Errorf("%s\n got %s\nwant %s", r.request, got, r.answer)
				}
			}
		}
	}
}
