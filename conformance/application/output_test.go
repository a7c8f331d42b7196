package application_test

import (
	"bytes"
	"regexp"
	"sync"
	"testing"
	"time"
)

// output is what a running command has printed so far.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

var address = regexp.MustCompile(`http://[0-9.:]+`)

// address waits until the recorder says where it listens.
func (o *output) address(t *testing.T) string {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if found := address.FindString(o.String()); found != "" {
			return found
		}
	}
	t.Fatalf("the recorder says no address: %s", o)
	return ""
}
