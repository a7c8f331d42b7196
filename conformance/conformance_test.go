package conformance_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"postern/conformance/datasets"
	"postern/conformance/engines"
	"postern/conformance/expected"
	"postern/conformance/replay"
	"postern/conformance/requirement"
	"postern/conformance/suite"
)

// workers is how many scenarios are asked at once.
const workers = 4

// TestRecordings replays all recordings on Postern with its embedded store.
func TestRecordings(t *testing.T) {
	cases, err := suite.Load("recordings")
	if err != nil {
		t.Fatal(err)
	}
	base, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	target := replay.Target{
		Name:       "postern",
		Address:    strings.TrimPrefix(engines.ForTest(t), "http://"),
		Disposable: true,
		Load:       datasets.NewLoader(filepath.Join(base, "postern", "datasets")).Load,
	}
	list, err := expected.Read(filepath.Join("expected", "postern.txt"))
	if err != nil {
		t.Fatal(err)
	}
	results := suite.Run(context.Background(), target, cases, workers, nil)
	for _, wrong := range expected.Apply(list, results, true) {
		t.Errorf("expected/postern.txt, %s", wrong)
	}
	for _, r := range results {
		t.Run(r.Case.Name, func(t *testing.T) {
			if r.Skipped() {
				requirement.Missing(t, "%v", r.Err)
			}
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			for _, f := range r.Failures {
				t.Error(f)
			}
		})
	}
}

// TestRecordingsAreWellFormed holds what reviewers rely on: canonical files, a known
// origin, names that can't collide.
func TestRecordingsAreWellFormed(t *testing.T) {
	cases, err := suite.Load("recordings")
	if err != nil {
		t.Fatal(err)
	}
	if err := suite.Distinct(cases); err != nil {
		t.Error(err)
	}
	asked := map[string]string{}
	for _, c := range cases {
		r := c.Recording
		if !strings.HasPrefix(r.Engine, "elasticsearch 8.15.0") && !strings.HasPrefix(r.Engine, "elasticsearch 7.10.2") && !strings.HasPrefix(r.Engine, "documentation https://") {
			t.Errorf("%s: recorded from %q", c.Name, r.Engine)
		}
		var questions strings.Builder
		for i, x := range r.Exchanges {
			if x.Answer == nil {
				t.Errorf("%s#%d has no answer", c.Name, i+1)
			}
			questions.WriteString(x.Request.Method + x.Request.Target + string(x.Request.Body))
		}
		if other, same := asked[questions.String()]; same {
			t.Errorf("%s asks what %s asks", c.Name, other)
		}
		asked[questions.String()] = c.Name
	}
}
