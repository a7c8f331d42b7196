package load

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"postern/benchmark/workload"
)

func echo(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.URL.Path) }

func paths(check func(n int, answer string) error) workload.Workload {
	return workload.Workload{Name: "paths", Make: func(s workload.Step) workload.Op {
		return workload.Op{{Method: "GET", Path: fmt.Sprintf("/%d", s.Unique), Check: func(answer []byte) error { return check(s.Unique, string(answer)) }}}
	}, Class: func(s workload.Step) string { return []string{"even", "odd"}[s.Unique%2] }}
}

func TestEveryOperationIsSentOnceAndChecked(t *testing.T) {
	var sent atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { sent.Add(1); echo(w, r) }))
	defer server.Close()
	seen := map[int]bool{}
	got, err := Run(Plan{Address: server.URL, Clients: 4, Operations: 40, Offset: 100, Workload: paths(func(n int, answer string) error {
		if seen[n] || answer != fmt.Sprintf("/%d", n) {
			return fmt.Errorf("%d again, or answered by %s", n, answer)
		}
		seen[n] = true
		return nil
	})})
	if err != nil || sent.Load() != 40 || len(seen) != 40 || !seen[100] || !seen[139] {
		t.Fatalf("%v; sent %d, checked %d", err, sent.Load(), len(seen))
	}
	if len(got.Times["even"]) != 20 || len(got.Times["odd"]) != 20 {
		t.Errorf("classes: %d even, %d odd", len(got.Times["even"]), len(got.Times["odd"]))
	}
}

func TestAWrongAnswerAndAnErrorEndTheTrial(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/7") {
			http.Error(w, "no", http.StatusServiceUnavailable)
			return
		}
		echo(w, r)
	}))
	defer server.Close()
	wrong := paths(func(n int, _ string) error {
		if n == 3 {
			return errors.New("three is wrong")
		}
		return nil
	})
	for offset, want := range map[int]string{0: "three is wrong", 70: "503"} {
		if _, err := Run(Plan{Address: server.URL, Clients: 1, Operations: 5, Offset: offset, Workload: wrong}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("offset %d: %v, want %q", offset, err, want)
		}
	}
}
