package replay_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"postern/conformance/recording"
	"postern/conformance/replay"
)

// engine answers from a table of "METHOD target body" and notes what it was asked.
type engine struct {
	mu      sync.Mutex
	answers map[string]string
	asked   []string
}

func (e *engine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	question := strings.TrimSpace(r.Method + " " + r.RequestURI + " " + string(body))
	e.mu.Lock()
	e.asked = append(e.asked, question)
	e.mu.Unlock()
	w.Header().Set("X-elastic-product", "Elasticsearch")
	w.Header().Set("Content-Type", "application/json")
	answer, ok := e.answers[question]
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	_, _ = io.WriteString(w, answer)
}

func start(t *testing.T, answers map[string]string) (*engine, replay.Target) {
	t.Helper()
	e := &engine{answers: answers}
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	target, err := replay.ParseTarget("postern=" + server.URL)
	if err != nil {
		t.Fatal(err)
	}
	return e, target
}

func parse(t *testing.T, text string) *recording.Recording {
	t.Helper()
	r, err := recording.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// failures replays one exchange, GET /x, and returns what differs as one text.
func failures(t *testing.T, answer, got string) string {
	t.Helper()
	_, target := start(t, map[string]string{"GET /x": got})
	found, err := target.Replay(t.Context(), parse(t, "# a\n\n> GET /x\n"+answer))
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, f := range found {
		texts = append(texts, f.String())
	}
	return strings.Join(texts, "\n")
}

func TestRules(t *testing.T) {
	for name, c := range map[string]struct{ answer, got, want string }{
		"equal":                  {"< 200\n{\"a\":[1,2.50]}", `{ "a" : [1, 2.50] }`, ""},
		"took is ignored":        {"< 200\n{\"took\":3}", `{"took":99}`, ""},
		"took must be there":     {"< 200\n{\"took\":3}", `{}`, "took"},
		"digits count":           {"< 200\n{\"a\":1.0}", `{"a":1}`, "1.0"},
		"huge numbers count":     {"< 200\n{\"a\":9007199254740993}", `{"a":9007199254740992}`, "9007199254740993"},
		"order of members":       {"< 200\n{\"a\":1,\"b\":2}", `{"b":2,"a":1}`, "order of members"},
		"more members":           {"< 200\n{\"a\":1}", `{"a":1,"b":2}`, `"b":2`},
		"order of a list":        {"< 200\n[1,2]", `[2,1]`, "body"},
		"unordered":              {"< 200\n~ unordered l\n{\"l\":[1,{\"a\":2}]}", `{"l":[{"a":2},1]}`, ""},
		"unordered members":      {"< 200\n~ unordered .\n~ unordered o\n{\"a\":1,\"o\":{\"x\":1,\"y\":2}}", `{"o":{"y":2,"x":1},"a":1}`, ""},
		"ignore":                 {"< 200\n~ ignore l.*.x\n{\"l\":[{\"x\":1}]}", `{"l":[{"x":2}]}`, ""},
		"ignore is no optional":  {"< 200\n~ ignore a\n{\"a\":1}", `{}`, "ignored"},
		"optional":               {"< 200\n~ optional a\n{\"a\":1,\"b\":1}", `{"b":1}`, ""},
		"scores are close":       {"< 200\n{\"_score\":1.23456789}", `{"_score":1.2345679}`, ""},
		"scores are too far":     {"< 200\n{\"_score\":1.23456789}", `{"_score":1.2346}`, "_score"},
		"tolerance":              {"< 200\n~ tolerance 0.1 a\n{\"a\":10}", `{"a":10.5}`, ""},
		"tolerance has an end":   {"< 200\n~ tolerance 0.1 a\n{\"a\":10}", `{"a":11.5}`, "11.5"},
		"error":                  {"< 200\n~ error\n{\"error\":{\"type\":\"t\",\"reason\":\"a\"},\"status\":1}", `{"error":{"type":"t","reason":"b"},"status":1}`, ""},
		"error's type counts":    {"< 200\n~ error\n{\"error\":{\"type\":\"t\"}}", `{"error":{"type":"u"}}`, `"u"`},
		"exact":                  {"< 200\n~ exact\n{\"a\":1}", `{"a": 1}`, "body"},
		"no JSON":                {"< 200\n{\"a\":1}", `<html>`, "no JSON"},
		"uuids in reasons":       {"< 200\n{\"r\":\"index [a/AAAAAAAAAAAAAAAAAAAAAA] is\"}", `{"r":"index [a/BBBBBBBBBBBBBBBBBBBBBB] is"}`, ""},
		"index_uuid _na_ counts": {"< 200\n{\"index_uuid\":\"_na_\"}", `{"index_uuid":"x"}`, "_na_"},
		"status":                 {"< 404\n{}", `{}`, "status 200, want 404"},
		"header":                 {"< 200\n+ Location: /y\n{}", `{}`, "header Location"},
	} {
		t.Run(name, func(t *testing.T) {
			got := failures(t, c.answer+"\n", c.got)
			if c.want == "" && got != "" || c.want != "" && !strings.Contains(got, c.want) {
				t.Errorf("want %q in\n%s", c.want, got)
			}
		})
	}
}

const captured = `# Ids that are generated are captured and used.

index cf-x

> POST /cf-x/_doc
{"a":1}
< 200
~ capture id _id
{"_id":"${id}","n":1}

> GET /cf-x/_doc/${id}?x=1
< 200
{"_id":"${id}","text":"it is ${id}"}

> POST /cf-x/_search
{"after":["${id}"]}
< 200
{}
`

func TestCaptures(t *testing.T) {
	e, target := start(t, map[string]string{
		"DELETE /cf-x":                                 "{}",
		`POST /cf-x/_doc {"a":1}`:                      `{"_id":"generated/1","n":1}`,
		"GET /cf-x/_doc/generated%2F1?x=1":             `{"_id":"generated/1","text":"it is generated/1"}`,
		`POST /cf-x/_search {"after":["generated/1"]}`: `{}`,
	})
	r := parse(t, captured)
	found, err := target.Replay(context.Background(), r)
	if err != nil || len(found) > 0 {
		t.Fatalf("%v %v", found, err)
	}
	if e.asked[0] != "DELETE /cf-x" || e.asked[len(e.asked)-1] != "DELETE /cf-x" {
		t.Errorf("a replay begins and ends by deleting what the recording names: %q", e.asked)
	}
	for i := range r.Exchanges {
		if rules := r.Exchanges[i].Answer.Rules; true {
			r.Exchanges[i].Answer = &recording.Answer{Rules: rules}
		}
	}
	recorded, err := target.Record(context.Background(), r, "test 1")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(captured, "\nindex", "\nengine test 1\nindex", 1)
	if got := string(recording.Format(recorded)); got != want {
		t.Errorf("recorded again:\n%s", got)
	}
}

func TestParseTarget(t *testing.T) {
	for _, bad := range []string{"x", "x=127.0.0.1:9200", "x=ftp://h:1", "x=http://host"} {
		if _, err := replay.ParseTarget(bad); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}

func TestPatternsAreDeletedOnlyWhereThatIsSafe(t *testing.T) {
	r := parse(t, "# a\nindex a\n\n> DELETE /a*\n< 400\n")
	for settings, sent := range map[string]bool{
		`{"defaults":{"action.destructive_requires_name":"true"}}`:                                                          true,
		`{"transient":{"action.destructive_requires_name":"false"},"defaults":{"action.destructive_requires_name":"true"}}`: false,
		`{}`: false,
	} {
		e, target := start(t, map[string]string{"GET /_cluster/settings?include_defaults=true&flat_settings=true": settings})
		if _, err := target.Replay(context.Background(), r); err != nil {
			t.Fatal(err)
		}
		if slices.Contains(e.asked, "DELETE /a*") != sent {
			t.Errorf("%s: %q", settings, e.asked)
		}
	}
	e, target := start(t, nil)
	target.Disposable = true
	if _, err := target.Replay(context.Background(), r); err != nil || !slices.Contains(e.asked, "DELETE /a*") {
		t.Errorf("%v %q", err, e.asked)
	}
}
