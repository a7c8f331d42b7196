package eserr_test

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// testdata/syntax.json holds what Elasticsearch 8.15.0 answered to each body (of
// PUT index/_settings, which reads its body whole before it looks at it).
func TestSyntaxErrorsAreElasticsearchs(t *testing.T) {
	file, err := os.ReadFile("testdata/syntax.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Body, Type, Reason string
		Status             int
	}
	if err := json.Unmarshal(file, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		_, err := jsonx.Parse([]byte(c.Body))
		e, ok := eserr.As(eserr.FromSyntax(err))
		if !ok {
			t.Errorf("%s\n  is taken\n  want %s: %s", c.Body, c.Type, c.Reason)
			continue
		}
		var s *jsonx.SyntaxError
		if errors.As(err, &s) && s.EOF && c.Status == 400 {
			// This endpoint reads names in a way that wraps the end of input as if it
			// were any other error; searches and most others don't.
			if !strings.HasSuffix(c.Reason, "] "+s.Jackson()) {
				t.Errorf("%s\n  got  %q\n  want %q", c.Body, s.Jackson(), c.Reason)
			}
			continue
		}
		if e.Status != c.Status || e.Type != c.Type || e.Reason != c.Reason {
			t.Errorf("%s\n  got  %d %s: %q\n  want %d %s: %q", c.Body, e.Status, e.Type, e.Reason, c.Status, c.Type, c.Reason)
		}
	}
}
