package embedded

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"postern/internal/store/storetest"
)

// killedFolder, in the environment, makes TestKilledProcess the process that is killed.
const killedFolder = "POSTERN_TEST_KILLED_FOLDER"

// TestKill kills a process that writes and reads, again and again, and looks each time
// whether the folder holds what it has been told. The process tells before it writes and
// after it was acknowledged, through a pipe, which outlives it.
func TestKill(t *testing.T) {
	kills := 20
	switch {
	case os.Getenv("POSTERN_SOAK") != "":
		kills = 400
	case testing.Short():
		kills = 4
	}
	folder := filepath.Join(t.TempDir(), "data")
	opts := testOptions()
	opts.sizes = small()
	s := openAt(t, folder, opts)
	storetest.Index(t, s, "i")
	closeStore(t, s)
	h := newHistory(20)
	for range kills {
		told := killed(t, folder, h, time.Duration(5+rand.IntN(60))*time.Millisecond)
		s := openAt(t, folder, opts)
		h.check(t, s, s.catalog.Load().Index("i"))
		countsAgree(t, s, s.catalog.Load().Index("i"), h)
		closeStore(t, s)
		if told == 0 {
			t.Log("a process was killed before its first write was acknowledged")
		}
		if t.Failed() {
			return
		}
	}
	total := int64(0)
	for i := range h.ids {
		total += h.acknowledged[i].Load()
	}
	t.Logf("%d writes of %d counters survived %d kills", total, len(h.ids), kills)
}

// killed runs the process until some time after its first acknowledgement and takes what
// it tells into the history. It gives the acknowledgements.
func killed(t *testing.T, folder string, h *history, after time.Duration) (told int) {
	t.Helper()
	var counts []string
	for i := range h.ids {
		counts = append(counts, fmt.Sprint(h.acknowledged[i].Load()))
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilledProcess$", "-test.count=1")
	cmd.Env = append(os.Environ(), killedFolder+"="+folder, "POSTERN_TEST_COUNTS="+strings.Join(counts, ","))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var once sync.Once
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		var kind string
		var i int
		var n int64
		if _, err := fmt.Sscanf(lines.Text(), "%s %d %d", &kind, &i, &n); err != nil {
			continue // the test framework's own, or cut off
		}
		switch kind {
		case "issued":
			raise(&h.issued[i], n)
		case "acknowledged":
			told++
			raise(&h.acknowledged[i], n)
			once.Do(func() { time.AfterFunc(after, func() { cmd.Process.Kill() }) })
		case "shown":
			raise(&h.shown[i], n)
		case "wrong":
			t.Error(lines.Text())
		}
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("the process ended before it was killed")
	}
	return told
}

// TestKilledProcess is the process that TestKill kills; alone it does nothing.
func TestKilledProcess(t *testing.T) {
	folder := os.Getenv(killedFolder)
	if folder == "" {
		return
	}
	var mu sync.Mutex
	tell := func(kind string, i int, n int64) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Printf("%s %d %d\n", kind, i, n) // one write each: os.Stdout is not buffered
	}
	opts := testOptions()
	opts.sizes = small()
	s := openAt(t, folder, opts)
	h := newHistory(20)
	for i, text := range strings.Split(os.Getenv("POSTERN_TEST_COUNTS"), ",") {
		var n int64
		if _, err := fmt.Sscan(text, &n); err != nil {
			t.Fatal(err)
		}
		h.issued[i].Store(n)
	}
	h.issue = func(i int, n int64) { tell("issued", i, n) }
	h.see = func(i int, n int64) { tell("shown", i, n) }
	defer h.run(t, s, s.catalog.Load().Index("i"), func(i int, n int64) { tell("acknowledged", i, n) })()
	time.Sleep(time.Minute)
}
