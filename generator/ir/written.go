package ir

import (
	"fmt"
	"strings"
	"unicode"

	"postern/spec"
)

// written finds the shape of a type in the notation of amendments.yaml: a scalar's
// name, the full name of a type of the specification, either with [] for a list, or
// with | [] for one that also takes a single element.
func (b *builder) written(text, where string) Shape {
	if elem, ok := strings.CutSuffix(text, "|[]"); ok {
		if s := b.written(elem, where); s != nil {
			return List{Elem: s, One: true}
		}
		return nil
	}
	if elem, ok := strings.CutSuffix(text, "[]"); ok {
		if s := b.written(elem, where); s != nil {
			return List{Elem: s}
		}
		return nil
	}
	switch text {
	case "bool":
		return Bool
	case "int":
		return Int
	case "long":
		return Long
	case "float":
		return Float
	case "double":
		return Double
	case "string":
		return Text
	case "words":
		return Words
	case "scalar":
		return AnyScalar
	case "value":
		return Value_
	case "duration":
		return Duration
	}
	name := parseName(text)
	if b.model.Type(name) == nil {
		b.fail(&Unmatched{File: "amendments.yaml", Line: where + " as " + text})
		return nil
	}
	return b.resolve(&spec.Value{Kind: spec.InstanceOf, Type: name}, nil, where)
}

var tokenWords = map[string]Tokens{
	"null": Nulls, "boolean": Bools, "number": Numbers, "string": Strings, "object": Objects, "array": Arrays,
	"scalar": Bools | Numbers | Strings, "any": Any,
}

func parseTokens(text string) (Tokens, error) {
	var t Tokens
	for _, w := range strings.Fields(text) {
		set, ok := tokenWords[w]
		if !ok {
			return 0, fmt.Errorf("unknown token %q", w)
		}
		t |= set
	}
	return t, nil
}

// MustTokens reads a set of tokens that was checked before.
func MustTokens(text string) Tokens {
	t, err := parseTokens(text)
	if err != nil {
		panic(err)
	}
	return t
}

// snake is the wire form of a type's name.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
