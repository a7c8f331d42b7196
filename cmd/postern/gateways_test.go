package main

import (
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"postern/conformance/engines/qdranttest"
)

// gateway starts one that others reach.
func gateway(t *testing.T, qdrant string) *server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	return start(t, "--listen", address, "--qdrant", qdrant, "--advertise", "http://"+address+"/")
}

func ask(t *testing.T, method, url, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

func want(t *testing.T, what string, status int, body string, wanted int, part string) {
	t.Helper()
	if status != wanted || !strings.Contains(body, part) {
		t.Errorf("%s: %d %s; want %d with %s", what, status, body, wanted, part)
	}
}

// A scroll and a point in time are answered by whichever gateway is asked, as long as the
// one that opened them is there.
func TestContextsOfOtherGateways(t *testing.T) {
	qdrant := qdranttest.Start(t).Addr
	a, b := gateway(t, qdrant), gateway(t, qdrant)
	for _, id := range []string{"1", "2", "3"} {
		status, body := ask(t, "PUT", a.url+"/books/_doc/"+id, `{"n":`+id+`}`)
		want(t, "a document", status, body, 201, `"result":"created"`)
	}
	id := regexp.MustCompile(`"(?:_scroll_id|id)":"([^"]+)"`)

	_, body := ask(t, "POST", a.url+"/books/_search?scroll=1m", `{"size":1,"sort":"n"}`)
	scroll := id.FindStringSubmatch(body)[1]
	status, body := ask(t, "POST", b.url+"/_search/scroll?filter_path=hits.hits._id", `{"scroll":"1m","scroll_id":"`+scroll+`"}`)
	want(t, "the second page, by the other gateway", status, body, 200, `{"hits":{"hits":[{"_id":"2"}]}}`)

	_, body = ask(t, "POST", a.url+"/books/_pit?keep_alive=1m", "")
	pit := id.FindStringSubmatch(body)[1]
	ask(t, "PUT", b.url+"/books/_doc/4", `{"n":4}`)
	search := `{"pit":{"id":"` + pit + `"},"size":0}`
	status, body = ask(t, "POST", b.url+"/_search", search)
	want(t, "a search of the point in time, by the other gateway", status, body, 200, `"total":{"value":3,`)
	status, body = ask(t, "POST", b.url+"/_msearch", "{}\n"+search+"\n")
	want(t, "several searches are not passed on", status, body, 200, `search_context_missing_exception`)
	status, body = ask(t, "DELETE", b.url+"/_pit", `{"id":"`+pit+`"}`)
	want(t, "closed by the other gateway", status, body, 200, `{"succeeded":true,"num_freed":1}`)
	status, body = ask(t, "POST", a.url+"/_search", search)
	want(t, "a search of the closed point in time", status, body, 404, `search_context_missing_exception`)

	a.end(t)
	next := `{"scroll":"1m","scroll_id":"` + scroll + `"}`
	status, body = ask(t, "POST", b.url+"/_search/scroll", next)
	want(t, "its gateway has gone", status, body, 404, `search_context_missing_exception`)
	status, body = ask(t, "DELETE", b.url+"/_search/scroll", `{"scroll_id":"`+scroll+`"}`)
	want(t, "nothing to close", status, body, 404, `"num_freed":0`)
}

// A gateway that crashed is still in the list, and an id can name none that is not.
func TestContextsOfACrashedGateway(t *testing.T) {
	qdrant := qdranttest.Start(t).Addr
	a := start(t, "--qdrant", qdrant, "--advertise", "http://127.0.0.1:1") // where nobody answers
	b := gateway(t, qdrant)
	ask(t, "PUT", a.url+"/books/_doc/1", `{"n":1}`)
	_, body := ask(t, "POST", a.url+"/books/_search?scroll=1m", `{"size":1}`)
	scroll := regexp.MustCompile(`"_scroll_id":"([^"]+)"`).FindStringSubmatch(body)[1]
	status, body := ask(t, "POST", b.url+"/_search/scroll", `{"scroll":"1m","scroll_id":"`+scroll+`"}`)
	want(t, "nobody answers", status, body, 404, `search_context_missing_exception`)
}
