package mapping

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// seeds adds the bodies of the recorded requests that begin with a verb.
func seeds(f *testing.F, file, verb string, add func(string)) {
	f.Helper()
	r, err := os.Open(file)
	if err != nil {
		f.Fatal(err)
	}
	defer r.Close()
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if body, ok := strings.CutPrefix(lines.Text(), verb+" "); ok {
			body, _, _ = strings.Cut(body, "\t")
			add(body)
		}
	}
}

// known fails the test for an error that is not Elasticsearch's.
func known(t *testing.T, err error) {
	t.Helper()
	if e, ok := eserr.As(err); !ok || e.Status == 0 || e.Reason == "" {
		t.Fatalf("an error of no form: %v", err)
	}
}

// FuzzDefinition: no panic, what is printed reads back, and merging it changes nothing.
func FuzzDefinition(f *testing.F) {
	seeds(f, "testdata/definitions.txt", "create", func(s string) { f.Add(s) })
	f.Fuzz(func(t *testing.T, text string) {
		v, err := jsonx.Parse([]byte(text))
		if err != nil {
			return
		}
		m, err := Parse(v, Options{})
		if err != nil {
			known(t, err)
			return
		}
		printed := m.AppendJSON(nil)
		w, err := jsonx.Parse(printed)
		if err != nil {
			t.Fatalf("%s prints %s: %v", text, printed, err)
		}
		again, err := Parse(w, Options{})
		if err != nil || string(again.AppendJSON(nil)) != string(printed) {
			t.Fatalf("%s prints %s and reads back as %v %v", text, printed, again, err)
		}
		merged, err := m.Merge(w)
		if err != nil || string(merged.AppendJSON(nil)) != string(printed) {
			t.Fatalf("%s merged with itself: %v", printed, err)
		}
		m.Match("*")
	})
}

const fuzzMapping = `{"dynamic_templates":[{"v":{"match":"v_*","mapping":{"type":"{dynamic_type}","copy_to":"all_{name}"}}},{"g":{"match":"g_*","match_mapping_type":"object","mapping":{"type":"geo_point"}}}],
"properties":{"t":{"type":"text","fields":{"k":{"type":"keyword","ignore_above":5}},"copy_to":["all","o.c"]},"k":{"type":"keyword","null_value":"N"},"l":{"type":"long"},"b":{"type":"byte","ignore_malformed":true},
"d":{"type":"double"},"h":{"type":"half_float"},"s":{"type":"scaled_float","scaling_factor":100},"dt":{"type":"date"},"dn":{"type":"date_nanos"},"bo":{"type":"boolean"},"ip":{"type":"ip"},"g":{"type":"geo_point"},
"bi":{"type":"binary","store":true},"v":{"type":"dense_vector"},"al":{"type":"alias","path":"l"},"off":{"type":"object","enabled":false},"st":{"type":"object","dynamic":"strict"},
"n":{"type":"nested","include_in_parent":true,"properties":{"x":{"type":"long","copy_to":"n.y"},"m":{"type":"nested","include_in_root":true}}},"o":{"properties":{"a":{"type":"long"}}}}}`

// FuzzDocument: no panic, and a document whose update was merged needs no further one.
func FuzzDocument(f *testing.F) {
	seeds(f, "testdata/documents.txt", "doc", func(s string) { f.Add(s) })
	for _, s := range []string{`{"n":[{"x":1,"m":{"q":1}},{"x":2,"m.q":"z"}],"o.c":1}`, `{"t":["a",1],"v":[1,2],"v_a":"2014-11-18","g_1":{"lat":1,"lon":2}}`, benchDocument} {
		f.Add(s)
	}
	m, err := Parse(jsonx.MustParse(fuzzMapping), Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := jsonx.Parse([]byte(text))
		if err != nil || !v.Exists() {
			return
		}
		var d Document
		use := m
		for range 3 {
			update, err := use.ParseDocument(&d, "1", "", v)
			if err != nil {
				known(t, err)
				return
			}
			if !update.Exists() {
				for i := range d.Children {
					if d.Children[i].Parent >= i {
						t.Fatalf("%s: child %d before its parent", text, i)
					}
				}
				return
			}
			if use, err = use.Merge(update); err != nil {
				known(t, err)
				return
			}
		}
		t.Fatalf("%s asks for one update after the other", text)
	})
}
