package ir

import "fmt"

// Unsupported is a feature of the specification that the generator has no form for.
type Unsupported struct {
	Where string
	What  string
}

func (e *Unsupported) Error() string { return fmt.Sprintf("%s: unsupported: %s", e.Where, e.What) }

// Unmatched is a line of ours that matches nothing in the specification.
type Unmatched struct {
	File string
	Line string
}

func (e *Unmatched) Error() string {
	return fmt.Sprintf("%s: %s matches nothing in the specification", e.File, e.Line)
}

// CaughtUp is an amendment that the specification now says itself.
type CaughtUp struct{ Line string }

func (e *CaughtUp) Error() string {
	return fmt.Sprintf("amendments.yaml: %s: the specification says so itself now", e.Line)
}
