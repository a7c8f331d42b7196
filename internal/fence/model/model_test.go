package model

import (
	"errors"
	"os"
	"strings"
	"testing"
)

func TestNoInterleavingBreaksAPromise(t *testing.T) {
	configs := []Config{
		{SameRegister: true, Crashes: 1, Losses: 1},
		{SameRegister: false, Crashes: 1, Losses: 1},
		{SameRegister: true, Losses: 2},
		{SameRegister: true, Restarts: 1, Rollback: true},
	}
	if os.Getenv("POSTERN_SOAK") != "" {
		configs = append(configs,
			Config{SameRegister: true, Crashes: 2, Losses: 2},
			Config{SameRegister: true, Losses: 1, Restarts: 1, Rollback: true},
			Config{SameRegister: false, Restarts: 1, Rollback: true},
			Config{SameRegister: true, Crashes: 1, Restarts: 1, Rollback: true})
	}
	total := 0
	for _, c := range configs {
		states, err := c.Search()
		var v *Violation
		if errors.As(err, &v) {
			t.Fatalf("%+v: %s\n%s", c, v.What, strings.Join(v.Steps, "\n"))
		}
		t.Logf("%+v: %d states", c, states)
		total += states
	}
	t.Logf("%d states in all", total)
}

// TestEveryWrongStepIsFound is what the search is worth.
func TestEveryWrongStepIsFound(t *testing.T) {
	configs := []Config{
		{SameRegister: true},
		{SameRegister: true, Crashes: 1, Losses: 1},
		{SameRegister: false, Losses: 1},
		{SameRegister: true, Restarts: 1, Rollback: true},
	}
	for m := None + 1; m < mutations; m++ {
		t.Run(m.String(), func(t *testing.T) {
			for _, c := range configs {
				c.Mutation = m
				states, err := c.Search()
				var v *Violation
				if errors.As(err, &v) {
					t.Logf("%s, after %d steps and %d states: %s", v.What, len(v.Steps), states, strings.Join(v.Steps, "; "))
					return
				}
			}
			t.Error("not found")
		})
	}
}
