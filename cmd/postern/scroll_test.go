package main

import (
	"regexp"
	"testing"
)

// A scroll ends with its index. (Elasticsearch drops it soon after it has acknowledged the
// deletion, which no recording can hold.)
func TestAScrollEndsWithItsIndex(t *testing.T) {
	s := start(t, "--data", t.TempDir())
	for _, id := range []string{"1", "2"} {
		status, body := ask(t, "PUT", s.url+"/books/_doc/"+id+"?refresh", `{"n":1}`)
		want(t, "a document", status, body, 201, `"created"`)
	}
	_, body := ask(t, "POST", s.url+"/books/_search?scroll=1m", `{"size":1}`)
	scroll := regexp.MustCompile(`"_scroll_id":"([^"]+)"`).FindStringSubmatch(body)[1]
	status, body := ask(t, "DELETE", s.url+"/books", "")
	want(t, "the deletion", status, body, 200, `"acknowledged":true`)
	status, body = ask(t, "POST", s.url+"/_search/scroll", `{"scroll":"1m","scroll_id":"`+scroll+`"}`)
	want(t, "the next page", status, body, 404, `search_context_missing_exception`)
}
