package handlers

import (
	"testing"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// What Elasticsearch 8.15.0 says of these bodies of POST _aliases: the reasons from the
// outermost to the innermost.
func TestAliasActions(t *testing.T) {
	for _, c := range []struct {
		body string
		want []string
	}{
		{`{"actions":[{"add":{"index":"meta-b","alias":"meta-x"}},{"rm":{}}]}`,
			[]string{"[1:63] [aliases] failed to parse field [actions]", "[1:58] [alias_action] unknown field [rm]"}},
		{`{"actions":[{"add":{"index":"meta-b"}}]}`,
			[]string{"[1:39] [aliases] failed to parse field [actions]", "One of [alias] or [aliases] is required"}},
		{`{"actions":[{"add":{"alias":"meta-b"}}]}`,
			[]string{"[1:39] [aliases] failed to parse field [actions]", "One of [index] or [indices] is required"}},
		{`{"actions":[{"add":{"index":"meta-b","alias":"y","foo":1}}]}`,
			[]string{"[1:56] [aliases] failed to parse field [actions]", "[1:56] [alias_action] failed to parse field [add]", "[1:50] [add] unknown field [foo]"}},
		{`{"foo":[]}`, []string{"[1:2] [aliases] unknown field [foo]"}},
		{`{"actions":[{"add":{"index":"meta-b","alias":"m3","is_write_index":"x"}}]}`,
			[]string{"[1:68] [aliases] failed to parse field [actions]", "[1:68] [alias_action] failed to parse field [add]",
				"[1:68] [add] failed to parse field [is_write_index]", "Failed to parse value [x] as only [true] or [false] are allowed."}},
		{`{"actions":[{"add":[]}]}`,
			[]string{"[1:20] [aliases] failed to parse field [actions]", "[1:20] [alias_action] add doesn't support values of type: START_ARRAY"}},
		{`{"actions":[{"add":{"index":"meta-b","indices":["x"],"alias":"m3"}}]}`,
			[]string{"[1:52] [aliases] failed to parse field [actions]", "[1:52] [alias_action] failed to parse field [add]",
				"[1:52] [add] failed to parse field [indices]", "Only one of [index] and [indices] is supported"}},
		{`{"actions":[]}`, nil},
		{`{}`, nil},
		{`{"actions":[{"add":{"indices":["a","b"],"aliases":["m1"],"routing":1,"filter":{"term":{"x":1}}}},{"remove":{"index":"a","alias":"b","must_exist":true}},{"remove_index":{"index":"c"}}]}`, nil},
	} {
		_, err := parseAliasActions(jsonx.MustParse(c.body))
		var got []string
		if e, ok := eserr.As(err); ok {
			for ; e != nil; e = e.CausedBy {
				got = append(got, e.Reason)
			}
		}
		if len(got) != len(c.want) {
			t.Errorf("%s\n  got  %q\n  want %q", c.body, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s\n  got  %q\n  want %q", c.body, got[i], c.want[i])
			}
		}
	}
}
