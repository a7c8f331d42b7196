package tour_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"postern/conformance/clients"
	"postern/conformance/engines"
	"postern/conformance/jsontree"
	"postern/conformance/requirement"
)

// block is one fenced piece of the README.
type block struct{ language, text string }

var fenced = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")

func blocks(t *testing.T) []block {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var list []block
	for _, m := range fenced.FindAllSubmatch(text, -1) {
		list = append(list, block{string(m[1]), string(m[2])})
	}
	return list
}

// TestTour types each sh block of the README into a shell and compares what comes with
// the json block after it; then it runs the Python program.
func TestTour(t *testing.T) {
	for _, program := range []string{"bash", "curl"} {
		if _, err := exec.LookPath(program); err != nil {
			requirement.Missing(t, "%s is not installed", program)
		}
	}
	server := engines.ForTest(t, engines.Postern{})
	list := blocks(t)
	commands := 0
	for i, b := range list {
		if b.language != "sh" {
			continue
		}
		commands++
		got := run(t, exec.Command("bash", "-c", strings.ReplaceAll(b.text, "http://127.0.0.1:9200", server)))
		if i+1 == len(list) || list[i+1].language != "json" {
			t.Errorf("the README does not show the answer of\n%s", b.text)
			continue
		}
		if diff := cmp.Diff(canonical(t, list[i+1].text), canonical(t, string(got))); diff != "" {
			t.Errorf("%s\nanswers otherwise than the README says (-README +answer):\n%s", b.text, diff)
		}
	}
	if commands < 5 {
		t.Errorf("the README has %d commands: has the form of its blocks changed?", commands)
	}
	for _, b := range list {
		if b.language == "python" {
			python := clients.Python(t, "../clients/python/requirements-8.txt")
			program := filepath.Join(t.TempDir(), "tour.py")
			if err := os.WriteFile(program, []byte(strings.ReplaceAll(b.text, "http://127.0.0.1:9200", server)), 0o600); err != nil {
				t.Fatal(err)
			}
			if out := run(t, exec.Command(python, program)); !bytes.Contains(out, []byte("as it should be: version_conflict_engine_exception")) {
				t.Errorf("the Python program printed %s", out)
			}
		}
	}
}

func run(t *testing.T, cmd *exec.Cmd) []byte {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s\n%s\n%v", strings.Join(cmd.Args, " "), out, err)
	}
	return out
}

func canonical(t *testing.T, text string) string {
	t.Helper()
	v, err := jsontree.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return jsontree.Pretty(v)
}

// TestMakeRun holds that the README's second command is all it takes.
func TestMakeRun(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		requirement.Missing(t, "make is not installed")
	}
	engines.MakeRun(t, "../..")
}
