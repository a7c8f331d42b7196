package jsonx_test

import (
	"fmt"
	"testing"

	"postern/internal/jsonx"
)

func TestNext(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{`{"a":1}`, "END_OBJECT 1:7"},
		{`{"a":1 , /* x */ "b":2}`, "FIELD_NAME 1:18"},
		{`{"a":[1,"x"]}`, "VALUE_NUMBER 1:7"},
		{`{"a":[]}`, "END_ARRAY 1:7"},
		{`{"a":{}}`, "END_OBJECT 1:7"},
		{`{"a":{"c":1}}`, "FIELD_NAME 1:7"},
		{`{"a":["x",{}]}`, "VALUE_STRING 1:7"},
	} {
		token, line, col := jsonx.MustParse(c.body).Get("a").Next()
		if got := fmt.Sprintf("%s %d:%d", token, line, col); got != c.want {
			t.Errorf("%s: %s, want %s", c.body, got, c.want)
		}
	}
	token, _, _ := jsonx.MustParse(`[1]`).Next()
	if token != "VALUE_NUMBER" {
		t.Errorf("inside [1]: %s", token)
	}
}
