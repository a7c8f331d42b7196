package eserr

import (
	"errors"
	"net/http"

	"postern/internal/jsonx"
)

// FromSyntax is the answer to a body that jsonx does not take, as Elasticsearch's
// parsers give it. Other errors are given back as they are.
func FromSyntax(err error) error {
	var s *jsonx.SyntaxError
	if !errors.As(err, &s) {
		return err
	}
	switch {
	case s.Trailing:
		return Parsing(s.Line, s.Col, "Unexpected token [%s] found after the main object.", s.Msg)
	case s.Empty:
		return Parsing(1, 0, "Expected [START_OBJECT] but found [null]")
	case s.EOF:
		e := &Error{Status: http.StatusInternalServerError, Type: "x_content_e_o_f_exception",
			Reason: "com.fasterxml.jackson.core.io.JsonEOFException: " + s.Msg}
		return e.Cause(&Error{Type: "json_e_o_f_exception", Reason: s.Msg})
	}
	return XContentParse(s.Line, s.Col, "%s", s.Msg).Cause(&Error{Type: "json_parse_exception", Reason: s.Msg})
}
