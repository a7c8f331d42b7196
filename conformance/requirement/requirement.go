// Package requirement says what a test does when this machine lacks what it needs.
package requirement

import (
	"os"
	"testing"
)

// Missing skips the test and says why; under CI=true, where everything has to be there,
// it fails the test.
func Missing(t testing.TB, format string, args ...any) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("under CI nothing may be missing: "+format, args...)
	}
	t.Skipf("SKIP: "+format, args...)
}
