// Package ir is the generator's view of what is to be emitted: the specification,
// reduced to what support.yaml promises and corrected by amendments.yaml, in shapes
// that have exactly one Go form each.
package ir

import "postern/spec"

// Program is everything that is emitted.
type Program struct {
	Packages  []*Package // dependencies first
	Endpoints []*Endpoint
	Answers   []*Answer
	Routes    []*Route
	Legacy    []*Route // without endpoints
	Version   string
}

// Package is one generated package of types.
type Package struct {
	Name  string
	Decls []*Decl
}

// DeclKind is the form of a named Go type.
type DeclKind uint8

const (
	Struct    DeclKind = iota // an object with known members
	Container                 // an object with one member, which tells its kind
	Enum                      // one of some words
	OneOf                     // alternatives told apart by their first token
)

// Decl is a named Go type.
type Decl struct {
	Package string
	Go      string
	Spec    spec.Name
	Kind    DeclKind
	Parser  Parser

	Members []*Member
	// Shortcut is the member that a value without braces stands for, Shorthand the
	// tokens that are taken for it.
	Shortcut  *Member
	Shorthand Tokens
	// InDefinition types are the body of an aggregation, whose name their complaints
	// tell.
	InDefinition bool
	// Free is the member for keys beyond the known ones; nil refuses those.
	Free *Member

	// Top types are whole bodies.
	Top bool
	// InURL alternatives are also read from a URL parameter.
	InURL bool

	Words []Word // Enum
	Enum  spec.EnumOf
}

// Parser is which of Elasticsearch's parsers reads a type.
type Parser struct {
	Style string
	Name  string
	spec.ParserOf
}

// Member is one member of an object, or one parameter.
type Member struct {
	Go       string
	Wire     string
	Aliases  []string
	Shape    Shape
	Required bool
	Says     *spec.Complaint // when a required one is absent
	Takes    Tokens
	Refused  bool
	Fix      spec.MemberOf
	// Checked members have their token asked before they are read, even by a parser
	// that otherwise leaves that to the value's own decoder.
	Checked bool
	// Beside members of a container stand beside the one that tells its kind.
	Beside bool
	// Named members of a sort may be given by their name alone.
	Named bool
}

// Word is one word of an enum.
type Word struct {
	Go      string
	Wire    string
	Aliases []string
}

// Answer is an object that Postern sends.
type Answer struct {
	Go      string
	Spec    string
	Members []*AnswerMember // in wire order
}

// AnswerMember is one member of an answer.
type AnswerMember struct {
	Go       string
	Wire     string
	Required bool
	Null     bool // nil is sent as null
	Shape    AnswerShape
}

// AnswerShape is how a member is written.
type AnswerShape struct {
	Kind AnswerKind
	Of   *AnswerShape // of a list or a dictionary
	Ref  *Answer
}

// AnswerKind is the form of a member of an answer.
type AnswerKind uint8

const (
	SendBool AnswerKind = iota
	SendInt
	SendDouble
	SendText
	SendTextOrNull
	SendRaw      // JSON as it stands, such as a _source
	SendAppender // whatever encodes itself
	SendList
	SendDict
	SendPair // an object with one member
	SendAnswer
)

// Endpoint is a supported endpoint.
type Endpoint struct {
	Name  string // dotted
	Go    string
	Path  []*Member
	Query []*Member
	Body  Body
	// NeedsPath is what is said when the first of the path's parameters is not there.
	NeedsPath string
	// Unasked parameters are not suggested in place of unknown ones.
	Unasked map[string]bool
}

// BodyKind is how a request's body reaches its handler.
type BodyKind uint8

const (
	NoBody BodyKind = iota
	Bytes           // as it came: documents, NDJSON
	Value           // parsed, and read by an internal package
	Object          // parsed and decoded into Decl
)

// Body is the body of a request.
type Body struct {
	Kind     BodyKind
	Decl     *Decl
	Required bool
	// Needs is what is said of a missing body.
	Needs string
	// Truncated bodies are the client's fault.
	Truncated bool
}

// Route is one distinct shape of method and path.
type Route struct {
	Method string
	Path   string   // with the parameter names of the first endpoint
	Names  []string // every endpoint that has this shape
	// Endpoint is the supported one, nil if all are refused.
	Endpoint *Endpoint
}
