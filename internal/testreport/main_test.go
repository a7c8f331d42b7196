package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const events = `{"Action":"start","Package":"p"}
{"Action":"output","Package":"p","Test":"TestA","Output":"noise\n"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestB","Output":"=== RUN   TestB\n"}
{"Action":"output","Package":"p","Test":"TestB","Output":"    x_test.go:3: SKIP: npm is missing\n"}
{"Action":"output","Package":"p","Test":"TestB","Output":"--- SKIP: TestB (0.00s)\n"}
{"Action":"skip","Package":"p","Test":"TestB"}
{"Action":"output","Package":"p","Output":"PASS\n"}
{"Action":"output","Package":"p","Output":"ok  \tp\t0.1s\n"}
{"Action":"pass","Package":"p"}
`

func conclude(t *testing.T, events string, strict bool) (string, bool) {
	t.Helper()
	var out bytes.Buffer
	r := &report{out: &out, output: map[string][]string{}}
	if err := r.read(strings.NewReader(events)); err != nil {
		t.Fatal(err)
	}
	ok := r.conclude(strict)
	return out.String(), ok
}

func TestSkipsAreShownAndRedUnderCI(t *testing.T) {
	const want = "ok  \tp\t0.1s\nSKIP p TestB: x_test.go:3: SKIP: npm is missing\n1 passed, 0 failed, 1 skipped\n"
	got, ok := conclude(t, events, false)
	if diff := cmp.Diff(want, got); diff != "" || !ok {
		t.Error(diff, ok)
	}
	if _, ok := conclude(t, events, true); ok {
		t.Error("a skip is green under CI")
	}
}

func TestFailuresShowTheirOutput(t *testing.T) {
	got, ok := conclude(t, `{"Action":"output","Package":"p","Test":"TestA","Output":"broken\n"}
{"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Output":"FAIL\tp\t0.1s\n"}
{"Action":"fail","Package":"p"}
`, false)
	if ok || !strings.HasPrefix(got, "broken\nFAIL\tp") {
		t.Errorf("%t\n%s", ok, got)
	}
}

func TestNoPackageIsRed(t *testing.T) {
	if got, ok := conclude(t, "go: cannot find main module\n", false); ok || !strings.Contains(got, "cannot find main module") {
		t.Errorf("%t\n%s", ok, got)
	}
}
