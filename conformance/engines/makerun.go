package engines

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// MakeRun types `make run` in the repository at root, waits for the server, and stops it
// as Ctrl-C does: it has to end well.
func MakeRun(t testing.TB, root string) {
	t.Helper()
	port := freePort(t)
	home := t.TempDir()
	cmd := exec.Command("make", "run", "DATA="+filepath.Join(home, "data"))
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "POSTERN_LISTEN=127.0.0.1:"+strconv.Itoa(port))
	r := Running{Engine: "make run", Address: httpAddress(port), Home: home}
	log, err := os.Create(r.Log())
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r.PID = cmd.Process.Pid
	if err := r.wait(context.Background(), Postern{}); err != nil {
		_ = syscall.Kill(-r.PID, syscall.SIGKILL)
		t.Fatal(err)
	}
	if err := syscall.Kill(-r.PID, syscall.SIGINT); err != nil { // a terminal's Ctrl-C goes to the whole group
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-ended: // make itself reports the interrupt; the server must be gone
	case <-time.After(time.Minute):
		_ = syscall.Kill(-r.PID, syscall.SIGKILL)
		t.Fatal("make run did not end after Ctrl-C")
	}
	if c, err := net.Dial("tcp", "127.0.0.1:"+strconv.Itoa(port)); err == nil {
		c.Close()
		t.Error("the server is still there after Ctrl-C")
	}
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
