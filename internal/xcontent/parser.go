// Package xcontent reads JSON values the way Elasticsearch's parsers do: with their
// coercions ("1" is a number, 1.5 an integer), their tolerance and the words and
// positions of their complaints.
//
// Elasticsearch has no one parser: its request bodies are read by declarative object
// parsers and by several families of hand-written loops, each with its own wording.
// A Parser names the family and itself; the generated decoders do the rest.
package xcontent

import (
	"errors"
	"strings"

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
	// Aggregation is a loop that names the token and the aggregation:
	// Unknown key for a VALUE_STRING in [name]: [x].
	Aggregation
)

// Parser is one of Elasticsearch's parsers.
type Parser struct {
	Style Style
	Name  string
	// Of is the name of the aggregation that is being read.
	Of string
	// UnknownSays and StartSays stand in for the style's own words about an unknown
	// member and about what is no object; OtherSays for those about some tokens.
	UnknownSays, StartSays, OtherSays Complaint
	// OtherOf are the tokens that OtherSays speaks of.
	OtherOf Tokens
	// AtKey says that an unknown member is complained of where its name stands.
	AtKey bool
	// Top says that this is a whole body, at whose first token the parser stands.
	Top bool
}

// Start checks that v is an object.
func (p *Parser) Start(v jsonx.Value) error {
	if v.Kind() == jsonx.Object {
		return nil
	}
	if p.StartSays.Says != "" {
		return p.say(p.StartSays, v, "", TokenOf(v))
	}
	line, col := v.Pos()
	switch p.Style {
	case Object, Wrapped:
		if p.Top {
			return eserr.XContentParse(line, col, "[%s] Expected START_OBJECT but was: %s", p.Name, TokenOf(v))
		}
		// the parser looks for the brace once more
		token, line, col := v.Next()
		return p.translate(v, eserr.XContentParse(line, col, "[%s] Expected START_OBJECT but was: %s", p.Name, token))
	case Query, NameFirst:
		return eserr.Parsing(line, col, "[%s] query malformed, no start_object after query name", p.Name)
	case Loop:
		return eserr.Parsing(line, col, "Expected [START_OBJECT] but found [%s]", TokenOf(v))
	}
	return eserr.Parsing(line, col, "Unexpected token %s in [%s].", TokenOf(v), p.Of)
}

// Unknown is the complaint about a member that the parser does not have.
func (p *Parser) Unknown(k jsonx.Key, v jsonx.Value, known []string) error {
	name, token := k.Text(), TokenOf(v)
	line, col := v.Pos()
	if p.OtherSays.Says != "" && p.OtherOf.Has(token) {
		return p.say(p.OtherSays, v, name, token)
	}
	if p.UnknownSays.Says != "" && p.AtKey {
		return p.say(p.UnknownSays, k.Value(), name, token)
	}
	if p.UnknownSays.Says != "" {
		return p.say(p.UnknownSays, v, name, token)
	}
	switch p.Style {
	case Object, Wrapped:
		at, from := k.Pos()
		return standing(v, p.translate(v, eserr.XContentParse(at, from, "[%s] unknown field [%s]%s", p.Name, name, Suggest(name, known))))
	case Query:
		if token == ValueNull || token == StartObject || token == StartArray {
			return eserr.Parsing(line, col, "[%s] unknown token [%s] after [%s]", p.Name, token, name)
		}
		return eserr.Parsing(line, col, "[%s] query does not support [%s]", p.Name, name)
	case NameFirst:
		return eserr.Parsing(line, col, "[%s] query does not support [%s]", p.Name, name)
	case Loop:
		return eserr.Parsing(line, col, "Unknown key for a %s in [%s].", token, name)
	}
	return eserr.Parsing(line, col, "Unknown key for a %s in [%s]: [%s].", token, p.Of, name)
}

// Wrong is the complaint about a value whose token the member k is not declared with.
// The hand-written loops ask the token before the name, so that to them it is an
// unknown member.
func (p *Parser) Wrong(k jsonx.Key, v jsonx.Value) error {
	if p.Style != Object && p.Style != Wrapped {
		return p.Unknown(k, v, nil)
	}
	line, col := v.Pos()
	return p.translate(v, eserr.XContentParse(line, col, "[%s] %s doesn't support values of type: %s", p.Name, k.Text(), TokenOf(v)))
}

// WrongSays is Wrong with words of the member's own for some tokens.
func (p *Parser) WrongSays(k jsonx.Key, v jsonx.Value, of Tokens, says Complaint) error {
	if !of.Has(TokenOf(v)) {
		return p.Wrong(k, v)
	}
	return p.say(says, v, k.Text(), TokenOf(v))
}

// say makes an error that stands at v.
func (p *Parser) say(c Complaint, v jsonx.Value, member string, token Token) error {
	reason := strings.NewReplacer("%s", member, "%t", token.String(), "%n", p.Of).Replace(c.Says)
	line, col := v.Pos()
	if c.Type == "parsing_exception" {
		return eserr.Parsing(line, col, "%s", reason)
	}
	return standing(v, &eserr.Error{Status: 400, Type: c.Type, Reason: reason})
}

// Fail wraps an error from inside the member k, where the family does so.
func (p *Parser) Fail(k jsonx.Key, v jsonx.Value, err error) error {
	if err == nil {
		return nil
	}
	if p.Style != Object && p.Style != Wrapped {
		return placed(v, err)
	}
	if v.Kind() == jsonx.Broken {
		return err // the parser never came to the value
	}
	line, col := failPos(v, err)
	outer := wrap(eserr.XContentParse(line, col, "[%s] failed to parse field [%s]", p.Name, k.Text()), err)
	if p.Style == Wrapped {
		return p.translateAt(line, col, outer)
	}
	return outer
}

// translate turns an object parser's error into the parsing exception that a Wrapped
// one answers. It stands where the parser stands, and is its own root cause.
func (p *Parser) translate(v jsonx.Value, err error) error {
	line, col := v.Pos()
	return p.translateAt(line, col, err)
}

func (p *Parser) translateAt(line, col int, err error) error {
	var e *eserr.Error
	if p.Style != Wrapped || !errors.As(err, &e) || e.Type != "x_content_parse_exception" {
		return err
	}
	e.RootCause = nil
	return eserr.Parsing(line, col, "%s", e.Reason).InPlaceOf(e)
}

// Missing is the complaint about an absent member.
func (p *Parser) Missing(v jsonx.Value, c Complaint) error {
	reason := strings.ReplaceAll(c.Says, "%n", p.Of)
	if c.Type == "parsing_exception" {
		line, col := v.EndPos()
		return eserr.Parsing(line, col, "%s", reason)
	}
	return standingAtEnd(v, &eserr.Error{Status: 400, Type: c.Type, Reason: reason})
}

// Required is the complaint of a constructing parser about all absent members.
func (p *Parser) Required(v jsonx.Value, absent []string) error {
	return standingAtEnd(v, eserr.IllegalArgument("Required [%s]", strings.Join(absent, ", ")))
}

// Second is the complaint about a second kind in a container.
func (p *Parser) Second(k jsonx.Key, v jsonx.Value) error {
	line, col := v.Pos()
	return eserr.XContentParse(line, col, "[%s] failed to parse field [%s]", p.Name, k.Text())
}

// Empty is the complaint about a container without a kind.
func (p *Parser) Empty(v jsonx.Value) error {
	line, col := v.EndPos()
	return eserr.XContentParse(line, col, "[%s] failed to build [%s] after last required field arrived", p.Name, p.Name)
}

// Refused is the answer to a member that Elasticsearch has and Postern has not.
func (p *Parser) Refused(k jsonx.Key) error {
	if p.Name == "" {
		return eserr.Refused("[%s] is not supported in this version of Postern", k.Text())
	}
	return eserr.Refused("[%s] does not support [%s] in this version of Postern", p.Name, k.Text())
}
