package ir

import (
	"postern/spec"
)

// union finds the shape of alternatives. Most of the specification's unions are
// shorthand that the wire's own tolerance absorbs; what is left must be told apart by
// its first token. An alias gives the Go name.
func (b *builder) union(v *spec.Value, e env, where, alias string) Shape {
	if alias == "_types:Duration" {
		return Duration
	}
	if into, ok := b.amended.Absorbed[alias]; ok {
		b.used["absorbed "+alias] = true
		return b.written(into, alias)
	}
	var items []*spec.Value
	for _, it := range v.Items {
		if it.Kind == spec.InstanceOf && it.Type.Builtin() && it.Type.Name == "null" {
			continue // null is an absent value to every parser that takes it
		}
		items = append(items, it)
	}
	if len(items) == 1 {
		return b.resolve(items[0], e, where)
	}
	_, distinct := b.amended.Distinct[alias]
	if distinct {
		b.used["distinct "+alias] = true
	}
	if one := repeated(items); one != nil && !distinct {
		if elem := b.resolve(one, e, alias); elem != nil {
			if l, ok := elem.(List); ok { // T[] | T[][]
				return l
			}
			return List{Elem: elem, One: true}
		}
		return nil
	}
	if untyped := b.untyped(alias); untyped != nil {
		return b.resolve(untyped, e, where)
	}
	shapes := make([]Shape, len(items))
	for i, it := range items {
		if it.Kind == spec.Literal {
			shapes[i] = Text
			continue
		}
		if shapes[i] = b.resolve(it, e, where); shapes[i] == nil {
			return nil
		}
	}
	if s, ok := scalars(shapes); ok {
		return s
	}
	return b.alternatives(shapes, where, alias, describe(e, b.generics(alias)))
}

// repeated finds T in T | T[].
func repeated(items []*spec.Value) *spec.Value {
	if len(items) != 2 {
		return nil
	}
	one, many := items[0], items[1]
	if one.Kind == spec.ArrayOf {
		one, many = many, one
	}
	if many.Kind == spec.ArrayOf && same(one, many.Value) {
		return one
	}
	return nil
}

func same(a, b *spec.Value) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Kind != b.Kind || a.Type != b.Type || a.SingleKey != b.SingleKey || len(a.Generics) != len(b.Generics) || len(a.Items) != len(b.Items) {
		return false
	}
	for i := range a.Generics {
		if !same(a.Generics[i], b.Generics[i]) {
			return false
		}
	}
	for i := range a.Items {
		if !same(a.Items[i], b.Items[i]) {
			return false
		}
	}
	return same(a.Key, b.Key) && same(a.Value, b.Value)
}

// untyped is the variant of an untagged union that has the members of all.
func (b *builder) untyped(alias string) *spec.Value {
	t := b.model.Type(parseName(alias))
	if t == nil || t.Variants == nil || t.Variants.UntypedName == nil {
		return nil
	}
	return &spec.Value{Kind: spec.InstanceOf, Type: *t.Variants.UntypedName}
}

func (b *builder) generics(alias string) []spec.Name {
	if t := b.model.Type(parseName(alias)); t != nil {
		return t.Generics
	}
	return nil
}

// scalars is the shape of alternatives that are all scalars: numbers and strings keep
// the text that was written, wider ones the value itself.
func scalars(shapes []Shape) (Shape, bool) {
	var bools, numbers, strings bool
	for _, s := range shapes {
		switch s := s.(type) {
		case Scalar:
			switch s {
			case Bool:
				bools = true
			case Int, Long, Float, Double:
				numbers = true
			case Text, Words, Duration:
				strings = true
			default:
				return Value_, true
			}
		case Ref:
			if s.Decl.Kind != Enum {
				return nil, false
			}
			strings = true
		default:
			return nil, false
		}
	}
	switch {
	case strings && !bools:
		return Words, true
	case strings:
		return Value_, true
	}
	return nil, !(bools || numbers)
}

// alternatives declares a type with one member for each alternative.
func (b *builder) alternatives(shapes []Shape, where, alias, args string) Shape {
	if alias == "" {
		b.unsupported(where, "alternatives without a name that differ in more than being a list")
		return nil
	}
	key := alias + "<" + args
	if d := b.decls[key]; d != nil {
		return Ref{d}
	}
	d := b.declare(parseName(alias), args, OneOf, key)
	var seen Tokens
	for _, s := range shapes {
		t := s.tokens()
		if s == Bool {
			t = Bools
		}
		if seen&t&^Strings != 0 {
			b.unsupported(where, "alternatives of %s that begin alike", alias)
			return nil
		}
		seen |= t
		m := &Member{Go: alternativeName(s), Shape: s, Takes: t}
		if fix, ok := d.Parser.Members[m.Go]; ok {
			b.used["parsers "+alias+" "+m.Go] = true
			m.Fix = fix
		}
		d.Members = append(d.Members, m)
	}
	return Ref{d}
}

func alternativeName(s Shape) string {
	switch s := s.(type) {
	case Scalar:
		switch s {
		case Bool:
			return "Enabled"
		case Int, Long, Float, Double:
			return "Number"
		}
		return "Text"
	case List:
		return "List"
	case Dict, Single:
		return "Keyed"
	case Ref:
		return s.Decl.Go
	}
	return "Value"
}
