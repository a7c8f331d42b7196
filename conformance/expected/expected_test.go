package expected_test

import (
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
