package report

import (
	"fmt"
	"strings"
)

// Policies say what makes a replay red.
var Policies = [...]string{"unexpected", "any", "broken", "never"}

// Check returns an error if the runs are red: under `unexpected` when an answer differs that
// no list explains, or an entry of a list is not so; under `any` when an answer differs;
// under `broken` only when a replay could not be done.
func Check(policy string, runs []Run) error {
	var red []string
	for _, r := range runs {
		t := r.Total()
		var n int
		switch policy {
		case "unexpected":
			n = t.Failed + t.Broken + len(r.Wrong)
		case "any":
			n = t.Known + t.Failed + t.Broken + len(r.Wrong)
		case "broken":
			n = t.Broken
		case "never":
		default:
			return fmt.Errorf("%q is no policy: there are %s", policy, strings.Join(Policies[:], ", "))
		}
		if n > 0 {
			red = append(red, fmt.Sprintf("%s: %d", r.Engine, n))
		}
	}
	if red != nil {
		return fmt.Errorf("differences that are not allowed (policy %s): %s", policy, strings.Join(red, ", "))
	}
	return nil
}
