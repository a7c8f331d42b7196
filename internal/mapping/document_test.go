package mapping

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"postern/internal/jsonx"
)

// shown lists a document's values, those of nested objects behind their paths.
func shown(d *Document) string {
	var out []string
	list := func(prefix string, values []Value) {
		var texts []string
		for i := range values {
			v := &values[i]
			text := v.S
			if v.Field.Kind == KindLong {
				text = fmt.Sprint(v.I)
			}
			texts = append(texts, v.Field.Name+"="+text)
		}
		slices.Sort(texts)
		out = append(out, prefix+strings.Join(texts, " "))
	}
	list("", d.Values)
	for i := range d.Children {
		c := &d.Children[i]
		list(fmt.Sprintf("%s of %d: ", c.Path, c.Parent), c.Values)
	}
	return strings.Join(out, "; ")
}

func TestWhereValuesGo(t *testing.T) {
	for _, c := range []struct{ mapping, document, want string }{
		{`{"n":{"type":"nested","properties":{"x":{"type":"long"},"m":{"type":"nested","properties":{"y":{"type":"long"}}}}}}`,
			`{"n":[{"x":1,"m":[{"y":2},{"y":3}]},{"x":4}],"n.x":5}`,
			`; n of -1: n.x=1; n.m of 0: n.m.y=2; n.m of 0: n.m.y=3; n of -1: n.x=4; n of -1: n.x=5`},
		{`{"n":{"type":"nested","include_in_parent":true,"properties":{"x":{"type":"long"}}}}`, `{"n":[{"x":1},{"x":2}]}`, `n.x=1 n.x=2; n of -1: n.x=1; n of -1: n.x=2`},
		{`{"n":{"type":"nested","properties":{"m":{"type":"nested","include_in_root":true,"properties":{"y":{"type":"long"}}}}}}`, `{"n":{"m":{"y":7}}}`,
			`n.m.y=7; n of -1: ; n.m of 0: n.m.y=7`},
		{`{"n":{"type":"nested","properties":{"x":{"type":"keyword","copy_to":["n.c","all"]},"c":{"type":"keyword"}}},"all":{"type":"keyword"}}`, `{"n":[{"x":"a"},{"x":"b"}]}`,
			`all=a all=b; n of -1: n.c=a n.x=a; n of -1: n.c=b n.x=b`},
		{`{"k":{"type":"keyword","null_value":"N","fields":{"l":{"type":"keyword"}}}}`, `{"k":[null,"a",["b",null]]}`, `k.l=a k.l=b k=N k=N k=a k=b`},
		{`{"k":{"type":"keyword","index":false,"doc_values":false}}`, `{"k":"a"}`, ``},
	} {
		m, err := Parse(jsonx.MustParse(`{"properties":`+c.mapping+`}`), Options{})
		if err != nil {
			t.Error(err)
			continue
		}
		var d Document
		for range 2 { // the second time the memory is used again
			if update, err := m.ParseDocument(&d, "1", "", jsonx.MustParse(c.document)); err != nil || update.Exists() {
				t.Errorf("%s: %v %s", c.document, err, update.Raw())
			}
			if got := shown(&d); got != c.want {
				t.Errorf("%s\n got %s\nwant %s", c.document, got, c.want)
			}
		}
	}
}

func TestTokensOfValues(t *testing.T) {
	m, err := Parse(jsonx.MustParse(`{"properties":{"t":{"type":"text"},"u":{"type":"text","analyzer":"keyword"}}}`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var d Document
	if _, err := m.ParseDocument(&d, "1", "", jsonx.MustParse(`{"t":["Quick fox","Dog"],"u":"A b"}`)); err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range d.Values {
		for _, k := range d.Values[i].Tokens {
			got = append(got, d.Values[i].Field.Name+":"+k.Term)
		}
	}
	if want := []string{"t:quick", "t:fox", "t:dog", "u:A b"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestLookups(t *testing.T) {
	m, err := Parse(jsonx.MustParse(`{"properties":{"a":{"type":"text","copy_to":"all","fields":{"k":{"type":"keyword"}}},"all":{"type":"text"},"al":{"type":"alias","path":"a.k"},
		"n":{"type":"nested","properties":{"o":{"properties":{"x":{"type":"long"}}},"m":{"type":"nested"}}}}}`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	names := func(fields []*Field) (out []string) {
		for _, f := range fields {
			out = append(out, f.Name)
		}
		return out
	}
	for _, c := range []struct{ got, want any }{
		{m.Field("al").Name, "a.k"}, {m.Field("n") == nil, true}, {m.Nested("n.o.x"), "n"}, {m.Nested("n.m"), "n.m"}, {m.Nested("n.o"), "n"}, {m.Nested("a"), ""},
		{m.Object("n.o"), true}, {m.Object("a"), false}, {m.HasNested("n*"), true}, {m.HasNested("x*"), false},
		{fmt.Sprint(names(m.Match("a*"))), "[a a.k all]"}, {fmt.Sprint(names(m.Match("*"))), "[a a.k all n.o.x]"},
		{fmt.Sprint(m.SourcePaths("a.k")), "[a]"}, {fmt.Sprint(m.SourcePaths("all")), "[all a]"}, {m.Field("a").SearchAnalyzer.Name(), "default"},
	} {
		if c.got != c.want {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
}

func TestOverlay(t *testing.T) {
	m, err := Parse(jsonx.MustParse(`{"_meta":{"a":{"x":1},"b":1},"dynamic_templates":[{"t":{"match":"a","mapping":{"type":"long"}}}],"properties":{"f":{"type":"long"},"o":{"properties":{"x":{"type":"long"}}}}}`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	over, err := m.Overlay(jsonx.MustParse(`{"_meta":{"a":{"y":2}},"dynamic_templates":[{"u":{"match":"b","mapping":{"type":"long"}}}],"properties":{"f":{"type":"keyword"},"o":{"properties":{"y":{"type":"date"}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"_meta":{"a":{"x":1,"y":2},"b":1},"dynamic_templates":[{"t":{"match":"a","mapping":{"type":"long"}}},{"u":{"match":"b","mapping":{"type":"long"}}}],"properties":{"f":{"type":"keyword"},"o":{"properties":{"x":{"type":"long"},"y":{"type":"date"}}}}}`
	if got := string(over.AppendJSON(nil)); got != want {
		t.Errorf("got %s", got)
	}
}
