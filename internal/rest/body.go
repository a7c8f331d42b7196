package rest

import (
	"errors"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// ParseBody parses a body that Elasticsearch reads whole before it looks into it.
func ParseBody(in *Input) (jsonx.Value, error) { return parse(in, eserr.FromSyntax) }

// ParseWholeBody is ParseBody for the endpoints whose parser meets the end of a
// truncated body itself.
func ParseWholeBody(in *Input) (jsonx.Value, error) { return parse(in, truncated) }

func parse(in *Input, says func(error) error) (jsonx.Value, error) {
	v, err := jsonx.Parse(in.Body)
	if err != nil {
		return v, says(err)
	}
	return v, nil
}

// DecodeBody decodes a body as Elasticsearch reads it token by token: what is wrong in it
// before the place where it stops being JSON is complained of first, and that place is
// complained of by whoever reads there.
func DecodeBody(in *Input, decode func(jsonx.Value) error) error {
	return decodeText(in.Body, eserr.FromSyntax, decode)
}

// DecodeWholeBody is DecodeBody for the endpoints whose parser meets the end of a truncated
// body itself.
func DecodeWholeBody(in *Input, decode func(jsonx.Value) error) error {
	return decodeText(in.Body, truncated, decode)
}

// DecodeQueryBody is DecodeBody for the endpoints that say the same of all that is wrong in
// their bodies, unless it is a parsing exception.
func DecodeQueryBody(in *Input, says string, decode func(jsonx.Value) error) error {
	err := DecodeBody(in, decode)
	e, ok := eserr.As(err)
	if !ok || e.Type == "parsing_exception" {
		return err
	}
	var s *jsonx.SyntaxError
	if _, broken := jsonx.Parse(in.Body); !errors.As(broken, &s) {
		return err
	}
	e.RootCause = nil
	line, col := s.Standing()
	return eserr.Parsing(line, col, "%s", says).InPlaceOf(e)
}

// DecodeLine is DecodeBody for one line of several.
func DecodeLine(line []byte, decode func(jsonx.Value) error) error {
	return decodeText(line, eserr.FromSyntax, decode)
}

func decodeText(text []byte, says func(error) error, decode func(jsonx.Value) error) error {
	v, err := jsonx.Parse(text)
	if err == nil {
		return decode(v)
	}
	var s *jsonx.SyntaxError
	if !errors.As(err, &s) {
		return err
	}
	if v = s.Read(); !v.Exists() {
		return says(err)
	}
	switch wrong := decode(v); {
	case wrong == nil:
		return says(err)
	case !v.Reached():
		return wrong
	default:
		return eserr.Broken(wrong, s, says(err))
	}
}

// truncated is what a parser says that meets the end of a body itself.
func truncated(err error) error {
	var s *jsonx.SyntaxError
	if errors.As(err, &s) && s.EOF && !s.InString {
		return eserr.XContentParse(s.Line, s.Col, "%s", s.Jackson()).
			Cause(&eserr.Error{Status: 400, Type: "json_e_o_f_exception", Reason: s.Jackson()})
	}
	return eserr.FromSyntax(err)
}
