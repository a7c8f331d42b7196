package metadata

import (
	"strings"
	"testing"
	"time"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// cluster builds a state of indices given as "name", "name hidden" or "name closed",
// and aliases given as "alias→index {properties}".
func cluster(t *testing.T, indices []string, aliases ...string) *State {
	t.Helper()
	s := NewState("uuid")
	for _, text := range indices {
		name, flag, _ := strings.Cut(text, " ")
		c := Creation{Name: name, UUID: "uuid-of-" + name, At: time.UnixMilli(1)}
		if flag == "hidden" {
			c.Settings = NewSettings("index.hidden", "true")
		}
		next, ix, err := s.CreateIndex(c)
		if err != nil {
			t.Fatal(err)
		}
		s = next
		if flag == "closed" {
			closed := *ix
			closed.Closed = true
			s = s.withIndex(&closed)
		}
	}
	for _, text := range aliases {
		name, rest, _ := strings.Cut(text, "→")
		index, properties, _ := strings.Cut(rest, " ")
		a, err := ParseAlias(name, jsonx.MustParse("{"+properties+"}"), true)
		if err != nil {
			t.Fatal(err)
		}
		next, _, _, err := s.UpdateAliases([]AliasAction{{Kind: AddAlias, Indices: []string{index}, Aliases: []string{name}, Alias: a}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		s = next
	}
	return s
}

func TestExpressions(t *testing.T) {
	s := cluster(t, []string{"a1", "a2", "b1", "c1 closed", ".dot hidden", "hid hidden", "logs-2026.12.01"},
		"al→a1", "al→b1", `fa→a1 "filter":{"term":{"x":1}}`, `fb→a1 "filter":{"term":{"x":2}}`, `ha→hid "is_hidden":true`, "vh→hid")
	now := time.Date(2026, 12, 1, 5, 0, 0, 0, time.UTC)
	search, one := SearchIndices(), OneIndex()
	lenient := search
	lenient.IgnoreUnavailable = true
	some := search
	some.AllowNoIndices = false
	everything := search.With(nil, nil, []string{"all"})
	for _, c := range []struct {
		exprs string
		opt   IndicesOptions
		want  string // names with filtering aliases, or the error's type and reason
	}{
		{"a1", search, "a1"},
		{"a1,b1,a1", search, "a1 b1"},
		{"a*", search, "a1 a2 b1"}, // al leads to b1 too
		{"*", search, "a1 a2 b1 hid logs-2026.12.01"},
		{"", search, "a1 a2 b1 hid logs-2026.12.01"},
		{"_all", search, "a1 a2 b1 hid logs-2026.12.01"},
		{"*", everything, "index_closed_exception closed"},
		{"*", ReadMetadata().With(nil, nil, []string{"all"}), ".dot a1 a2 b1 c1 hid logs-2026.12.01"},
		{"*,-a*", search, "hid logs-2026.12.01"},
		{"a1,a*,-a2", search, "a1 b1"},
		{"-a1", search, "index_not_found_exception no such index [-a1] and if you intended to exclude this index, ensure that you use wildcards that include it before explicitly excluding it"},
		{".d*", search, ".dot"},
		{"h*", search, ""},
		{"vh", search, "hid"},
		{"al", search, "a1 b1"},
		{"fa", search, "a1/fa"},
		{"fa,fb", search, "a1/fa+fb"},
		{"fa,al", search, "a1 b1"},
		{"fa,a1", search, "a1"},
		{"f*", search, "a1/fa+fb"},
		{"c1", search, "index_closed_exception closed"},
		{"c1", lenient, ""},
		{"c*", search, ""},
		{"c1", ReadMetadata(), "c1"},
		{"nope", search, "index_not_found_exception no such index [nope]"},
		{"nope,a1", lenient, "a1"},
		{"nope*", search, ""},
		{"nope*", some, "index_not_found_exception no such index [nope*]"},
		{"nope*,a1", some, "index_not_found_exception no such index [nope*]"},
		{"_x", search, "invalid_index_name_exception Invalid index name [_x], must not start with '_'."},
		{"<logs-{now/d}>", IndicesOptions{Now: now}, "logs-2026.12.01"},
		{"<logs-{now/d{uuuu}}>", IndicesOptions{Now: now}, "index_not_found_exception no such index [logs-2026]"},
		{"<logs-{now/M{uuuu.MM.dd|+01:00}}>", IndicesOptions{Now: now}, "logs-2026.12.01"},
		{"al", one, "illegal_argument_exception alias [al] has more than one index associated with it [a1, b1], can't execute a single index op"},
		{"a*", one, "index_not_found_exception no such index [a*]"},
		{"al", DeleteIndices(), "illegal_argument_exception The provided expression [al] matches an alias, specify the corresponding concrete indices instead."},
		{"a*", DeleteIndices(), "a1 a2"},
		{"_all", some.With(nil, nil, []string{"none"}), "index_not_found_exception no such index [_all] and no indices exist"},
		{"", some.With(nil, nil, []string{"none"}), "index_not_found_exception no such index [_all] and no indices exist"},
	} {
		var exprs []string
		if c.exprs != "" {
			exprs = strings.Split(c.exprs, ",")
		}
		if got := show(s.Resolve(exprs, c.opt)); got != c.want {
			t.Errorf("%s\n  got  %s\n  want %s", c.exprs, got, c.want)
		}
	}
}

func show(found []Resolved, err error) string {
	if e, ok := eserr.As(err); ok {
		return e.Type + " " + e.Reason
	}
	var parts []string
	for _, r := range found {
		text := r.Index.Name
		if len(r.Aliases) > 0 {
			text += "/" + strings.Join(r.Aliases, "+")
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " ")
}

func TestDateMathNames(t *testing.T) {
	now := time.Date(2026, 12, 1, 23, 30, 0, 0, time.UTC)
	for name, want := range map[string]string{
		"plain":                          "plain",
		"<a-{now/d}>":                    "a-2026.12.01",
		"<a-{now/d}-b-{now/M{uuuu.MM}}>": "a-2026.12.01-b-2026.12",
		"<a-{now-2M/M{uuuu.MM|+05:00}}>": "a-2026.10",
		"<a-{now/d{uuuu.MM.dd|+01:00}}>": "a-2026.12.02",
		`<a\{x\}>`:                       "a{x}",
		"<a-{}>":                         "cannot parse empty datetime",
		"<a-b}>":                         "invalid dynamic name expression [a-b}>]. invalid character at position [4]. `{` and `}` are reserved characters and should be escaped when used as part of the index name using `\\` (e.g. `\\{text\\}`)",
		"<a-{now/d{}}>":                  "invalid dynamic name expression [now/d{}]. missing date format",
		"<>":                             "nothing captured",
		"<a-{now":                        "<a-{now",
		"<a-{now/d>":                     "invalid dynamic name expression [a-{now/d>]. date math placeholder is open ended",
	} {
		got, err := ResolveDateName(name, now)
		if e, ok := eserr.As(err); ok {
			got = e.Reason
		}
		if got != want {
			t.Errorf("%s\n  got  %s\n  want %s", name, got, want)
		}
	}
}

func TestWritesThroughAliases(t *testing.T) {
	s := cluster(t, []string{"a", "b"}, "one→a", `no→a "is_write_index":false`, "two→a", "two→b",
		`w→a "is_write_index":true`, "w→b", `r→a "index_routing":"x"`)
	for name, want := range map[string]string{
		"a": "a", "one": "a", "w": "a", "r": "a", "new": "",
		"no":  "no write index is defined for alias [no]. The write index may be explicitly disabled using is_write_index=false or the alias points to multiple indices without one being designated as a write index",
		"two": "no write index is defined for alias [two]. The write index may be explicitly disabled using is_write_index=false or the alias points to multiple indices without one being designated as a write index",
	} {
		target, err := s.WriteIndex(name)
		got := ""
		if target.Index != nil {
			got = target.Index.Name
		}
		if e, ok := eserr.As(err); ok {
			got = e.Reason
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
