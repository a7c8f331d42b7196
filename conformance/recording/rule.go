package recording

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"postern/conformance/jsontree"
)

// RuleKind says what a rule allows.
type RuleKind uint8

const (
	// Ignore: the value at the path must be there, whatever it is.
	Ignore RuleKind = iota
	// Optional: the member at the path may be there or not, whatever it is.
	Optional
	// Unordered: the elements of the list, or the members of the object, at the path may
	// come in any order.
	Unordered
	// Tolerance: the number at the path may differ by this much, relative to its size.
	Tolerance
	// Capture: the value at the path is kept, and stands for ${name} from there on.
	Capture
	// Error: only the status and the error's type count, not the words.
	Error
	// Exact: the body's very bytes count.
	Exact
)

var kindNames = [...]string{"ignore", "optional", "unordered", "tolerance", "capture", "error", "exact"}

func (k RuleKind) String() string { return kindNames[k] }

// Rule relaxes (or, for Exact, tightens) how an answer is compared.
type Rule struct {
	Kind  RuleKind
	Path  jsontree.Path
	Name  string  // of a Capture
	Limit float64 // of a Tolerance
}

var captureName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// ParseRule reads a rule as it stands after `~ `.
func ParseRule(text string) (Rule, error) {
	word, rest, _ := strings.Cut(text, " ")
	kind, ok := kindOf(word)
	if !ok {
		return Rule{}, fmt.Errorf("unknown rule %q", word)
	}
	r := Rule{Kind: kind}
	var err error
	switch kind {
	case Error, Exact:
		if rest != "" {
			return Rule{}, fmt.Errorf("%s takes nothing, found %q", word, rest)
		}
		return r, nil
	case Tolerance:
		var limit string
		limit, rest, _ = strings.Cut(rest, " ")
		if r.Limit, err = strconv.ParseFloat(limit, 64); err != nil || !(r.Limit > 0 && r.Limit <= 0.5) {
			return Rule{}, fmt.Errorf("tolerance needs a number above 0 and up to 0.5, found %q", limit)
		}
	case Capture:
		r.Name, rest, _ = strings.Cut(rest, " ")
		if !captureName.MatchString(r.Name) {
			return Rule{}, fmt.Errorf("%q is no name for a capture", r.Name)
		}
	}
	if r.Path, err = jsontree.ParsePath(rest); err != nil {
		return Rule{}, err
	}
	if r.Path.Wild() && kind != Tolerance && kind != Unordered {
		return Rule{}, fmt.Errorf("%s %s would hide a whole body", word, rest)
	}
	return r, nil
}

func kindOf(word string) (RuleKind, bool) {
	for k, name := range kindNames {
		if name == word {
			return RuleKind(k), true
		}
	}
	return 0, false
}

// String writes the rule as ParseRule reads it.
func (r Rule) String() string {
	switch r.Kind {
	case Error, Exact:
		return r.Kind.String()
	case Tolerance:
		return fmt.Sprintf("tolerance %g %s", r.Limit, r.Path)
	case Capture:
		return fmt.Sprintf("capture %s %s", r.Name, r.Path)
	}
	return fmt.Sprintf("%s %s", r.Kind, r.Path)
}
