package transport

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/eserr"
)

// fake answers what the tests ask; other endpoints are nil.
type fake struct {
	routes.Server
	search func(ctx context.Context, r *api.SearchRequest) (routes.Answer, error)
	bulk   func(r *api.BulkRequest) (routes.Answer, error)
}

type raw string

func (r raw) AppendJSON(dst []byte) []byte { return append(dst, r...) }

type table struct{ raw }

func (table) AppendText(dst []byte) []byte { return append(dst, "a b\n"...) }

const hits = `{"took":0,"timed_out":false,"_shards":{"total":1,"successful":1,"skipped":0,"failed":0},"hits":{"total":{"value":0,"relation":"eq"},"max_score":null,"hits":[]}}`

func (f fake) Search(ctx context.Context, r *api.SearchRequest) (routes.Answer, error) {
	switch {
	case f.search != nil:
		return f.search(ctx, r)
	case len(r.Index) > 0 && r.Index[0] == "nope":
		return nil, (&eserr.Error{Status: 404, Type: "index_not_found_exception", Reason: "no such index [nope]"}).
			With("resource.type", "index_or_alias").With("resource.id", "nope").With("index_uuid", "_na_").With("index", "nope")
	}
	return raw(hits), nil
}

func (f fake) Bulk(_ context.Context, r *api.BulkRequest) (routes.Answer, error) {
	if f.bulk != nil {
		return f.bulk(r)
	}
	return raw(`{}`), nil
}

func (fake) CatHealth(context.Context, *api.CatHealthRequest) (routes.Answer, error) {
	return table{`[{"epoch":"1","y":"2"}]`}, nil
}

// start serves s on a port of its own.
func start(t *testing.T, cfg Config, s routes.Server) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	tr := New(cfg, s)
	done := make(chan error)
	go func() { done <- tr.Serve(ln) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := tr.Shutdown(ctx); err != nil {
			t.Error(err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return ln.Addr().String()
}

// send sends a request as it is written: the path is not cleaned, no header is added.
func send(t *testing.T, addr, method, path string, headers map[string]string, body []byte) (*http.Response, string) {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(20 * time.Second))
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: x\r\n", method, path)
	for k, v := range headers {
		fmt.Fprintf(&b, "%s: %s\r\n", k, v)
	}
	if body != nil {
		fmt.Fprintf(&b, "Content-Length: %d\r\n", len(body))
	}
	b.WriteString("\r\n")
	go func() {
		conn.Write(b.Bytes())
		conn.Write(body)
	}()
	res, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	got, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(got)
}

// testdata/exchanges.json holds requests and what Elasticsearch 8.15.0 answered.
func TestAnswersAreElasticsearchs(t *testing.T) {
	file, err := os.ReadFile("testdata/exchanges.json")
	if err != nil {
		t.Fatal(err)
	}
	var exchanges []struct {
		Method, Path string
		Headers      map[string]string
		Body         *string
		Status       int
		Got          map[string]string
		Answer       string
	}
	if err := json.Unmarshal(file, &exchanges); err != nil {
		t.Fatal(err)
	}
	addr := start(t, Config{}, fake{})
	// ours says why an answer differs from the recorded one.
	ours := map[string]string{
		"found 6":      "version 9 is taken here, so the message names it",
		"flow node":    "another YAML parser, with words of its own",
		"ts,hms,hhmm":  "the help of a table is not the transport's",
		"[{\"epoch\":": "",
	}
	for _, x := range exchanges {
		var body []byte
		if x.Body != nil {
			body = []byte(*x.Body)
		}
		res, answer := send(t, addr, x.Method, x.Path, x.Headers, body)
		name := fmt.Sprintf("%s %s %v", x.Method, x.Path, x.Headers)
		if res.StatusCode != x.Status {
			t.Errorf("%s: status %d, want %d: %s", name, res.StatusCode, x.Status, answer)
			continue
		}
		for k, want := range x.Got {
			if got := res.Header.Get(k); got != want {
				t.Errorf("%s: %s is %q, want %q", name, k, got, want)
			}
		}
		if res.Header.Get("X-Elastic-Product") != "Elasticsearch" {
			t.Errorf("%s: no product header", name)
		}
		expected := false
		for k := range ours {
			expected = expected || strings.Contains(x.Answer, k)
		}
		took := func(s string) string {
			return strings.NewReplacer(`"took":1,`, `"took":0,`, "took: 1\n", "took: 0\n").Replace(s)
		}
		if diff := cmp.Diff(took(x.Answer), took(answer)); diff != "" && !expected {
			t.Errorf("%s: (-Elasticsearch +ours)\n%s", name, diff)
		}
	}
}

func gzipped(b []byte) []byte {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write(b)
	w.Close()
	return z.Bytes()
}

func TestBodies(t *testing.T) {
	var got []byte
	addr := start(t, Config{MaxBody: 2 << 20}, fake{bulk: func(r *api.BulkRequest) (routes.Answer, error) {
		got = r.Body
		return raw(`{}`), nil
	}})
	nd := map[string]string{"content-type": "application/x-ndjson"}
	zipped := map[string]string{"content-type": "application/x-ndjson", "content-encoding": "gzip"}
	line := []byte(`{"index":{}}` + "\n")
	long := bytes.Repeat(line, (2<<20)/len(line))
	for _, c := range []struct {
		name    string
		headers map[string]string
		body    []byte
		status  int
		want    []byte
	}{
		{"short", nd, line, 200, line},
		{"up to the limit", nd, long, 200, long},
		{"beyond the limit", nd, append(bytes.Clone(long), long...), 413, nil},
		{"gzip", zipped, gzipped(line), 200, line},
		{"gzip up to the limit", zipped, gzipped(long), 200, long},
		{"gzip beyond the limit", zipped, gzipped(append(bytes.Clone(long), long...)), 413, nil},
		{"no gzip", zipped, line, 400, nil},
		{"half a gzip", zipped, gzipped(long)[:100], 400, nil},
	} {
		got = nil
		res, answer := send(t, addr, "POST", "/_bulk", c.headers, c.body)
		if res.StatusCode != c.status {
			t.Errorf("%s: %d %s", c.name, res.StatusCode, answer)
		}
		if !bytes.Equal(got, c.want) {
			t.Errorf("%s: the endpoint got %d bytes, want %d", c.name, len(got), len(c.want))
		}
	}
	// Chunked, in pieces.
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /_bulk HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", len(line), line)
	time.Sleep(10 * time.Millisecond)
	fmt.Fprintf(conn, "%x\r\n%s\r\n0\r\n\r\n", len(long)/2, long[:len(long)/2])
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || res.StatusCode != 200 || !bytes.Equal(got, append(bytes.Clone(line), long[:len(long)/2]...)) {
		t.Errorf("chunked: %v %v, %d bytes", res, err, len(got))
	}
}

func TestAnEmptyBodyIsNone(t *testing.T) {
	addr := start(t, Config{}, fake{})
	form := map[string]string{"content-type": "application/x-www-form-urlencoded"}
	if res, body := send(t, addr, "POST", "/t/_search", form, []byte{}); res.StatusCode != 200 {
		t.Error("Content-Length 0:", res.StatusCode, body)
	}
	if res, body := send(t, addr, "POST", "/t/_search", form, nil); res.StatusCode != 200 {
		t.Error("no length:", res.StatusCode, body)
	}
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	r := bufio.NewReader(conn)
	for range 2 {
		fmt.Fprint(conn, "POST /t/_search HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
		res, err := http.ReadResponse(r, nil)
		if err != nil || res.StatusCode != 200 {
			t.Fatal("chunked:", res, err)
		}
		io.Copy(io.Discard, res.Body)
	}
}

func TestAConnectionSurvivesRefusals(t *testing.T) {
	addr := start(t, Config{MaxBody: 1 << 20}, fake{})
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	r := bufio.NewReader(conn)
	body := bytes.Repeat([]byte(" "), 3<<19)
	for i, want := range []int{413, 406, 200} {
		typ, b := "application/json", body
		if i == 1 {
			typ, b = "text/plain", body[:1<<19]
		} else if i == 2 {
			b = []byte("{}")
		}
		go fmt.Fprintf(conn, "POST /t/_search HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", typ, len(b), b)
		res, err := http.ReadResponse(r, nil)
		if err != nil {
			t.Fatal(i, err)
		}
		io.Copy(io.Discard, res.Body)
		if res.StatusCode != want {
			t.Errorf("request %d: %d, want %d", i, res.StatusCode, want)
		}
	}
}

func TestAnswersAreCompressed(t *testing.T) {
	long := `{"a":"` + strings.Repeat("x", 5000) + `"}`
	addr := start(t, Config{}, fake{search: func(context.Context, *api.SearchRequest) (routes.Answer, error) { return raw(long), nil }})
	res, body := send(t, addr, "GET", "/t/_search", map[string]string{"accept-encoding": "deflate, gzip;q=1.0"}, nil)
	if res.Header.Get("Content-Encoding") != "gzip" {
		t.Fatal(res.Header)
	}
	z, err := gzip.NewReader(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := io.ReadAll(z); string(got) != long {
		t.Errorf("%.80s", got)
	}
	if res, _ := send(t, addr, "GET", "/t/_search", map[string]string{"accept-encoding": "gzip;q=0"}, nil); res.Header.Get("Content-Encoding") != "" {
		t.Error("compressed against the client's word")
	}
}

func TestUnexpectedErrorsAreLoggedUnderAnID(t *testing.T) {
	var log bytes.Buffer
	how := func() error { return errors.New("disk on fire") }
	addr := start(t, Config{Log: slog.New(slog.NewTextHandler(&log, nil))}, fake{search: func(context.Context, *api.SearchRequest) (routes.Answer, error) {
		return nil, how()
	}})
	for _, want := range []string{"disk on fire", "panic: ouch"} {
		log.Reset()
		res, body := send(t, addr, "GET", "/t/_search", map[string]string{"x-opaque-id": "me"}, nil)
		var answer struct{ Error struct{ Reason string } }
		if err := json.Unmarshal([]byte(body), &answer); err != nil || res.StatusCode != 500 {
			t.Fatal(res.StatusCode, body)
		}
		id := answer.Error.Reason[strings.Index(answer.Error.Reason, "[")+1 : strings.Index(answer.Error.Reason, "]")]
		for _, s := range []string{want, "id=" + id, "opaque_id=me", "endpoint=search"} {
			if !strings.Contains(log.String(), s) {
				t.Errorf("no %q in %s", s, log.String())
			}
		}
		if strings.Contains(body, want) {
			t.Errorf("the client sees %s", body)
		}
		how = func() error { panic("ouch") }
	}
}

func TestADeadlineEndsARequest(t *testing.T) {
	addr := start(t, Config{Deadline: 20 * time.Millisecond}, fake{search: func(ctx context.Context, _ *api.SearchRequest) (routes.Answer, error) {
		<-ctx.Done()
		return nil, fmt.Errorf("while searching: %w", ctx.Err())
	}})
	if res, body := send(t, addr, "GET", "/t/_search", nil, nil); res.StatusCode != 503 || !strings.Contains(body, "timeout_exception") {
		t.Error(res.StatusCode, body)
	}
}

func TestTheBreakerRefusesLargeBodies(t *testing.T) {
	body40 := bytes.Repeat([]byte("\n"), 40<<20)
	addr := start(t, Config{MemoryLimit: processMemory() + 32<<20}, fake{})
	nd := map[string]string{"content-type": "application/x-ndjson"}
	res, body := send(t, addr, "POST", "/_bulk", nd, body40)
	if res.StatusCode != 429 || !strings.Contains(body, "circuit_breaking_exception") {
		t.Errorf("%d %.300s", res.StatusCode, body)
	}
	if res, body := send(t, addr, "POST", "/_bulk", nd, []byte("\n")); res.StatusCode != 200 {
		t.Errorf("a small one: %d %s", res.StatusCode, body)
	}
}

func TestLongHeadersAndURLs(t *testing.T) {
	addr := start(t, Config{}, fake{})
	if res, body := send(t, addr, "GET", "/t/_search?q="+strings.Repeat("a", 12<<10), map[string]string{"X-A": strings.Repeat("b", 12<<10)}, nil); res.StatusCode != 200 {
		t.Error(res.StatusCode, body)
	}
	res, body := send(t, addr, "GET", "/t/_search", map[string]string{"X-A": strings.Repeat("b", 40<<10)}, nil)
	if res.StatusCode != 400 || !strings.Contains(body, "too_long_http_header_exception") {
		t.Error(res.StatusCode, body)
	}
	if res, body := send(t, addr, "BREW", "/", nil, nil); res.StatusCode != 405 || !strings.Contains(body, "Unexpected http method: BREW") {
		t.Error(res.StatusCode, body)
	}
}

func TestTablesAreText(t *testing.T) {
	addr := start(t, Config{}, fake{})
	for path, want := range map[string]string{
		"/_cat/health":                           "a b\n",
		"/_cat/health?format=txt":                "a b\n",
		"/_cat/health?format=json":               `[{"epoch":"1","y":"2"}]`,
		"/_cat/health?format=json&filter_path=y": `[{"y":"2"}]`,
		"/_cat/health?format=yaml":               "---\n- epoch: \"1\"\n  \"y\": \"2\"\n",
	} {
		if _, got := send(t, addr, "GET", path, nil, nil); got != want {
			t.Errorf("%s: %q", path, got)
		}
	}
	if _, got := send(t, addr, "GET", "/_cat/health", map[string]string{"accept": "application/json"}, nil); got != `[{"epoch":"1","y":"2"}]` {
		t.Error(got)
	}
}
