// Package xcontent reads JSON values the way Elasticsearch's parsers do: with their
// coercions ("1" is a number, 1.5 an integer), their tolerance and the words and
// positions of their complaints.
//
// Elasticsearch has no one parser: its request bodies are read by declarative object
// parsers and by several families of hand-written loops, each with its own wording.
// A Parser names the family and itself; the generated decoders do the rest.
package xcontent

import (
	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// Style is the family of a parser.
type Style uint8

const (
	// Object is ObjectParser: [line:col] [name] unknown field [x] did you mean [y]?
	Object Style = iota
	// Wrapped is an ObjectParser whose errors a query turns into parsing exceptions.
	Wrapped
	// Query is a loop of the query DSL that asks the token before the name:
	// [name] query does not support [x], [name] unknown token [START_ARRAY] after [x]
	Query
	// NameFirst is a loop of the query DSL that asks the name before the token.
	NameFirst
	// Loop is a loop that names the token: Unknown key for a VALUE_STRING in [x].
	Loop
	// Aggregation is a loop that names the token and itself:
	// Unexpected token VALUE_STRING [x] in [name].
	Aggregation
)

// Parser is one of Elasticsearch's parsers.
type Parser struct {
	Style Style
	Name  string
}

// Start checks that v is an object.
func (p Parser) Start(v jsonx.Value) error {
	if v.Kind() == jsonx.Object {
		return nil
	}
	line, col := v.Pos()
	switch p.Style {
	case Object, Wrapped:
		return eserr.XContentParse(line, col, "[%s] Expected START_OBJECT but was: %s", p.Name, TokenOf(v))
	case Query, NameFirst:
		return eserr.Parsing(line, col, "[%s] query malformed, no start_object after query name", p.Name)
	case Loop:
		return eserr.Parsing(line, col, "Expected [START_OBJECT] but found [%s]", TokenOf(v))
	default:
		return eserr.Parsing(line, col, "Unexpected token %s in [%s].", TokenOf(v), p.Name)
	}
}

// Unknown is the complaint about a member that the parser does not have.
func (p Parser) Unknown(k jsonx.Key, v jsonx.Value, known []string) error {
	name := k.Text()
	line, col := v.Pos()
	switch p.Style {
	case Object, Wrapped:
		at, from := k.Pos()
		return p.translate(v, eserr.XContentParse(at, from, "[%s] unknown field [%s]%s", p.Name, name, Suggest(name, known)))
	case Query:
		if t := TokenOf(v); t == ValueNull || t == StartObject || t == StartArray {
			return eserr.Parsing(line, col, "[%s] unknown token [%s] after [%s]", p.Name, t, name)
		}
		return eserr.Parsing(line, col, "[%s] query does not support [%s]", p.Name, name)
	case NameFirst:
		return eserr.Parsing(line, col, "[%s] query does not support [%s]", p.Name, name)
	case Loop:
		return eserr.Parsing(line, col, "Unknown key for a %s in [%s].", TokenOf(v), name)
	default:
		return eserr.Parsing(line, col, "Unexpected token %s [%s] in [%s].", TokenOf(v), name, p.Name)
	}
}

// Fail wraps an error from inside the member k, where the family does so.
func (p Parser) Fail(k jsonx.Key, v jsonx.Value, err error) error {
	if err == nil || p.Style != Object && p.Style != Wrapped {
		return err
	}
	line, col := failPos(v, err)
	return p.translate(v, wrap(eserr.XContentParse(line, col, "[%s] failed to parse field [%s]", p.Name, k.Text()), err))
}

// Refused is the answer to a member that Elasticsearch has and Postern has not.
func (p Parser) Refused(k jsonx.Key) error {
	return eserr.Refused("[%s] does not support [%s] in this version of Postern", p.Name, k.Text())
}

// Wrong is the complaint about a value whose token the member k is not declared with.
// The hand-written loops ask the token before the name, so that to them it is an
// unknown member.
func (p Parser) Wrong(k jsonx.Key, v jsonx.Value) error {
	if p.Style != Object && p.Style != Wrapped {
		return p.Unknown(k, v, nil)
	}
	line, col := v.Pos()
	return p.translate(v, eserr.XContentParse(line, col, "[%s] %s doesn't support values of type: %s", p.Name, k.Text(), TokenOf(v)))
}

// translate turns an object parser's error into the parsing exception that a Wrapped
// one answers. It stands where the parser stands, and is its own root cause.
func (p Parser) translate(v jsonx.Value, err error) error {
	e, ok := err.(*eserr.Error)
	if p.Style != Wrapped || !ok || e.Type != "x_content_parse_exception" {
		return err
	}
	line, col := v.Pos()
	e.RootCause = nil
	return eserr.Parsing(line, col, "%s", e.Reason).Cause(e)
}

// Second is the complaint about a second kind in a container.
func (p Parser) Second(k jsonx.Key, v jsonx.Value) error {
	line, col := v.Pos()
	return eserr.XContentParse(line, col, "[%s] failed to parse field [%s]", p.Name, k.Text())
}

// Empty is the complaint about a container without a kind.
func (p Parser) Empty(v jsonx.Value) error {
	line, col := v.EndPos()
	return eserr.XContentParse(line, col, "[%s] failed to build [%s] after last required field arrived", p.Name, p.Name)
}
