package handlers

import (
	"context"
	"strings"
	"testing"

	"postern/generated/api"
	"postern/internal/eserr"
	"postern/internal/metadata"
	"postern/planner"
)

// TestReadMsearch reads bodies as Elasticsearch 8.15.0 does: what it says of them is its own.
func TestReadMsearch(t *testing.T) {
	for _, tc := range []struct{ body, want string }{
		{"{}\n{\"size\":0}\n", "ok 1"},
		{"\n{\"size\":0}\n", "ok 1"},
		{"{\"index\":\"a,b\"}\r\n{}\r\n{}\n{}\n", "ok 2"},
		{`{"index":["a"],"ignoreUnavailable":true,"indices":"b","search_type":"query_then_fetch","preference":"x","routing":"y","allow_no_indices":true,"expand_wildcards":"open","request_cache":true,"ccs_minimize_roundtrips":true}` + "\n{}\n", "ok 1"},
		{"", "parse_exception: request body or source parameter is required"},
		{"{}\n{\"size\":0}", "illegal_argument_exception: The msearch request must be terminated by a newline [\n]"},
		{"{\"foo\":1}\n{}\n", "illegal_argument_exception: key [foo] is not supported in the metadata section"},
		{"{\"rest_total_hits_as_int\":true}\n{}\n", "illegal_argument_exception: key [rest_total_hits_as_int] is not supported in the metadata section"},
		{"{\"search_type\":\"foo\"}\n{}\n", "illegal_argument_exception: No search type for [foo]"},
		{"[]\n{}\n", "x_content_parse_exception: [1:2] Unexpected token after end of object"},
		{"{}\n", "action_request_validation_exception: Validation Failed: 1: no requests added;"},
		{"{}\n\n", "parsing_exception: Expected [START_OBJECT] but found [null]"},
		{"{}\n{\"sizes\":0}\n", "parsing_exception: Unknown key for a VALUE_NUMBER in [sizes]."},
	} {
		got := "ok "
		requests, err := readMsearch(&api.MsearchRequest{Body: []byte(tc.body)})
		if e, ok := eserr.As(err); ok {
			got = e.Error()
		} else {
			got += string(rune('0' + len(requests)))
		}
		if got != tc.want {
			t.Errorf("%q: %s, want %s", tc.body, got, tc.want)
		}
	}
}

// TestMsearchItems answers each search for itself, and a wrong line for all of them.
func TestMsearchItems(t *testing.T) {
	s := &Searches{Planner: &planner.Planner{}, State: func(context.Context) (*metadata.State, error) { return metadata.NewState("u"), nil }}
	a, err := s.Msearch(context.Background(), &api.MsearchRequest{Body: []byte("{\"index\":\"gone\"}\n{}\n{\"index\":\"gone*\"}\n{}\n")})
	if err != nil {
		t.Fatal(err)
	}
	out := string(a.AppendJSON(nil))
	for _, part := range []string{`"responses":[{"error":{"root_cause":[{"type":"index_not_found_exception"`, `"status":404},{"took":`, `"max_score":0.0,"hits":[]},"status":200}]}`} {
		if !strings.Contains(out, part) {
			t.Errorf("%s lacks %s", out, part)
		}
	}
	if _, err := s.Msearch(context.Background(), &api.MsearchRequest{Body: []byte("{}\n{\"from\":1,\"search_after\":[1],\"sort\":\"a\"}\n")}); err == nil {
		t.Error("a wrong search did not fail the request")
	}
}
