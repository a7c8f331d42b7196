package traffic_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"postern/conformance/recording"
	"postern/conformance/replay"
	"postern/conformance/traffic"
)

// engine answers by METHOD and target, and notes what it is sent.
type engine struct {
	answers map[string]string
	asked   []string
	headers []http.Header
}

func (e *engine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	question := r.Method + " " + r.RequestURI
	e.asked, e.headers = append(e.asked, question+" "+string(body)), append(e.headers, r.Header.Clone())
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-elastic-product", "Elasticsearch")
	answer, ok := e.answers[question]
	if !ok {
		answer = `{}`
	}
	_, _ = io.WriteString(w, answer)
}

func start(t *testing.T, answers map[string]string) (*engine, *traffic.Proxy, string) {
	t.Helper()
	answers["GET /"] = `{"version":{"number":"8.15.0"}}`
	answers["GET /_all/_settings?expand_wildcards=all"] = `{"old":{}}`
	e := &engine{answers: answers}
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	target, err := replay.ParseTarget("elasticsearch=" + server.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy, err := traffic.New(context.Background(), target)
	if err != nil {
		t.Fatal(err)
	}
	front := httptest.NewServer(proxy)
	t.Cleanup(front.Close)
	return e, proxy, front.URL
}

func ask(t *testing.T, method, url, body string, headers ...string) string {
	t.Helper()
	q, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		q.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// written is the recording as text; it has to be one that Parse reads.
func written(t *testing.T, p *traffic.Proxy) string {
	t.Helper()
	text := recording.Format(p.Recording())
	if _, err := recording.Parse(text); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return string(text)
}

func TestNoCredentialIsWritten(t *testing.T) {
	const key = "VuaCfGcBCdbkQm-e5aOx:ui2lp2axTNmsyakw9tvNnw"
	e, proxy, url := start(t, map[string]string{
		"POST /_security/api_key": `{"id":"VuaC","name":"k","api_key":"ui2lp2axTNmsyakw9tvNnw","encoded":"VnVhQ2ZHY0JDZGJrUW0="}`,
	})
	ask(t, "PUT", url+"/_security/user/joe", `{"password":"hunter-two","roles":["admin"]}`,
		"Content-Type", "application/json", "Authorization", "Basic ZWxhc3RpYzp2ZXJ5LXNlY3JldC1wYXNzd29yZA==", "Cookie", "sid=abc")
	ask(t, "POST", url+"/_security/api_key", `{"name":"k"}`, "Content-Type", "application/json", "Authorization", "ApiKey "+key)
	ask(t, "POST", url+"/_reindex", `{"source":{"remote":{"host":"http://o:9200","username":"u","password":"remote-pass"},"index":"a"},"dest":{"index":"b"}}`,
		"Content-Type", "application/json", "X-Api-Key", "another")
	ask(t, "GET", url+"/_search?q=very-secret-password", "")
	ask(t, "PUT", url+"/old/_doc/1", `{"password":"is a field of the application's"}`, "Content-Type", "application/json")
	text := written(t, proxy)
	for _, secret := range []string{key, "hunter-two", "ZWxhc3Rp", "sid=abc", "ui2lp2axTNmsyakw9tvNnw", "VnVhQ2ZHY0", "remote-pass", "another", "very-secret"} {
		if strings.Contains(text, secret) {
			t.Errorf("%s is in\n%s", secret, text)
		}
	}
	for _, kept := range []string{`"password":"redacted","roles":["admin"]`, "is a field of the application's", `"username":"u"`} {
		if !strings.Contains(text, kept) {
			t.Errorf("%s is not in\n%s", kept, text)
		}
	}
	if !strings.Contains(e.asked[2], "hunter-two") || e.headers[2].Get("Cookie") != "sid=abc" || e.headers[2].Get("Authorization") == "" {
		t.Errorf("the engine did not get the request as it was: %s %v", e.asked[2], e.headers[2])
	}
}

func TestGeneratedValuesBecomeCaptures(t *testing.T) {
	const first, second, unused = "AVVjE5MBTQ1zRHn9aaaa", "BVVjE5MBTQ1zRHn9bbbb", "CVVjE5MBTQ1zRHn9cccc"
	_, proxy, url := start(t, map[string]string{
		"POST /new/_doc":           `{"_index":"new","_id":"` + first + `","result":"created"}`,
		"POST /_bulk":              `{"errors":false,"items":[{"index":{"_index":"new","_id":"` + second + `","status":201}},{"index":{"_index":"old","_id":"` + unused + `","status":201}},{"index":{"_index":"no","_id":"` + unused + `","status":400}}]}`,
		"GET /new/_doc/" + first:   `{"_id":"` + first + `"}`,
		"POST /new/_search?scroll": `{"_scroll_id":"FGluY2x1ZGVf==","hits":{"hits":[{"_id":"` + second + `"}]}}`,
		"POST /_search/scroll":     `{"_scroll_id":"FGluY2x1ZGVf==","hits":{"hits":[]}}`,
	})
	ask(t, "POST", url+"/new/_doc", `{"a":"costs ${price}"}`, "Content-Type", "application/json")
	ask(t, "GET", url+"/new/_doc/"+first, "")
	ask(t, "POST", url+"/_bulk", `{"index":{"_index":"new"}}`+"\n{}\n"+`{"index":{"_index":"old"}}`+"\n{}\n", "Content-Type", "application/x-ndjson")
	ask(t, "POST", url+"/new/_search?scroll", "")
	ask(t, "POST", url+"/_search/scroll", `{"scroll_id":"FGluY2x1ZGVf=="}`, "Content-Type", "application/json")
	ask(t, "DELETE", url+"/_search/scroll", `{"scroll_id":"FGluY2x1ZGVf=="}`, "Content-Type", "application/json")
	want := `# Recorded from an application's own traffic.
# It uses indices that were there before, with documents that a replay does not have: old.

engine elasticsearch 8.15.0
index new
alone an application's traffic may ask about all indices
literal price

> POST /new/_doc
{"a":"costs ${price}"}
< 200
~ capture id_1 _id
{"_index":"new","_id":"${id_1}","result":"created"}

> GET /new/_doc/${id_1}
< 200
{"_id":"${id_1}"}

> POST /_bulk
{"index":{"_index":"new"}}
{}
{"index":{"_index":"old"}}
{}
< 200
~ capture id_2 items.0.index._id
~ ignore items.*.index._id
{
  "errors": false,
  "items": [
    {"index":{"_index":"new","_id":"${id_2}","status":201}},
    {"index":{"_index":"old","_id":"CVVjE5MBTQ1zRHn9cccc","status":201}},
    {"index":{"_index":"no","_id":"CVVjE5MBTQ1zRHn9cccc","status":400}}
  ]
}

> POST /new/_search?scroll
< 200
~ capture scroll_1 _scroll_id
{"_scroll_id":"${scroll_1}","hits":{"hits":[{"_id":"${id_2}"}]}}

> POST /_search/scroll
{"scroll_id":"${scroll_1}"}
< 200
~ capture scroll_2 _scroll_id
{"_scroll_id":"${scroll_2}","hits":{"hits":[]}}

> DELETE /_search/scroll
{"scroll_id":"${scroll_2}"}
< 200
{}
`
	if diff := cmp.Diff(want, written(t, proxy)); diff != "" {
		t.Error(diff)
	}
}

func TestAPauseIsARefresh(t *testing.T) {
	e, proxy, url := start(t, map[string]string{"PUT /new/_doc/1": `{"_index":"new","_id":"1"}`})
	ask(t, "PUT", url+"/new/_doc/1", `{}`, "Content-Type", "application/json")
	ask(t, "GET", url+"/new/_search?first", "")
	time.Sleep(1100 * time.Millisecond)
	ask(t, "GET", url+"/new/_search?second", "")
	ask(t, "GET", url+"/new/_search?third", "")
	var order []string
	for _, x := range proxy.Recording().Exchanges {
		order = append(order, x.Request.Method+" "+x.Request.Target)
	}
	want := []string{"PUT /new/_doc/1", "GET /new/_search?first", "POST /new/_refresh", "GET /new/_search?second", "GET /new/_search?third"}
	if diff := cmp.Diff(want, order); diff != "" {
		t.Error(diff)
	}
	if len(e.asked) != 7 { // two of the recorder's own
		t.Errorf("the engine was asked %q", e.asked)
	}
}

func TestCompressedBodiesAreKeptReadable(t *testing.T) {
	e, proxy, url := start(t, map[string]string{})
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(`{"a":1}`))
	_ = z.Close()
	ask(t, "PUT", url+"/new/_doc/1", b.String(), "Content-Type", "application/json", "Content-Encoding", "gzip")
	if !strings.Contains(written(t, proxy), "+ Content-Encoding: gzip\n{\"a\":1}\n") {
		t.Error(written(t, proxy))
	}
	if e.headers[2].Get("Content-Encoding") != "gzip" || strings.Contains(e.asked[2], `{"a":1}`) {
		t.Errorf("the engine did not get it compressed: %v %q", e.headers[2], e.asked[2])
	}
}
