package ir

import "math/bits"

// Shape is a type that has exactly one Go form. The specification's aliases, generics,
// shorthand forms and most unions are gone by then.
type Shape interface{ tokens() Tokens }

// Scalar is a JSON scalar.
type Scalar uint8

const (
	Bool      Scalar = iota
	Int              // 32 bits
	Long             // 64 bits
	Float            // a double already rounded to 32 bits
	Double           //
	Text             // a string, or what another scalar looks like
	Words            // a number or a string, kept as written
	Value_           // any JSON value
	Duration         // "1m", -1, 0
	AnyScalar        // a scalar as it is
)

// Ref is a declared type.
type Ref struct{ Decl *Decl }

// List is an array; One also takes a single element in its place.
type List struct {
	Elem Shape
	One  bool
}

// Dict is an object with free keys, in order.
type Dict struct{ Elem Shape }

// Single is an object with one free key.
type Single struct{ Elem Shape }

// Tokens is a set of first tokens, in the order of their bits as
// internal/xcontent has them.
type Tokens uint8

const (
	Nulls Tokens = 1 << iota
	Bools
	Numbers
	Strings
	Objects
	Arrays

	Any = Nulls | Bools | Numbers | Strings | Objects | Arrays
)

// Count is the number of tokens in the set.
func (t Tokens) Count() int { return bits.OnesCount8(uint8(t)) }

func (s Scalar) tokens() Tokens {
	switch s {
	case Bool:
		return Bools | Strings
	case Int, Long, Float, Double:
		return Numbers | Strings
	case Text:
		return Strings
	case Words:
		return Nulls | Bools | Numbers | Strings
	case Duration:
		return Strings | Numbers
	case AnyScalar:
		return Bools | Numbers | Strings
	}
	return Any
}

func (r Ref) tokens() Tokens {
	switch r.Decl.Kind {
	case Enum:
		if r.Decl.Enum.Boolean {
			return Strings | Bools
		}
		return Strings
	case OneOf:
		var t Tokens
		for _, m := range r.Decl.Members {
			t |= m.Shape.tokens()
		}
		return t
	}
	t := Objects
	if s := r.Decl.Shortcut; s != nil {
		t |= s.Shape.tokens()
	}
	return t
}

func (l List) tokens() Tokens {
	if l.One {
		return Arrays | l.Elem.tokens()
	}
	return Arrays
}

func (Dict) tokens() Tokens   { return Objects }
func (Single) tokens() Tokens { return Objects }
