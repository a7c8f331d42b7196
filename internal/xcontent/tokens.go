package xcontent

import "postern/internal/jsonx"

// Token is one of Elasticsearch's parser tokens, as its messages name them.
type Token uint8

const (
	ValueNull Token = iota
	ValueBoolean
	ValueNumber
	ValueString
	StartObject
	StartArray
)

var tokenNames = [...]string{"VALUE_NULL", "VALUE_BOOLEAN", "VALUE_NUMBER", "VALUE_STRING", "START_OBJECT", "START_ARRAY"}

func (t Token) String() string { return tokenNames[t] }

// TokenOf is the token that v begins with.
func TokenOf(v jsonx.Value) Token {
	switch v.Kind() {
	case jsonx.True, jsonx.False:
		return ValueBoolean
	case jsonx.Number:
		return ValueNumber
	case jsonx.String:
		return ValueString
	case jsonx.Object:
		return StartObject
	case jsonx.Array:
		return StartArray
	default:
		return ValueNull
	}
}

// Tokens is a set of tokens: what a member is declared to take.
type Tokens uint8

const (
	Nulls Tokens = 1 << iota
	Bools
	Numbers
	Strings
	Objects
	Arrays

	Scalars = Nulls | Bools | Numbers | Strings
	Any     = Scalars | Objects | Arrays
)

// Has tells that t is in the set.
func (s Tokens) Has(t Token) bool { return s&(1<<t) != 0 }
