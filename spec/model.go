// Package spec holds what the Elasticsearch specification says (facts.jsonl),
// where the wire differs from it (amendments.yaml) and what Postern promises of it
// (support.yaml), as typed Go.
package spec

import (
	"encoding/json"
	"fmt"
)

// Model is one version of the specification.
type Model struct {
	Version   string
	Endpoints []*Endpoint
	types     map[Name]*Type
	order     []*Type
}

// Name is the full name of a type.
type Name struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
}

func (n Name) String() string { return n.Namespace + ":" + n.Name }

// Type finds a type by its full name.
func (m *Model) Type(n Name) *Type { return m.types[n] }

// Types lists all types, sorted by full name.
func (m *Model) Types() []*Type { return m.order }

// Endpoint finds an endpoint by its dotted name.
func (m *Model) Endpoint(name string) *Endpoint {
	for _, e := range m.Endpoints {
		if e.Name == name {
			return e
		}
	}
	return nil
}

// Endpoint is one API: its addresses and the types of its request and answer.
type Endpoint struct {
	Name                string                  `json:"name"`
	URLs                []URL                   `json:"urls"`
	Request             *Name                   `json:"request"`
	Response            *Name                   `json:"response"`
	RequestBodyRequired bool                    `json:"requestBodyRequired"`
	RequestMediaType    []string                `json:"requestMediaType"`
	ResponseMediaType   []string                `json:"responseMediaType"`
	Availability        map[string]Availability `json:"availability"`
	Deprecation         *Deprecation            `json:"deprecation"`
	Privileges          json.RawMessage         `json:"privileges"`
}

// Private tells that the endpoint is not for users.
func (e *Endpoint) Private() bool {
	a, ok := e.Availability["stack"]
	return !ok || a.Visibility == "private"
}

// URL is one path template with its methods.
type URL struct {
	Path        string       `json:"path"`
	Methods     []string     `json:"methods"`
	Deprecation *Deprecation `json:"deprecation"`
}

// Availability says since when, and for whom.
type Availability struct {
	Since       string `json:"since"`
	Stability   string `json:"stability"`
	Visibility  string `json:"visibility"`
	FeatureFlag string `json:"featureFlag"`
}

// Deprecation is the version that deprecated something.
type Deprecation struct {
	Version string `json:"version"`
}

// TypeKind is the kind of a named type.
type TypeKind string

const (
	Interface TypeKind = "interface"
	Request   TypeKind = "request"
	Response  TypeKind = "response"
	Enum      TypeKind = "enum"
	Alias     TypeKind = "type_alias"
)

// Type is one named type of any kind; members that its kind has not are empty.
type Type struct {
	Kind     TypeKind `json:"kind"`
	Name     Name     `json:"name"`
	Generics []Name   `json:"generics"`

	// interface
	Inherits          *Inherit    `json:"inherits"`
	Behaviors         []Inherit   `json:"behaviors"`
	AttachedBehaviors []string    `json:"attachedBehaviors"`
	Properties        []*Property `json:"properties"`
	ShortcutProperty  string      `json:"shortcutProperty"`
	Variants          *Variants   `json:"variants"`
	VariantName       string      `json:"variantName"`

	// request: Path and Query, Body; response: Body, Exceptions
	Path       []*Property `json:"path"`
	Query      []*Property `json:"query"`
	Body       *Body       `json:"body"`
	Exceptions []Exception `json:"exceptions"`

	// enum
	Members []Member `json:"members"`
	IsOpen  bool     `json:"isOpen"`

	// type_alias
	Type *Value `json:"type"`

	// ESQuirk is the specification's remark on a departure from its own rules: that an
	// enum also takes booleans is told nowhere else.
	ESQuirk      string          `json:"esQuirk"`
	CodegenNames []string        `json:"codegenNames"`
	Deprecation  *Deprecation    `json:"deprecation"`
	Availability json.RawMessage `json:"availability"`
}

// Inherit names a parent or a behaviour with its type arguments.
type Inherit struct {
	Type     Name     `json:"type"`
	Generics []*Value `json:"generics"`
}

// Variants says how the members of a union or container are told apart.
type Variants struct {
	Kind          string   `json:"kind"` // container, internal_tag, external_tag, untagged
	NonExhaustive bool     `json:"nonExhaustive"`
	Tag           string   `json:"tag"`
	DefaultTag    string   `json:"defaultTag"`
	UntypedName   *Name    `json:"untypedVariant"`
	_             struct{} // keyed literals only
}

// Property is one member of an object, or one parameter of a path or URL.
type Property struct {
	Name              string          `json:"name"`
	Required          bool            `json:"required"`
	Type              *Value          `json:"type"`
	Aliases           []string        `json:"aliases"`
	CodegenName       string          `json:"codegenName"`
	ContainerProperty bool            `json:"containerProperty"`
	ServerDefault     json.RawMessage `json:"serverDefault"`
	Deprecation       *Deprecation    `json:"deprecation"`
	Availability      json.RawMessage `json:"availability"`
	ESQuirk           string          `json:"esQuirk"`
}

// Body is the body of a request or response.
type Body struct {
	Kind        string      `json:"kind"` // no_body, properties, value
	Properties  []*Property `json:"properties"`
	Value       *Value      `json:"value"`
	CodegenName string      `json:"codegenName"`
}

// Exception is a response with another body for some status codes.
type Exception struct {
	StatusCodes []int `json:"statusCodes"`
	Body        *Body `json:"body"`
}

// Member is one value of an enum.
type Member struct {
	Name         string          `json:"name"`
	Aliases      []string        `json:"aliases"`
	CodegenName  string          `json:"codegenName"`
	Availability json.RawMessage `json:"availability"`
	Deprecation  *Deprecation    `json:"deprecation"`
}

// ValueKind is the shape of an unnamed type expression.
type ValueKind string

const (
	InstanceOf   ValueKind = "instance_of"
	ArrayOf      ValueKind = "array_of"
	DictionaryOf ValueKind = "dictionary_of"
	UnionOf      ValueKind = "union_of"
	UserDefined  ValueKind = "user_defined_value"
	Literal      ValueKind = "literal_value"
)

// Value is a type expression.
type Value struct {
	Kind      ValueKind
	Type      Name     // instance_of
	Generics  []*Value // instance_of
	Items     []*Value // union_of
	Key       *Value   // dictionary_of
	Value     *Value   // array_of, dictionary_of
	SingleKey bool     // dictionary_of
	Literal   any      // literal_value: string, bool or float64
}

// UnmarshalJSON reads the specification's form, whose member value is a type
// expression or, for a literal, a scalar.
func (v *Value) UnmarshalJSON(b []byte) error {
	var raw struct {
		Kind      ValueKind       `json:"kind"`
		Type      Name            `json:"type"`
		Generics  []*Value        `json:"generics"`
		Items     []*Value        `json:"items"`
		Key       *Value          `json:"key"`
		Value     json.RawMessage `json:"value"`
		SingleKey bool            `json:"singleKey"`
	}
	if err := json.Unmarshal(b, &raw); err != nil {
		return err
	}
	*v = Value{Kind: raw.Kind, Type: raw.Type, Generics: raw.Generics, Items: raw.Items, Key: raw.Key, SingleKey: raw.SingleKey}
	switch raw.Kind {
	case Literal:
		return json.Unmarshal(raw.Value, &v.Literal)
	case ArrayOf, DictionaryOf:
		v.Value = new(Value)
		return json.Unmarshal(raw.Value, v.Value)
	case InstanceOf, UnionOf, UserDefined:
		return nil
	}
	return fmt.Errorf("type expression of the unknown kind %q", raw.Kind)
}
