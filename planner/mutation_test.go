package planner

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mutation is a mistake in the planner that TestPushedAnswersAreTheSame has to find.
type mutation struct{ name, file, from, to string }

func mutations() []mutation {
	return []mutation{
		{"coverage is ignored", "pushdown.go", "uncovered > 0", "uncovered < 0"},
		{"a tie is dropped", "candidates.go", "c.best(ctx, PushTies, both(f, k.with(k.valueOf(edge))), keys[1:], need-before)", "error(nil)"},
		{"the missing tail is dropped", "candidates.go", "return c.best(ctx, rule, both(f, k.lacking()), keys[1:], need)\n\t\t}\n\t\tif before", "return nil\n\t\t}\n\t\tif before"},
		{"a bound is not widened", "query/push.go", "if !exactFrom || !exactTo {", "if (!exactFrom || !exactTo) && false {"},
		{"a negated superset is pushed", "query/push.go", "if p.Exactness < Exact {\n\t\tif p.Why", "if p.Exactness < Superset {\n\t\tif p.Why"},
		{"a cursor within a tie is skipped", "pushkey.go", "return store.Or{strictly, both(k.with(v), rest)}, true", "return strictly, true"},
	}
}

// mutationDraws is how many seeds a mistake has to be found with at the latest: one draw of
// searches may hold none that meets it.
const mutationDraws = 6

// TestMistakesAreFound builds the planner with one mistake at a time.
func TestMistakesAreFound(t *testing.T) {
	if os.Getenv("CI") == "" && os.Getenv("POSTERN_MUTATIONS") == "" || os.Getenv("POSTERN_MUTATED") != "" {
		t.Skip("builds the planner several times: POSTERN_MUTATIONS=1 asks for it")
	}
	list := mutations()
	if testing.Short() {
		list = list[:1]
	}
	for _, m := range list {
		t.Run(strings.ReplaceAll(m.name, " ", "-"), func(t *testing.T) {
			source, err := os.ReadFile(m.file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Count(string(source), m.from) != 1 {
				t.Fatalf("%s does not have the line once: %s", m.file, m.from)
			}
			dir := t.TempDir()
			mutated, overlay := filepath.Join(dir, "mutated.go"), filepath.Join(dir, "overlay.json")
			path, err := filepath.Abs(m.file)
			if err != nil {
				t.Fatal(err)
			}
			replace, err := json.Marshal(map[string]map[string]string{"Replace": {path: mutated}})
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(mutated, []byte(strings.Replace(string(source), m.from, m.to, 1)), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(overlay, replace, 0o600); err != nil {
				t.Fatal(err)
			}
			var out []byte
			for range mutationDraws {
				c := exec.CommandContext(t.Context(), "go", "test", "-overlay", overlay, "-run", "^TestPushedAnswersAreTheSame$", "-count=1", ".")
				c.Env = append(os.Environ(), "POSTERN_MUTATED=1")
				if out, err = c.CombinedOutput(); err != nil {
					break
				}
			}
			if err == nil || !strings.Contains(string(out), "--- FAIL: TestPushedAnswersAreTheSame") {
				t.Errorf("not found: %v\n%s", err, out)
			}
		})
	}
}
