package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// steady is a run of two engines: ours takes half of the native's time, within a percent.
func steady(ours float64) Run {
	r := Run{Corpus: "catalogue", Documents: 10, DataHash: "x", Engines: []Engine{{Name: "postern"}, {Name: "elasticsearch", Native: true}, {Name: "opensearch", Native: true}}}
	for _, e := range []struct {
		name string
		ms   float64
	}{{"postern", ours}, {"elasticsearch", 2}, {"opensearch", 3}, {"null", .1}} {
		for t := range 3 {
			var times []float64
			for i := range 100 {
				times = append(times, e.ms*(1+float64(i%7-3)/1000+float64(t)/1000))
			}
			q := Trial{Engine: e.name, Profile: "cold", Workload: "read", Clients: 1, Trial: t, PerSecond: 1000 / e.ms}
			if e.name == "null" {
				q.Profile, q.Workload = "null", "null"
			}
			r.Trials = append(r.Trials, NewTrial(q, times))
		}
		r.Memory = append(r.Memory, Memory{Engine: e.name, IdleMiB: 10, Loaded: 20})
	}
	return r
}

func TestRatiosAreToTheFasterNative(t *testing.T) {
	r := steady(1)
	q := Question{"cold", "read", "", 1}
	ours, _ := r.Cell("postern", q)
	native, ok := r.Native(q)
	if !ok || native.P50 > 2.1 {
		t.Fatalf("the faster native is %+v", native)
	}
	got := NewRatio(ours, native)
	if got.Value < .49 || got.Value > .51 || got.Low > got.Value || got.High < got.Value || got.High-got.Low > .02 {
		t.Errorf("ratio %+v, want about .5 with a narrow interval", got)
	}
}

func TestCompareTellsNoiseFromDifference(t *testing.T) {
	for _, c := range []struct {
		after float64
		want  string
	}{{1, "within the noise"}, {.5, "**faster**"}, {1.5, "**slower**"}} {
		text, err := Compare(steady(1), steady(c.after))
		if err != nil {
			t.Fatal(err)
		}
		line, _, _ := strings.Cut(text[strings.Index(text, "| postern |"):], "\n")
		if !strings.Contains(line, c.want) {
			t.Errorf("%v: %s, want %s", c.after, line, c.want)
		}
	}
	other := steady(1)
	other.DataHash = "y"
	if _, err := Compare(steady(1), other); err == nil {
		t.Error("runs over different documents are compared")
	}
}

func TestARunSurvivesItsFile(t *testing.T) {
	r, file := steady(1), filepath.Join(t.TempDir(), "run.json")
	if err := r.Write(file); err != nil {
		t.Fatal(err)
	}
	got, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r, got); diff != "" {
		t.Error(diff)
	}
}

func TestTableShowsEveryQuestionAndTheFloor(t *testing.T) {
	text := steady(1).Table()
	for _, want := range []string{"## cold, 1 client", "| read | 1.001 / 1.004 / 1.004 (1.000–1.002), 1000/s |", "**0.50**", "| 10.01 |", "A null server"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
}

func TestChartsDrawEveryProfileAndSize(t *testing.T) {
	small, large := steady(1), steady(4)
	large.Documents = 1000
	files, err := Charts(t.TempDir(), large, small)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 3 {
		t.Fatalf("%v, want latency, memory and size", files)
	}
	for _, f := range files {
		svg, err := os.ReadFile(f)
		if err != nil || !strings.Contains(string(svg), "elasticsearch") {
			t.Errorf("%s: %v, or it does not name an engine", f, err)
		}
	}
}
