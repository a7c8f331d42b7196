package eserr

import (
	"errors"
	"net/http"

	"postern/internal/jsonx"
)

// FromSyntax is Elasticsearch's answer to a body that jsonx does not take, as most
// endpoints give it. Other errors are given back as they are.
func FromSyntax(err error) error {
	var s *jsonx.SyntaxError
	if !errors.As(err, &s) {
		return err
	}
	if s.Trailing != "" {
		return Parsing(s.Line, s.Col, "%s", s.Msg)
	}
	return SyntaxCause(s)
}

// SyntaxCause is what Elasticsearch's parser throws at a syntax error; endpoints that
// wrap it (a document's) put it under their own error.
func SyntaxCause(s *jsonx.SyntaxError) *Error {
	switch {
	case s.Limit:
		return &Error{Status: http.StatusInternalServerError, Type: "stream_constraints_exception", Reason: s.Msg}
	case s.EOF && s.InString:
		return &Error{Status: http.StatusInternalServerError, Type: "json_e_o_f_exception", Reason: s.Jackson()}
	case s.EOF:
		return (&Error{Status: http.StatusInternalServerError, Type: "x_content_e_o_f_exception",
			Reason: "com.fasterxml.jackson.core.io.JsonEOFException: " + s.Jackson()}).
			Cause(&Error{Type: "json_e_o_f_exception", Reason: s.Jackson()})
	case s.InString:
		return &Error{Status: http.StatusInternalServerError, Type: "json_parse_exception", Reason: s.Jackson()}
	}
	return XContentParse(s.Line, s.Col, "%s", s.Jackson()).
		Cause(&Error{Type: "json_parse_exception", Reason: s.Jackson()})
}
