package spec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"gopkg.in/yaml.v3"
)

// Amended is where the wire differs from the specification, read from
// amendments.yaml. Every part that matches nothing, or that the specification has
// caught up with, fails the build.
type Amended struct {
	// Numbers gives the width of the specification's number aliases, which are all one
	// builtin to it.
	Numbers map[string]string `yaml:"numbers"`
	// Raw lists types whose JSON an internal package reads itself.
	Raw map[string]string `yaml:"raw"`
	// Absorbed maps a union to the one of its alternatives whose parser reads the others
	// as its shorthand.
	Absorbed map[string]string `yaml:"absorbed"`
	// Distinct are unions of T and T[] in which a single T is no list of one.
	Distinct map[string]string `yaml:"distinct"`
	// Names renames types whose short names collide or say too little in Go.
	Names map[string]string `yaml:"names"`
	// Parsers says by which of Elasticsearch's parsers a type is read.
	Parsers map[string]ParserOf `yaml:"parsers"`
	// Enums says how a parser reads the words of an enum and what it says of others.
	Enums map[string]EnumOf `yaml:"enums"`
	// Parameters are URL parameters beyond the specification's, by endpoint.
	Parameters map[string]map[string]Extra `yaml:"parameters"`
	// URL corrects how a URL parameter is read: a line for the parameter of all
	// endpoints, or "endpoint parameter" for that of one.
	URL map[string]MemberOf `yaml:"url"`
	// Unasked are the parameters that Elasticsearch looks at only when they are given,
	// and so never suggests in place of an unknown one.
	Unasked map[string][]string `yaml:"unasked"`
	// Needs is what endpoints say when their body is missing, nothing for those that
	// can do without.
	Needs map[string]string `yaml:"needs"`
	// Also are types that no request reaches but a handler decodes: lines of NDJSON.
	Also map[string]string `yaml:"also"`
	// Routes are paths that real Elasticsearch has beyond the specification's.
	Routes map[string][]Route `yaml:"routes"`
	// Truncated are the endpoints whose parser meets the end of a truncated body itself,
	// and so answers 400 where the others answer 500.
	Truncated map[string]string `yaml:"truncated"`
	// NeedsPath is what endpoints say when a route of theirs leaves the index out.
	NeedsPath map[string]string `yaml:"needs_path"`
	// Legacy are paths of earlier versions: nobody answers them, but another method on
	// them is told which there were.
	Legacy []Route `yaml:"legacy"`
	// Bodies are endpoints whose body stays bytes, with the reason.
	Bodies map[string]string `yaml:"bodies"`
	// Answers gives the wire order of an answer's members.
	Answers map[string]AnswerOf `yaml:"answers"`
}

// ParserOf is how Elasticsearch reads one type.
type ParserOf struct {
	Style   string              `yaml:"style"` // object, query, name, loop, aggregation
	Name    string              `yaml:"name"`
	Members map[string]MemberOf `yaml:"members"`
	Extra   map[string]Extra    `yaml:"extra"` // members beyond the specification's
	// Unknown and Start are what is said, in place of the style's own words, of an
	// unknown member and of what is no object; Other of tokens that are neither a scalar
	// nor an object. %s stands for the member, %t for the token, %n for the name of the
	// aggregation.
	Unknown *Complaint `yaml:"unknown"`
	Start   *Complaint `yaml:"start"`
	Other   *Complaint `yaml:"other"`
	OtherOf string     `yaml:"other_of"` // the tokens, where they are not null and array
	// AtKey says that an unknown member is complained of where its name stands.
	AtKey bool `yaml:"at_key"`
	// Shortcut is the member that a value without braces stands for, where the
	// specification does not say so; Shorthand the tokens that are taken for it.
	Shortcut  string `yaml:"shortcut"`
	Shorthand string `yaml:"shorthand"`
	// Constructed says that all missing members are named at once: Required [a, b].
	Constructed bool `yaml:"constructed"`
	// Pair is asked when both of two members have arrived, or at the end.
	Pair *PairOf `yaml:"pair"`
	// Required maps a member to what is said when it is absent; "*" is the free key.
	Required map[string]*Complaint `yaml:"required"`
	Field    FieldOf               `yaml:"field"`
	Case     string                `yaml:"case"`
}

// PairOf are two members that are judged together by a function of internal/xcontent.
type PairOf struct {
	Read    string    `yaml:"read"`
	Members [2]string `yaml:"members"`
}

// FieldOf is how the braces around the one field of a clause are read, as in
// {"term":{"f":…}}.
type FieldOf struct {
	None   *Complaint `yaml:"none"`   // there is no field
	Array  string     `yaml:"array"`  // an array stands where the value should
	Skip   string     `yaml:"skip"`   // tokens that are passed over as if absent
	Scalar bool       `yaml:"scalar"` // a scalar is the value without braces
	Takes  string     `yaml:"takes"`  // the tokens of the value beside members with known names
}

// Complaint is an error's type and reason; parsing exceptions stand at the end of the
// object that lacks something.
type Complaint struct {
	Type string
	Says string
}

// UnmarshalYAML reads "type: reason"; without a type it is an illegal argument.
func (c *Complaint) UnmarshalYAML(n *yaml.Node) error {
	typ, says, ok := strings.Cut(n.Value, ": ")
	if !ok || strings.ContainsAny(typ, " [") {
		typ, says = "illegal_argument_exception", n.Value
	}
	c.Type, c.Says = typ, says
	return nil
}

// MemberOf corrects how one member is read.
type MemberOf struct {
	Takes string `yaml:"takes"` // the tokens it is declared with
	As    string `yaml:"as"`    // another type, in the specification's notation
	Named bool   `yaml:"named"` // a sort key that may be given by its name alone
	// Pointer tells an empty parameter from an absent one.
	Pointer bool `yaml:"pointer"`
	// Gone members are in the specification but no longer on the wire; Same ones are
	// another name of the member named.
	Gone    bool     `yaml:"gone"`
	Same    string   `yaml:"same"`
	Aliases []string `yaml:"aliases"`
	// Read is the function of internal/xcontent that reads it, Setting the name of a
	// time value in complaints.
	Read    string `yaml:"read"`
	Setting string `yaml:"setting"`
	// Wrong, Array, Empty and Least are what is said of a scalar of another kind, of an
	// array, of an empty list and of a number below Min; Elem of a list's element.
	Wrong   *Complaint `yaml:"wrong"`
	WrongOf string     `yaml:"wrong_of"` // the tokens that Wrong speaks of, any if empty
	// Because is what is said around an error from inside.
	Because string `yaml:"because"`
	// Whole is what is said in place of every error from inside but parsing exceptions.
	Whole string     `yaml:"whole"`
	Array string     `yaml:"array"`
	Empty *Complaint `yaml:"empty"`
	Min   float64    `yaml:"min"`
	Least string     `yaml:"least"`
	Elem  *ElemOf    `yaml:"elem"`
	// Excludes is another member that may not be there, and what is said then.
	Excludes *Exclusion `yaml:"excludes"`
	Case     string     `yaml:"case"`
}

// Exclusion is a member that excludes another one.
type Exclusion struct {
	Member string `yaml:"member"`
	Says   string `yaml:"says"`
}

// ElemOf is what the elements of a list are declared with, and what is said of others.
type ElemOf struct {
	Takes string     `yaml:"takes"`
	Says  *Complaint `yaml:"says"`
}

// Extra is a member or parameter that the specification does not have.
type Extra struct {
	As      string   `yaml:"as"`
	Takes   string   `yaml:"takes"` // the tokens it is declared with, where they are not those of As
	Aliases []string `yaml:"aliases"`
	Case    string   `yaml:"case"`
}

// EnumOf is how the words of an enum are read.
type EnumOf struct {
	Fold    bool `yaml:"fold"`    // letters' case does not count
	Boolean bool `yaml:"boolean"` // true and false are words of it
	// Also maps further words to those of the enum; Without are words that only answers
	// have.
	Also    map[string]string `yaml:"also"`
	Without []string          `yaml:"without"`
	Unknown string            `yaml:"unknown"` // what is said of another word
	Type    string            `yaml:"type"`    // the error's type, illegal_argument_exception if empty
	Case    string            `yaml:"case"`
}

// Route is one path with its methods.
type Route struct {
	Path    string   `yaml:"path"`
	Methods []string `yaml:"methods"`
	Case    string   `yaml:"case"`
}

// AnswerOf is an answer, or a part of one, that is emitted: its members in wire order.
// Members that are not listed are not sent.
type AnswerOf struct {
	Go    string           `yaml:"go"`
	Order []string         `yaml:"order"`
	Extra map[string]Extra `yaml:"extra"`
	// Optional members may be left out though the specification requires them.
	Optional []string `yaml:"optional"`
	// Null members are sent as null when there is nothing to send.
	Null []string `yaml:"null"`
	// Names gives Go names where two members would have the same one.
	Names map[string]string `yaml:"names"`
	Case  string            `yaml:"case"`
}

// ParseAmendments reads the text of an amendments.yaml.
func ParseAmendments(text []byte) (*Amended, error) {
	a := new(Amended)
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	if err := dec.Decode(a); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("amendments.yaml: %w", err)
	}
	return a, nil
}
