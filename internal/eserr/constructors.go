package eserr

import (
	"fmt"
	"net/http"
)

// IllegalArgument is a 400 illegal_argument_exception.
func IllegalArgument(format string, a ...any) *Error {
	return &Error{Status: http.StatusBadRequest, Type: "illegal_argument_exception", Reason: fmt.Sprintf(format, a...)}
}

// Parsing is a 400 parsing_exception at a line and column (both from 1).
func Parsing(line, col int, format string, a ...any) *Error {
	e := &Error{Status: http.StatusBadRequest, Type: "parsing_exception", Reason: fmt.Sprintf(format, a...)}
	return e.WithInt("line", line).WithInt("col", col)
}

// XContentParse is a 400 x_content_parse_exception; its reason begins with [line:col].
func XContentParse(line, col int, format string, a ...any) *Error {
	return &Error{Status: http.StatusBadRequest, Type: "x_content_parse_exception",
		Reason: fmt.Sprintf("[%d:%d] ", line, col) + fmt.Sprintf(format, a...)}
}

// NotBuilt is what a parser says around the reason for which the object that it read is
// wrong as a whole; class is the Java class that would not be made.
func NotBuilt(parser, class string, cause *Error) *Error {
	made := IllegalArgument("Cannot instantiate an object of %s", class).Cause(
		(&Error{Status: http.StatusBadRequest, Type: "invocation_target_exception", Mute: true}).Cause(cause))
	return (&Error{Status: http.StatusBadRequest, Type: "x_content_parse_exception",
		Reason: fmt.Sprintf("Failed to build [%s] after last required field arrived", parser)}).Cause(made)
}

// Refused is the 501 of what Elasticsearch has and Postern does not.
func Refused(format string, a ...any) *Error {
	return &Error{Status: http.StatusNotImplemented, Type: "unsupported_operation_exception", Reason: fmt.Sprintf(format, a...)}
}
