package eserr

import (
	"strings"

	"postern/internal/jsonx"
)

// role is what an error has to do with its cause.
type role uint8

const (
	itself    role = iota
	around         // a parser's note of where the cause was met
	inPlaceOf      // a parser's own error for all that went wrong inside
)

// Around makes cause the caused_by of e, which tells where cause was met. Elasticsearch
// reports as root cause the innermost parsing error, or e when the cause is none.
func (e *Error) Around(cause *Error) *Error {
	e.role, e.CausedBy, e.RootCause = around, cause, nil
	switch {
	case cause.RootCause != nil:
		e.RootCause = cause.RootCause
	case unwraps(cause.Type):
		root := *cause
		root.CausedBy = nil
		e.RootCause = []*Error{&root}
	}
	return e
}

// InPlaceOf makes cause the caused_by of e, which is its own root cause.
func (e *Error) InPlaceOf(cause *Error) *Error {
	e.role, e.CausedBy = inPlaceOf, cause
	return e
}

// unwraps tells that Elasticsearch looks for the root cause inside an error of the
// type: parsing errors and its own exceptions, not Java's.
func unwraps(typ string) bool {
	switch typ {
	case "illegal_argument_exception", "number_format_exception", "illegal_state_exception", "i_o_exception", "index_out_of_bounds_exception", "null_pointer_exception",
		"date_time_exception", "zone_rules_exception", "x_content_e_o_f_exception":
		return false
	}
	return true
}

// Broken puts the error of a body that breaks off in the place of what a decoder has said
// there; what the parsers around it have said of that stays.
func Broken(said error, s *jsonx.SyntaxError, syntax error) error {
	e, ok := As(said)
	inner, isOne := As(syntax)
	if !ok || !isOne || e.role == itself || e.CausedBy == nil {
		return syntax
	}
	if s.InString {
		inner = XContentParse(s.Line, s.Col, "%s", s.Jackson()).Cause(inner)
	}
	line, col := s.Standing()
	return e.broken(inner, line, col)
}

func (e *Error) broken(inner *Error, line, col int) *Error {
	if e.role == itself || e.CausedBy == nil {
		return inner
	}
	outer := XContentParse(line, col, "%s", e.Reason[strings.Index(e.Reason, "] ")+2:])
	if e.Type == "parsing_exception" {
		outer = Parsing(line, col, "%s", e.Reason)
	}
	if inner = e.CausedBy.broken(inner, line, col); e.role == around {
		return outer.Around(inner)
	}
	bare := *inner
	bare.RootCause = nil
	return outer.InPlaceOf(&bare)
}
