package handlers

import (
	"fmt"
	"strings"
	"testing"

	"postern/generated/api"
	"postern/internal/eserr"
)

// What Elasticsearch 8.15.0 answers to these bodies; "n items" for what it takes.
func TestBulkBodies(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{`{"index":{"_index":"k","_id":"1"}}` + "\n" + `{"n":1}` + "\n" + `{"foo":{}}` + "\n", "400 Malformed action/metadata line [3], expected field [create], [delete], [index] or [update] but found [foo]"},
		{`{"index":{"_index":"k","_id":"1"}}` + "\n" + `{"n":1}`, "400 The bulk request must be terminated by a newline [\\n]"},
		{`{"index":{"_index":"k","_id":"1"}}` + "\n", "400 Validation Failed: 1: no requests added;"},
		{`{"index":{"_index":"k","_id":"1"}}`, "400 The bulk request must be terminated by a newline [\\n]"},
		{"\n", "400 Validation Failed: 1: no requests added;"},
		{"\n\n" + `{"index":{"_index":"k","_id":"1"}}` + "\n" + `{"n":1}` + "\n\n", "1 items"},
		{`{"index":{"_id":"1"}}` + "\n{}\n", "400 Validation Failed: 1: index is missing;"},
		{`{"update":{"_index":"k"}}` + "\n" + `{"doc":{"n":1}}` + "\n", "400 Validation Failed: 1: id is missing;"},
		{`{"delete":{"_index":"k"}}` + "\n", "400 Validation Failed: 1: id is missing;"},
		{`{"index":{"_index":"k","_id":"1","foo":1}}` + "\n{}\n", "400 Action/metadata line [1] contains an unknown parameter [foo]"},
		{`{"index":{"_index":"k","_id":"1","_type":"x"}}` + "\n{}\n", "400 Action/metadata line [1] contains an unknown parameter [_type]"},
		{`{"index":{"_index":"k","_id":1}}` + "\n{}\n", "1 items"},
		{`{"index":{"_index":"k","_id":null}}` + "\n{}\n", "1 items"},
		{`{"index":{"_index":"k","_id":["1"]}}` + "\n{}\n", "400 Malformed action/metadata line [1], expected a simple value for field [_id] but found [START_ARRAY]"},
		{`{"index":{"_index":"k","_id":{"a":1}}}` + "\n{}\n", "400 Malformed action/metadata line [1], expected a simple value for field [_id] but found [START_OBJECT]"},
		{`{"index":"x"}` + "\n{}\n", "400 Malformed action/metadata line [1], expected START_OBJECT or END_OBJECT but found [VALUE_STRING]"},
		{`{"index":null}` + "\n{}\n", "400 Malformed action/metadata line [1], expected START_OBJECT or END_OBJECT but found [VALUE_NULL]"},
		{"[]\n{}\n", "400 Malformed action/metadata line [1], expected START_OBJECT but found [START_ARRAY]"},
		{"{}\n{}\n", "400 Malformed action/metadata line [1], expected FIELD_NAME but found [END_OBJECT]"},
		{`{"index":{"_index":"k"},"x":1}` + "\n{}\n", "1 items"},
		{`{"index":{"_index":"k"}` + "\n{}\n", "1 items"},
		{`{"index":{"_index":"k"}} {}` + "\n{}\n", "1 items"},
		{`{"index":{"_index":"k","_id":"a}b\"}"}` + "\n{}\n", "1 items"},
		{"x\n{}\n", "400 [1:2] Unrecognized token 'x': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')\n at [Source: (byte[])\"x\"; line: 1, column: 2]"},
		{`{"index":{"_index":"k","_id":"3","_id":"4"}}` + "\n{}\n", "400 [1:39] Duplicate field '_id'\n at [Source: (byte[])\"{\"index\":{\"_index\":\"k\",\"_id\":\"3\",\"_id\":\"4\"}}\"; line: 1, column: 39]"},
		{`{"index":{"_index":"k","_id":"1","version":300}}` + "\n{}\n" + `{"create":{"_index":"k","_id":"q","version":3}}` + "\n{}\n", "400 Validation Failed: 1: internal versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and `if_primary_term` instead;2: create operations do not support explicit versions. use index instead;"},
		{`{"index":{"_index":"k","_id":"1","version":3,"version_type":"external"}}` + "\n{}\n", "1 items"},
		{`{"index":{"_index":"k","version_type":"foo"}}` + "\n{}\n", "400 No version type match [foo]"},
		{`{"index":{"_index":"k","version":"x"}}` + "\n{}\n", "400 For input string: \"x\""},
		{`{"index":{"_index":"k","routing":["a"]}}` + "\n{}\n", "400 Malformed action/metadata line [1], expected a simple value for field [routing] but found [START_ARRAY]"},
		{`{"update":{"_index":"k","_id":"6","version":3}}` + "\n" + `{"doc":{}}` + "\n", "400 Update requests do not support versioning. Please use `if_seq_no` and `if_primary_term` instead"},
		{`{"update":{"_index":"k","_id":"6"}}` + "\n" + `{"foo":1}` + "\n", "400 [1:2] [UpdateRequest] unknown field [foo]"},
		{`{"update":{"_index":"k","_id":"6"}}` + "\n{}\n", "400 Validation Failed: 1: script or doc is missing;"},
		{`{"update":{"_index":"k","_id":"6"}}` + "\n" + `{"doc":` + "\n", "400 [1:8] Unexpected end-of-input within/between Object entries\n at [Source: (byte[])\"{\"doc\":\"; line: 1, column: 8]"},
		{`{"index":{"_index":"k","_id":"6","op_type":"create"}}` + "\r\n{}\r\n", "1 items"},
		{` {"index":{"_index":"k"}}` + "\n {}\n" + `{"delete": {"_index":"k","_id": "3"}}` + "\n", "2 items"},
	} {
		if got := bulkOf(c.body); got != c.want {
			t.Errorf("%q\n  got  %s\n  want %s", c.body, got, c.want)
		}
	}
}

func bulkOf(body string) string {
	items, err := parseBulk(&api.BulkRequest{Body: []byte(body)})
	if e, ok := eserr.As(err); ok {
		return fmt.Sprintf("%d %s", e.Status, e.Reason)
	}
	if err != nil {
		return "not Elasticsearch's: " + err.Error()
	}
	return fmt.Sprintf("%d items", len(items))
}

func FuzzBulkBodies(f *testing.F) {
	f.Add(`{"index":{"_index":"k","_id":"1"}}` + "\n" + `{"n":1}` + "\n")
	f.Add(`{"update":{"_index":"k","_id":"1"}}` + "\n" + `{"doc":{}}` + "\n" + `{"delete":{"_index":"k","_id":"1"}}` + "\n")
	f.Fuzz(func(t *testing.T, body string) {
		if got := bulkOf(body); strings.HasPrefix(got, "not") {
			t.Error(got)
		}
	})
}
