package application_test

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"postern/conformance/clients"
	"postern/conformance/engines"
)

const password = "the-shop's-own-password"

// TestWillTheShopWork does what docs/will-my-application-work.md says, with the commands it
// says: it records the shop, replays it on Postern and makes the report. ELASTICSEARCH_URL
// is the engine to record on; without it that is Postern too, which shows that a recording
// is complete.
func TestWillTheShopWork(t *testing.T) {
	python := clients.Python(t, "../clients/python/requirements-8.txt")
	postern := engines.ForTest(t, engines.Postern{})
	engine := "postern=" + postern
	if url := os.Getenv("ELASTICSEARCH_URL"); url != "" {
		engine = "elasticsearch=" + url
	}
	forget(t, strings.SplitN(engine, "=", 2)[1])
	defer forget(t, strings.SplitN(engine, "=", 2)[1])
	dir := t.TempDir()
	tool := filepath.Join(dir, "conformance")
	run(t, exec.Command("go", "build", "-o", tool, "../cmd/conformance"))

	out := filepath.Join(dir, "out")
	recorder := exec.Command(tool, "record", "--listen", "127.0.0.1:0", "--engine", engine, out)
	var said output
	recorder.Stdout, recorder.Stderr = &said, &said
	if err := recorder.Start(); err != nil {
		t.Fatal(err)
	}
	shop := exec.Command(python, "shop.py", said.address(t), "shop", password)
	if answer := run(t, shop); !strings.Contains(answer, "the shop is open") {
		t.Error(answer)
	}
	if err := recorder.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := recorder.Wait(); err != nil {
		t.Fatalf("%v: %s", err, &said)
	}
	text, err := os.ReadFile(filepath.Join(out, "application-1.rec"))
	if err != nil {
		t.Fatal(err)
	}
	for _, credential := range []string{password, "Authorization", "c2hvcDp0aGUt"} {
		if bytes.Contains(text, []byte(credential)) {
			t.Errorf("the recording holds %q", credential)
		}
	}
	if !bytes.Contains(text, []byte("index shop-catalogue-1 shop-log\n")) {
		t.Errorf("the recording does not say what it creates:\n%.600s", text)
	}

	results := filepath.Join(dir, "results.json")
	run(t, exec.Command(tool, "replay", "--engine", "postern="+postern, "--results", results, out))
	page := filepath.Join(dir, "report.html")
	run(t, exec.Command(tool, "report", "--html", page, results))
	if html, err := os.ReadFile(page); err != nil || !bytes.Contains(html, []byte(`<span class="passed">passed</span>`)) {
		t.Errorf("%v %.300s", err, html)
	}
}

func run(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return string(out)
}

// forget deletes what an earlier run of the shop has left: it has to be recorded from the
// beginning.
func forget(t *testing.T, engine string) {
	t.Helper()
	for _, index := range []string{"shop-catalogue-1", "shop-log"} {
		q, err := http.NewRequest(http.MethodDelete, engine+"/"+index, nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
	}
}
