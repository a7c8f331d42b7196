package mapping

import (
	"fmt"
	"net/http"
	"strings"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

func documentParsing(line, col int, format string, a ...any) *eserr.Error {
	return &eserr.Error{Status: http.StatusBadRequest, Type: "document_parsing_exception",
		Reason: fmt.Sprintf("[%d:%d] ", line, col) + fmt.Sprintf(format, a...)}
}

// because adds the cause. A cause of one of Elasticsearch's own types is the root cause.
func because(e, why *eserr.Error) *eserr.Error {
	e.CausedBy = why
	root := e
	for c := why; c != nil && isElasticsearch(c.Type); c = c.CausedBy {
		if root = c; c.Type == "parse_exception" {
			break // what causes one is Java's own exception of that name
		}
	}
	if root != e {
		bare := *root
		bare.CausedBy = nil
		e.RootCause = []*eserr.Error{&bare}
	}
	return e
}

// fail is the complaint about a value that its field does not take.
func (p *docParser) fail(f *Field, v jsonx.Value, why *eserr.Error) error {
	line, col := endOf(v)
	return because(p.cannotParse(f, line, col, javaString(v)), why)
}

func (p *docParser) cannotParse(f *Field, line, col int, preview string) *eserr.Error {
	return documentParsing(line, col, "failed to parse field [%s] of type [%s] in document with id '%s'. Preview of field's value: '%s'",
		f.Name, f.Type, p.d.ID, preview)
}

// wrong is fail, unless the field ignores what is malformed.
func (p *docParser) wrong(f *Field, v jsonx.Value, why *eserr.Error) error {
	if f.ignoreMalformed {
		p.ignore(f)
		return nil
	}
	return p.fail(f, v, why)
}

func (p *docParser) failGeo(f *Field, v jsonx.Value, why *eserr.Error) error {
	line, col := endOf(v)
	return because(documentParsing(line, col, "failed to parse field [%s] of type [%s]", f.Name, f.Type), why)
}

// general is the complaint about what no field's own parser has seen.
func (p *docParser) general(v jsonx.Value, why *eserr.Error) error {
	line, col := v.Pos()
	return p.generalAt(line, col, why)
}

func (p *docParser) generalAt(line, col int, why *eserr.Error) error {
	return because(documentParsing(line, col, "failed to parse: %s", why.Reason), why)
}

// endOf is where the last token of a value begins.
func endOf(v jsonx.Value) (line, col int) {
	if v.Kind() >= jsonx.Object {
		return v.EndPos()
	}
	return v.Pos()
}

// jackson is Jackson's complaint about a value of the wrong kind. It tells the place, for which the
// body is read from its beginning; a field that ignores what is malformed does without.
func (f *Field) jackson(v jsonx.Value, format string, a ...any) *eserr.Error {
	if f.ignoreMalformed && v.Kind() < jsonx.Object {
		return &eserr.Error{}
	}
	line, col, place := v.Jackson()
	reason := fmt.Sprintf(format, a...)
	inner := &eserr.Error{Status: http.StatusBadRequest, Type: "json_parse_exception", Reason: reason + "\n at " + place}
	if strings.HasPrefix(reason, "Numeric value") {
		inner.Type = "input_coercion_exception"
	}
	return eserr.XContentParse(line, col, "%s", inner.Reason).Cause(inner)
}

// jacksonAtEnd is Jackson's complaint about an array's closing bracket.
func jacksonAtEnd(v jsonx.Value, reason string) *eserr.Error {
	line, col := v.EndPos()
	return jacksonAt(v, line, col+1, reason)
}

// jacksonAt is Jackson's complaint at some place of the body that v stands in.
func jacksonAt(v jsonx.Value, line, col int, reason string) *eserr.Error {
	_, _, place := v.Jackson()
	source := place[:max(strings.LastIndex(place, "; line: "), 0)]
	reason = fmt.Sprintf("%s\n at %s; line: %d, column: %d]", reason, source, line, col)
	inner := &eserr.Error{Status: http.StatusBadRequest, Type: "json_parse_exception", Reason: reason}
	return eserr.XContentParse(line, col, "%s", reason).Cause(inner)
}

// token is Jackson's name of a value's first token.
func token(v jsonx.Value) string {
	switch v.Kind() {
	case jsonx.Null:
		return "VALUE_NULL"
	case jsonx.True:
		return "VALUE_TRUE"
	case jsonx.False:
		return "VALUE_FALSE"
	case jsonx.String:
		return "VALUE_STRING"
	case jsonx.Object:
		return "START_OBJECT"
	case jsonx.Array:
		return "START_ARRAY"
	}
	if isDecimal(v.Raw()) {
		return "VALUE_NUMBER_FLOAT"
	}
	return "VALUE_NUMBER_INT"
}
