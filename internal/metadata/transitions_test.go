package metadata

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

func create(t *testing.T, s *State, name, body string) (*State, *Index) {
	t.Helper()
	next, ix, err := tryCreate(s, name, body)
	if err != nil {
		t.Fatalf("%s %s: %v", name, body, err)
	}
	return next, ix
}

func tryCreate(s *State, name, body string) (*State, *Index, error) {
	d, err := ParseDefinition(jsonx.MustParse(body))
	if err != nil {
		return nil, nil, err
	}
	return s.CreateIndex(Creation{Name: name, Definition: d, UUID: "u-" + name, At: time.UnixMilli(1796089890765)})
}

func putTemplate(t *testing.T, s *State, name, body string) *State {
	t.Helper()
	tpl, err := ParseTemplate(name, jsonx.MustParse(body))
	if err == nil {
		s, err = s.PutTemplate(tpl, false)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What GET index/_settings of real Elasticsearch shows, its order included.
func TestSettingsAreShownAsElasticsearchShowsThem(t *testing.T) {
	s := NewState("c")
	_, ix := create(t, s, "meta-b", `{"settings":{"index.hidden":true,"index.number_of_shards":2,"index.query.default_field":["a","b"],"max_result_window":10}}`)
	want := `{"index":{"routing":{"allocation":{"include":{"_tier_preference":"data_content"}}},"hidden":"true","number_of_shards":"2","provided_name":"meta-b","query":{"default_field":["a","b"]},"max_result_window":"10","creation_date":"1796089890765","number_of_replicas":"1","uuid":"u-meta-b","version":{"created":"8512000"}}}`
	if d := cmp.Diff(want, string(ix.Settings.AppendNested(nil))); d != "" {
		t.Error(d)
	}
	flat := `{"index.number_of_replicas":"1","index.number_of_shards":"2"}`
	if got := string(ix.Settings.Keep([]string{"index.number*"}).AppendFlat(nil)); got != flat {
		t.Error(got)
	}
}

func TestCreationIsRefusedInElasticsearchsWords(t *testing.T) {
	s, _ := create(t, NewState("c"), "meta-a", `{"aliases":{"meta-al":{}}}`)
	for _, c := range []struct{ name, body, want string }{
		{"meta-A", `{}`, "Invalid index name [meta-A], must be lowercase"},
		{"meta#a", `{}`, "Invalid index name [meta#a], must not contain '#'"},
		{"meta:a", `{}`, "Invalid index name [meta:a], must not contain ':'"},
		{"-meta", `{}`, "Invalid index name [-meta], must not start with '_', '-', or '+'"},
		{"meta a", `{}`, `Invalid index name [meta a], must not contain the following characters ['?','>','|',',','/','\',' ','"','<','*']`},
		{".", `{}`, "Invalid index name [.], must not be '.' or '..'"},
		{strings.Repeat("m", 260), `{}`, "Invalid index name [" + strings.Repeat("m", 260) + "], index name is too long, (260 > 255)"},
		{"meta-a", `{}`, "index [meta-a/u-meta-a] already exists"},
		{"meta-al", `{}`, "Invalid index name [meta-al], already exists as alias"},
		{"m", `{"settings":{"foo":1}}`, "unknown setting [index.foo] please check that any required plugins are installed, or check the breaking changes documentation for removed settings"},
		{"m", `{"settings":{"index.hidden":{"a":1}}}`, "unknown setting [index.hidden.a] did you mean [index.hidden]?"},
		{"m", `{"settings":{"number_of_shards":0}}`, "Failed to parse value [0] for setting [index.number_of_shards] must be >= 1"},
		{"m", `{"settings":{"number_of_shards":2000}}`, "Failed to parse value [2000] for setting [index.number_of_shards] must be <= 1024"},
		{"m", `{"settings":{"number_of_shards":"x"}}`, "Failed to parse value [x] for setting [index.number_of_shards]"},
		{"m", `{"settings":{"foo":1,"number_of_shards":0}}`, "Failed to parse value [0] for setting [index.number_of_shards] must be >= 1"},
		{"m", `{"settings":{"refresh_interval":"x"}}`, "failed to parse setting [index.refresh_interval] with value [x] as a time value: unit is missing or unrecognized"},
		{"m", `{"settings":{"hidden":"x"}}`, "Failed to parse value [x] as only [true] or [false] are allowed."},
		{"m", `{"settings":{"max_result_window":[1,2]}}`, "Failed to parse value [[1, 2]] for setting [index.max_result_window]"},
		{"m", `{"settings":{"index.version.created":"1"}}`, "Validation Failed: 1: private index setting [index.version.created] can not be set explicitly;"},
		{"m", `{"settings":{"index.sort.field":"a"}}`, "the setting [index.sort.field] with the value [a] is not supported in this version of Postern"},
		{"m", `{"settings":[]}`, "key [settings] must be an object"},
		{"m", `{"mapings":{}}`, "unknown key [mapings] for create index"},
		{"m", `{"aliases":{"x":{"foo":1}}}`, "Unknown field [foo] in alias [x]"},
		{"m", `{"aliases":{"meta-a":{}}}`, "Invalid alias name [meta-a]: an index or data stream exists with the same name as the alias"},
		{"m", `{"aliases":{"x":{"index_routing":"a,b"}}}`, "alias [x] has several index routing values associated with it"},
		{"m", `{"mappings":{"_doc":{}}}`, "The mapping definition cannot be nested under a type [_doc] unless include_type_name is set to true."},
	} {
		_, _, err := tryCreate(s, c.name, c.body)
		e, ok := eserr.As(err)
		if !ok || e.Reason != c.want {
			t.Errorf("%s %s\n  got  %v\n  want %s", c.name, c.body, err, c.want)
		}
	}
}

func TestIndicesAreMadeOfTheBestTemplate(t *testing.T) {
	s := putTemplate(t, NewState("c"), "t1", `{"index_patterns":["t1-*"],"priority":10,"template":{"settings":{"number_of_replicas":0,"index":{"refresh_interval":"5s"}},"mappings":{"properties":{"a":{"type":"keyword"},"o":{"properties":{"x":{"type":"long"}}}}},"aliases":{"tal":{"filter":{"match_all":{}}},"{index}-x":{}}}}`)
	s = putTemplate(t, s, "t2", `{"index_patterns":"t1-2*","priority":20}`)
	s, ix := create(t, s, "t1-1", `{"mappings":{"properties":{"a":{"type":"keyword","ignore_above":5},"o":{"properties":{"y":{"type":"long"}}},"c":{"type":"long"}}},"settings":{"number_of_replicas":2}}`)
	if got := ix.Settings.Int("index.number_of_replicas", -1); got != 2 {
		t.Errorf("replicas %d", got)
	}
	if text, _ := ix.Settings.Get("index.refresh_interval"); text != "5s" {
		t.Errorf("refresh_interval %q", text)
	}
	wantMapping := `{"properties":{"a":{"type":"keyword","ignore_above":5},"c":{"type":"long"},"o":{"properties":{"x":{"type":"long"},"y":{"type":"long"}}}}}`
	if d := cmp.Diff(wantMapping, string(ix.Mapping.AppendJSON(nil))); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(`{"t1-1-x":{},"tal":{"filter":{"match_all":{}}}}`, string(AppendAliases(nil, ix.Aliases))); d != "" {
		t.Error(d)
	}
	if _, ix = create(t, s, "t1-2", `{}`); len(ix.Aliases) != 0 {
		t.Error("the template of lower priority was taken")
	}
}

func TestTemplatesAreRefusedInElasticsearchsWords(t *testing.T) {
	s := putTemplate(t, NewState("c"), "t1", `{"index_patterns":["t1-*"],"priority":10}`)
	for _, c := range []struct{ name, body, want string }{
		{"t3", `{"index_patterns":["t1-*"],"priority":10}`, "index template [t3] has index patterns [t1-*] matching patterns from existing templates [t1] with patterns (t1 => [t1-*]) that have the same priority [10], multiple index templates may not match during index creation, please use a different priority"},
		{"t3", `{"index_patterns":[]}`, "There must be at least one pattern, zero given"},
		{"t3", `{}`, "Required [index_patterns]"},
		{"t3", `{"index_patterns":["a b"]}`, `index_template [t3] invalid, cause [Validation Failed: 1: index_patterns [a b] must not contain a space;2: index_pattern [a b] must not contain the following characters ['?','>','|',',','/','\',' ','"','<','*'];]`},
		{"t3", `{"index_patterns":["q*"],"composed_of":["nope"]}`, "index_template [t3] invalid, cause [index template [t3] specifies component templates [nope] that do not exist]"},
		{"t3", `{"index_patterns":["q*"],"data_stream":{}}`, "index templates with [data_stream] are not supported in this version of Postern"},
		{"t3", `{"index_patterns":["meta-q*"],"foo":1}`, "[1:31] [index_template] unknown field [foo]"},
		{"t3", `{"index_patterns":["q*"],"template":{"settings":{"foo":1}}}`, "index_template [t3] invalid, cause [Validation Failed: 1: unknown setting [index.foo] please check that any required plugins are installed, or check the breaking changes documentation for removed settings;]"},
		{"t3", `{"index_patterns":["meta-q*"],"template":{"foo":1}}`, "[1:49] [index_template] failed to parse field [template]"},
		{"t3", `{"index_patterns":["q*"],"priority":-1}`, "Validation Failed: 1: index template priority must be >= 0;"},
		{"t3", `{"index_patterns":["meta-q*"],"priority":"x"}`, "[1:42] [index_template] failed to parse field [priority]"},
		{"t3", `{"index_patterns":["*"],"template":{"settings":{"index.hidden":true}}}`, "Validation Failed: 1: global composable templates may not specify the setting index.hidden;"},
	} {
		tpl, err := ParseTemplate(c.name, jsonx.MustParse(c.body))
		if err == nil {
			_, err = s.PutTemplate(tpl, false)
		}
		e, ok := eserr.As(err)
		if !ok || e.Reason != c.want {
			t.Errorf("%s\n  got  %v\n  want %s", c.body, err, c.want)
		}
	}
}

func TestPatternsMeet(t *testing.T) {
	for _, c := range []struct {
		p, q string
		want bool
	}{{"a*", "ab", true}, {"a*", "*b", true}, {"a*", "b*", false}, {"a*c", "ab*", true}, {"abc", "abc", true},
		{"abc", "abd", false}, {"*", "x", true}, {"a*b*c", "*x*", true}, {"a", "a*", true}, {"", "*", true}, {"ab", "a", false}} {
		if patternsMeet(c.p, c.q) != c.want || patternsMeet(c.q, c.p) != c.want {
			t.Errorf("%q and %q: want %v", c.p, c.q, c.want)
		}
	}
}

func TestAliasesChangeTogetherOrNotAtAll(t *testing.T) {
	s, _ := create(t, NewState("c"), "a", `{"aliases":{"x":{}}}`)
	s, _ = create(t, s, "b", `{}`)
	add := func(index, alias string) AliasAction {
		return AliasAction{Kind: AddAlias, Indices: []string{index}, Aliases: []string{alias}}
	}
	remove := func(index, alias string) AliasAction {
		return AliasAction{Kind: RemoveAlias, Indices: []string{index}, Aliases: []string{alias}}
	}
	yes := true
	must := remove("a", "nope")
	must.MustExist = &yes
	write := add("a", "w")
	write.Alias.IsWriteIndex = &yes
	write2 := write
	write2.Indices = []string{"b"}
	hidden := add("a", "h")
	hidden.Alias.IsHidden = &yes
	for _, c := range []struct {
		name    string
		actions []AliasAction
		want    string
	}{
		{"swap", []AliasAction{remove("a", "x"), add("b", "x")}, "x→b"},
		{"missing beside a good one", []AliasAction{add("b", "y"), remove("a", "nope")}, "x→a y→b; aliases [nope] missing"},
		{"must exist", []AliasAction{add("b", "y"), must}, "aliases [nope] missing"},
		{"nothing to remove", []AliasAction{remove("a", "nope")}, "aliases [nope] missing"},
		{"wildcard", []AliasAction{remove("a", "*")}, ""},
		{"takes an index's place", []AliasAction{{Kind: RemoveIndex, Indices: []string{"a"}}, add("b", "a")}, "a→b"},
		{"an index's name", []AliasAction{add("a", "b")}, "Invalid alias name [b]: an index or data stream exists with the same name as the alias"},
		{"two writers", []AliasAction{write, write2}, "alias [w] has more than one write index [a,b]"},
		{"hidden on one", []AliasAction{hidden, add("b", "h")}, "alias [h] has is_hidden set to true on indices [a] but does not have is_hidden set to true on indices [b]; alias must have the same is_hidden setting on all indices"},
		{"no index", []AliasAction{add("zz", "y")}, "no such index [zz]"},
		{"an alias for an index", []AliasAction{add("x", "y")}, "no such index [x]"},
		{"wildcard of indices", []AliasAction{add("*", "y")}, "x→a y→a,b"},
	} {
		next, results, _, err := s.UpdateAliases(c.actions, nil)
		var parts []string
		if e, ok := eserr.As(err); ok {
			parts = append(parts, e.Reason)
		} else {
			for _, name := range next.AliasNames() {
				var indices []string
				for _, ix := range next.Alias(name) {
					indices = append(indices, ix.Name)
				}
				parts = append(parts, name+"→"+strings.Join(indices, ","))
			}
			for _, r := range results {
				if r.Missing != nil {
					parts[len(parts)-1] += ";"
					parts = append(parts, r.Missing.Reason)
				}
			}
		}
		if got := strings.Join(parts, " "); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	if len(s.AliasNames()) != 1 {
		t.Error("a transition changed the state it began with")
	}
}

func TestSettingsOfOpenIndices(t *testing.T) {
	s, ix := create(t, NewState("c"), "a", `{"settings":{"max_result_window":7}}`)
	change := func(body string, preserve, reopen bool) (*State, error) {
		over, err := ParseSettings(jsonx.MustParse(body))
		if err != nil {
			t.Fatal(err)
		}
		return s.PutSettings([]*Index{ix}, SettingsChange{Settings: over, Preserve: preserve, Reopen: reopen})
	}
	_, err := change(`{"number_of_shards":3,"codec":"default"}`, false, false)
	want := "Can't update non dynamic settings [[index.codec, index.number_of_shards]] for open indices [[a/u-a]] unless the `reopen` query parameter is set to true. Alternatively, close the indices, apply the settings changes, and reopen the indices"
	if e, ok := eserr.As(err); !ok || e.Reason != want {
		t.Errorf("got %v", err)
	}
	next, err := change(`{"max_result_window":9,"index.max_terms_count":8}`, true, false)
	if err != nil {
		t.Fatal(err)
	}
	if got := next.Index("a").Settings; got.Int("index.max_result_window", 0) != 7 || got.Int("index.max_terms_count", 0) != 8 {
		t.Errorf("preserved: %s", got.AppendFlat(nil))
	}
	next, err = change(`{"index":{"max_result_window":null}}`, false, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, set := next.Index("a").Settings.Get("index.max_result_window"); set || next.Index("a").SettingsVersion != 2 {
		t.Error("a null does not remove")
	}
	if same, _ := change(`{"max_result_window":7}`, false, false); same != s {
		t.Error("the same settings make a new state")
	}
}

func TestTheDurableFormIsReadAgain(t *testing.T) {
	s := putTemplate(t, NewState("c"), "t", `{"index_patterns":["t*"],"priority":3,"version":4,"_meta":{"a":[1]},"template":{"settings":{"number_of_replicas":0},"mappings":{"properties":{"a":{"type":"date"}}},"aliases":{"x":{}}},"allow_auto_create":true}`)
	s, _ = create(t, s, "t1", `{"settings":{"analysis":{"analyzer":{"mine":{"type":"standard","stopwords":["a"]}}}},"mappings":{"dynamic":"strict","properties":{"b":{"type":"text","analyzer":"mine","fields":{"raw":{"type":"keyword"}}},"n":{"type":"nested","properties":{"l":{"type":"long"}}}}},"aliases":{"al":{"filter":{"term":{"b":"x"}},"routing":"1","is_write_index":true}}}`)
	form := s.AppendBinary(nil)
	again, err := Decode(form)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(form), string(again.AppendBinary(nil))); d != "" {
		t.Error(d)
	}
	if again.Version != s.Version || again.Index("t1").Mapping.Field("b.raw") == nil || again.Alias("al")[0].Name != "t1" {
		t.Error("something is lost")
	}
	if _, err := Decode(bytes.Replace(form, []byte(`"format":1`), []byte(`"format":9`), 1)); err == nil {
		t.Error("a newer format is read")
	}
}
