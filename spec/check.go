package spec

import "fmt"

// builtins are the names that the specification uses without defining them.
var builtins = map[string]bool{
	"string": true, "boolean": true, "number": true, "null": true, "void": true, "binary": true,
}

// Builtin tells that a name stands for a type that JSON itself has.
func (n Name) Builtin() bool { return n.Namespace == "_builtins" && builtins[n.Name] }

// check tells the first name that leads nowhere.
func (m *Model) check() error {
	for _, e := range m.Endpoints {
		for _, n := range []*Name{e.Request, e.Response} {
			if n != nil && m.types[*n] == nil {
				return fmt.Errorf("endpoint %s: unknown type %s", e.Name, n)
			}
		}
	}
	for _, t := range m.order {
		if err := m.checkType(t); err != nil {
			return fmt.Errorf("type %s: %w", t.Name, err)
		}
	}
	return nil
}

func (m *Model) checkType(t *Type) error {
	own := map[Name]bool{}
	for _, g := range t.Generics {
		own[g] = true
	}
	var err error
	t.Walk(func(v *Value) {
		if v.Kind == InstanceOf && !own[v.Type] && !v.Type.Builtin() && m.types[v.Type] == nil && err == nil {
			err = fmt.Errorf("unknown type %s", v.Type)
		}
	})
	return err
}

// Walk calls f with every type expression of t, outer ones first.
func (t *Type) Walk(f func(*Value)) {
	inherits := t.Behaviors
	if t.Inherits != nil {
		inherits = append([]Inherit{*t.Inherits}, inherits...)
	}
	for _, i := range inherits {
		f(&Value{Kind: InstanceOf, Type: i.Type})
		for _, g := range i.Generics {
			g.Walk(f)
		}
	}
	for _, list := range [][]*Property{t.Path, t.Query, t.Properties} {
		for _, p := range list {
			p.Type.Walk(f)
		}
	}
	t.Body.walk(f)
	for _, x := range t.Exceptions {
		x.Body.walk(f)
	}
	t.Type.Walk(f)
}

func (b *Body) walk(f func(*Value)) {
	if b == nil {
		return
	}
	for _, p := range b.Properties {
		p.Type.Walk(f)
	}
	b.Value.Walk(f)
}

// Walk calls f with v and every type expression inside it.
func (v *Value) Walk(f func(*Value)) {
	if v == nil {
		return
	}
	f(v)
	for _, list := range [][]*Value{v.Generics, v.Items} {
		for _, x := range list {
			x.Walk(f)
		}
	}
	v.Key.Walk(f)
	v.Value.Walk(f)
}
