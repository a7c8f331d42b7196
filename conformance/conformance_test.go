package conformance_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"postern/conformance/datasets"
	"postern/conformance/engines"
	"postern/conformance/engines/qdranttest"
	"postern/conformance/engines/valkeytest"
	"postern/conformance/expected"
	"postern/conformance/replay"
	"postern/conformance/requirement"
	"postern/conformance/suite"
)

// workers is how many scenarios are asked at once.
const workers = 4

// TestRecordings replays all recordings on Postern with its embedded store.
func TestRecordings(t *testing.T) {
	replayAll(t, engines.Postern{}, load(t), "postern.txt")
}

// TestRecordingsOnQdrant replays them on Postern with its documents in Qdrant's engine: the
// same answers, but that a search sees a write at once.
func TestRecordingsOnQdrant(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIP: not in short runs")
	}
	replayAll(t, engines.PosternOnQdrant{Qdrant: qdranttest.Start(t).Addr}, loadForQdrant(t), "postern.txt", "postern-qdrant.txt")
}

// TestRecordingsOnQdrantAndValkey replays them on Postern with a fence in a real Valkey
// besides: what differs is what differs without it.
func TestRecordingsOnQdrantAndValkey(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIP: not in short runs")
	}
	postern := engines.PosternOnQdrantAndValkey{
		PosternOnQdrant: engines.PosternOnQdrant{Qdrant: qdranttest.Start(t).Addr}, Valkey: valkeytest.Start(t).Addr}
	replayAll(t, postern, loadForQdrant(t), "postern.txt", "postern-qdrant.txt")
}

func loadForQdrant(t *testing.T) []suite.Case {
	t.Helper()
	cases := load(t)
	if os.Getenv("POSTERN_SOAK") == "" {
		// Two hundred thousand documents take the stand-in, which is Python, minutes.
		cases = slices.DeleteFunc(cases, func(c suite.Case) bool { return strings.HasSuffix(c.Name, "-two-hundred-thousand") })
	}
	return cases
}

func load(t *testing.T) []suite.Case {
	t.Helper()
	cases, err := suite.Load("recordings")
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

func replayAll(t *testing.T, postern engines.Engine, cases []suite.Case, lists ...string) {
	base, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	target := replay.Target{
		Name:       postern.Name(),
		Address:    strings.TrimPrefix(engines.ForTest(t, postern), "http://"),
		Disposable: true,
		Load:       datasets.NewLoader(filepath.Join(base, "postern", "datasets")).Load,
	}
	var list []expected.Entry
	for _, name := range lists {
		entries, err := expected.Read(filepath.Join("expected", name))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, entries...)
	}
	results := suite.Run(context.Background(), target, cases, workers, nil)
	for _, wrong := range expected.Apply(list, results, true) {
		t.Errorf("expected/%s, %s", lists[len(lists)-1], wrong)
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
