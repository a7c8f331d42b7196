package main

import (
	"strings"
	"testing"
)

func TestDistill(t *testing.T) {
	const schema = `{"endpoints":[{"name":"b","description":"x","urls":[{"path":"/b","methods":["GET"]}]},{"name":"a","docUrl":"y"}],
		"types":[{"name":{"name":"T","namespace":"z"},"specLocation":"f","properties":[
			{"name":"description","description":"prose","serverDefault":{"description":"data"},"type":{"kind":"user_defined_value"}}]}]}`
	const want = `{"specification":{"license":"Apache-2.0","source":"npm @elastic/request-converter","version":"1.2.3"}}
{"endpoint":{"name":"a"}}
{"endpoint":{"name":"b","urls":[{"methods":["GET"],"path":"/b"}]}}
{"type":{"name":{"name":"T","namespace":"z"},"properties":[{"name":"description","serverDefault":{"description":"data"},"type":{"kind":"user_defined_value"}}]}}
`
	got, err := distill([]byte(schema), "1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestDistillRefuses(t *testing.T) {
	for _, schema := range []string{``, `[]`, `{}`, `{"endpoints":[],"types":[]}`} {
		if _, err := distill([]byte(schema), "1"); err == nil || !strings.HasPrefix(err.Error(), "schema.json") {
			t.Errorf("%q: %v", schema, err)
		}
	}
}
