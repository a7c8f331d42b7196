package expected_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"postern/conformance/expected"
	"postern/conformance/replay"
	"postern/conformance/suite"
)

func TestParseRefusesWhatSaysNothing(t *testing.T) {
	for _, text := range []string{"a", "a | b", "a |  | c", "a#x | b | c", "a#0 | b | c", " | b | c"} {
		if _, err := expected.Parse("# head\n" + text); err == nil || !strings.HasPrefix(err.Error(), "line 2: ") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestApplyIsStrict(t *testing.T) {
	entries, err := expected.Parse("a#2 | differs | x\nb | differs | x\nb#1 | again | x\ngone | differs | x\nc | differs | x\n")
	if err != nil {
		t.Fatal(err)
	}
	result := func(name string, failed ...int) suite.Result {
		r := suite.Result{Case: suite.Case{Name: name}}
		for _, n := range failed {
			r.Failures = append(r.Failures, replay.Failure{Exchange: n})
		}
		return r
	}
	results := []suite.Result{result("a", 1, 2), result("b", 1, 3), result("c")}
	wrong := expected.Apply(entries, results, true)
	want := []string{
		"line 3: b#1 passes: the entry has to go",
		"line 4: there is no case gone",
		"line 5: c passes: the entry has to go",
	}
	if diff := cmp.Diff(want, wrong); diff != "" {
		t.Error(diff)
	}
	if left := results[0].Failures; len(left) != 1 || left[0].Exchange != 1 {
		t.Errorf("of case a is left: %v", left)
	}
	if len(results[1].Failures) != 0 {
		t.Errorf("of case b is left: %v", results[1].Failures)
	}
}

func TestExplainKeepsWordsAndFindsReasons(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.reasons")
	if err := os.WriteFile(file, []byte("# kinds\n\\+ .*\"b\" | more members | x\nstatus 404 | not there | y\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	reasons, err := expected.ReadReasons(file)
	if err != nil {
		t.Fatal(err)
	}
	old, err := expected.Parse("a#1 | known | z\na#9 | gone | z\n")
	if err != nil {
		t.Fatal(err)
	}
	failure := func(n int, diff string) replay.Failure {
		return replay.Failure{Exchange: n, Request: "GET /", Diffs: []string{diff}}
	}
	results := []suite.Result{{Case: suite.Case{Name: "a"}, Failures: []replay.Failure{
		failure(1, "status 404, want 200"), failure(2, "status 404, want 200"), failure(3, "body (-want +got):\n\u00a0 \"b\"\n+\u00a0 \"b\""),
		failure(4, "status 404, want 200"), failure(5, "body (-want +got):\n  \"b\"\n- 1\n+ 2"),
	}}}
	entries, unexplained := expected.Explain(old, results, reasons)
	want := "# head\na#1 | known | z\na#2,4 | not there | y\na#3 | more members | x\n"
	if diff := cmp.Diff(want, expected.Format("head", entries)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"a#5\nGET /\n- 1\n+ 2"}, unexplained); diff != "" {
		t.Error(diff)
	}
	if again, err := expected.Parse(expected.Format("head", entries)); err != nil || len(again) != 4 {
		t.Errorf("%v %v", again, err)
	}
}
