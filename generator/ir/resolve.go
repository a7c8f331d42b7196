package ir

import (
	"strings"

	"postern/spec"
)

// env gives the arguments of the generic type that is being resolved.
type env map[spec.Name]*spec.Value

// resolve finds the shape of a type expression. A nil shape means that an error was
// recorded.
func (b *builder) resolve(v *spec.Value, e env, where string) Shape {
	switch v.Kind {
	case spec.InstanceOf:
		return b.instance(v, e, where)
	case spec.ArrayOf:
		if elem := b.resolve(v.Value, e, where); elem != nil {
			return List{Elem: elem}
		}
		return nil
	case spec.DictionaryOf:
		elem := b.resolve(v.Value, e, where)
		switch {
		case elem == nil:
			return nil
		case v.SingleKey:
			return Single{Elem: elem}
		}
		return Dict{Elem: elem}
	case spec.UserDefined:
		return Value_
	case spec.UnionOf:
		return b.union(v, e, where, "")
	}
	b.unsupported(where, "a %s", v.Kind)
	return nil
}

func (b *builder) instance(v *spec.Value, e env, where string) Shape {
	if arg, ok := e[v.Type]; ok {
		if arg == nil {
			return Value_
		}
		return b.resolve(arg, nil, where)
	}
	full := v.Type.String()
	if width, ok := b.amended.Numbers[full]; ok {
		b.used["numbers "+full] = true
		return b.number(width, where)
	}
	if _, ok := b.amended.Raw[full]; ok {
		b.used["raw "+full] = true
		return Value_
	}
	if v.Type.Builtin() {
		switch v.Type.Name {
		case "string":
			return Text
		case "boolean":
			return Bool
		}
		b.unsupported(where, "builtin %s without a width in amendments.yaml", v.Type.Name)
		return nil
	}
	t := b.model.Type(v.Type)
	if t == nil {
		b.unsupported(where, "the type parameter %s outside its type", full)
		return nil
	}
	args := env{}
	for i, g := range t.Generics {
		if i < len(v.Generics) {
			args[g] = substitute(v.Generics[i], e)
		}
	}
	switch t.Kind {
	case spec.Alias:
		if t.Type.Kind == spec.UnionOf {
			return b.union(t.Type, args, where, full)
		}
		return b.resolve(t.Type, args, full)
	case spec.Enum, spec.Interface:
		return b.ref(t, args, where)
	}
	b.unsupported(where, "a %s as a value", t.Kind)
	return nil
}

func (b *builder) number(width, where string) Shape {
	switch width {
	case "int":
		return Int
	case "long":
		return Long
	case "float":
		return Float
	case "double":
		return Double
	}
	b.unsupported(where, "number width %q", width)
	return nil
}

// substitute replaces type parameters in an argument by what they stand for.
func substitute(v *spec.Value, e env) *spec.Value {
	if v == nil || len(e) == 0 {
		return v
	}
	if v.Kind == spec.InstanceOf {
		if arg, ok := e[v.Type]; ok {
			return arg
		}
	}
	c := *v
	c.Value, c.Key = substitute(v.Value, e), substitute(v.Key, e)
	c.Generics, c.Items = substituteAll(v.Generics, e), substituteAll(v.Items, e)
	return &c
}

func substituteAll(list []*spec.Value, e env) []*spec.Value {
	out := make([]*spec.Value, len(list))
	for i, v := range list {
		out[i] = substitute(v, e)
	}
	return out
}

// describe names the arguments of a generic type, for its Go name.
func describe(e env, generics []spec.Name) string {
	var s strings.Builder
	for _, g := range generics {
		if v := e[g]; v != nil && v.Kind == spec.InstanceOf {
			s.WriteString(GoName(v.Type.Name))
		}
	}
	return s.String()
}
