package emit

import (
	. "github.com/dave/jennifer/jen"

	"postern/generator/ir"
)

// goType is the Go type of a shape.
func (e *emitter) goType(s ir.Shape) *Statement {
	switch s := s.(type) {
	case ir.Scalar:
		switch s {
		case ir.Bool:
			return Bool()
		case ir.Int:
			return Int()
		case ir.Long:
			return Int64()
		case ir.Float, ir.Double:
			return Float64()
		case ir.Text, ir.Words:
			return String()
		case ir.Duration:
			return Qual(xcontent, "Duration")
		}
		return Qual(jsonx, "Value")
	case ir.Ref:
		return Qual(generatedPath(s.Decl.Package), s.Decl.Go)
	case ir.List:
		if single, ok := s.Elem.(ir.Single); ok {
			return Index().Qual(jsonx, "Pair").Types(e.goType(single.Elem))
		}
		return Index().Add(e.goType(s.Elem))
	case ir.Dict:
		return Index().Qual(jsonx, "Pair").Types(e.goType(s.Elem))
	case ir.Single:
		return Op("*").Qual(jsonx, "Pair").Types(e.goType(s.Elem))
	}
	panic("a shape without a Go type")
}

// fieldType is the type of a struct's field: what may be absent and has no zero value
// of its own that says so is a pointer.
func (e *emitter) fieldType(m *ir.Member) *Statement {
	if pointer(m) {
		return Op("*").Add(e.goType(m.Shape))
	}
	return e.goType(m.Shape)
}

func pointer(m *ir.Member) bool {
	if ref, ok := m.Shape.(ir.Ref); ok && ref.Decl.Kind != ir.Enum {
		return true
	}
	if m.Required {
		return false
	}
	s, ok := m.Shape.(ir.Scalar)
	return ok && s != ir.Words && s != ir.Value_ && s != ir.AnyScalar
}

// decl writes one type with its decoder.
func (e *emitter) decl(d *ir.Decl) {
	switch d.Kind {
	case ir.Enum:
		e.enum(d)
	case ir.Struct:
		e.structType(d)
		e.structDecode(d)
	case ir.Container:
		e.containerType(d)
		e.containerDecode(d)
	case ir.OneOf:
		e.structType(d)
		e.oneOfDecode(d)
	}
}

func (e *emitter) structType(d *ir.Decl) {
	e.f.Commentf("%s is the specification's %s.", d.Go, d.Spec)
	e.f.Type().Id(d.Go).StructFunc(func(g *Group) {
		for _, m := range d.Members {
			if m.Refused {
				continue
			}
			if d.Kind == ir.OneOf {
				m.Required = false
			}
			g.Id(m.Go).Add(e.fieldType(m))
		}
		if d.Free != nil {
			if _, dict := d.Free.Shape.(ir.Dict); dict {
				g.Id(d.Free.Go).Add(e.goType(d.Free.Shape))
			} else {
				g.Id(d.Free.Go).Op("*").Qual(jsonx, "Pair").Types(e.goType(d.Free.Shape))
			}
		}
	})
}

func (e *emitter) enum(d *ir.Decl) {
	e.f.Commentf("%s is the specification's %s; its zero value means that it is absent.", d.Go, d.Spec)
	e.f.Type().Id(d.Go).Uint8()
	e.f.Const().DefsFunc(func(g *Group) {
		for i, w := range d.Words {
			if i == 0 {
				g.Id(w.Go).Id(d.Go).Op("=").Iota().Op("+").Lit(1)
				continue
			}
			g.Id(w.Go)
		}
	})
	e.f.Commentf("String is the word on the wire, nothing for the zero value.")
	e.f.Func().Params(Id("x").Id(d.Go)).Id("String").Params().String().Block(
		Switch(Id("x")).BlockFunc(func(g *Group) {
			for _, w := range d.Words {
				g.Case(Id(w.Go)).Block(Return(Lit(w.Wire)))
			}
		}),
		Return(Lit("")),
	)
	e.enumParse(d)
}
