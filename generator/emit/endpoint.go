package emit

import (
	. "github.com/dave/jennifer/jen"

	"postern/generator/ir"
)

// endpoint writes the request of an endpoint with the decoder of its path, its URL
// and its body.
func (e *emitter) endpoint(ep *ir.Endpoint) {
	e.f.Commentf("%sRequest is a request to the endpoint %s.", ep.Go, ep.Name)
	e.f.Type().Id(ep.Go + "Request").StructFunc(func(g *Group) {
		for _, m := range append(append([]*ir.Member(nil), ep.Path...), ep.Query...) {
			if !m.Refused {
				g.Id(m.Go).Add(e.paramType(m))
			}
		}
		switch ep.Body.Kind {
		case ir.Bytes:
			g.Comment("Body is as it came.")
			g.Id("Body").Index().Byte()
		case ir.Value:
			g.Id("Body").Qual(jsonx, "Value")
		case ir.Object:
			g.Id("Body").Id(ep.Body.Decl.Go)
			g.Comment("HasBody tells that there was one.")
			g.Id("HasBody").Bool()
		}
	})
	e.f.Commentf("Decode%sRequest reads a request in the order in which Elasticsearch does: its parameters, its body, and then whether a parameter was left that it does not know.", ep.Go)
	e.f.Func().Id("Decode"+ep.Go+"Request").Params(Id("in").Op("*").Qual(rest, "Input")).Params(Op("*").Id(ep.Go+"Request"), Error()).BlockFunc(func(g *Group) {
		g.Id("x").Op(":=").New(Id(ep.Go + "Request"))
		if len(ep.Path) > 0 {
			g.For(List(Id("_"), Id("m")).Op(":=").Range().Id("in").Dot("Path")).Block(
				Var().Err().Error(),
				Switch(Id("m").Dot("Name")).BlockFunc(func(g *Group) {
					for _, m := range ep.Path {
						g.Case(Lit(m.Wire)).Block(Err().Op("=").Add(e.param(m)))
					}
				}),
				If(Err().Op("!=").Nil()).Block(Return(Nil(), Err())),
			)
		}
		g.Var().Id("unknown").Index().String()
		g.For(List(Id("_"), Id("m")).Op(":=").Range().Id("in").Dot("Query")).BlockFunc(func(g *Group) {
			g.Var().Err().Error()
			g.Switch(Id("m").Dot("Name")).BlockFunc(func(g *Group) {
				var refused []Code
				// What a path may leave out can stand in the URL's parameters instead.
				for _, m := range ep.Path {
					if !m.Required {
						g.Case(Lit(m.Wire)).Block(
							If(Op("!").Id("in").Dot("InPath").Call(Id("m").Dot("Name"))).Block(Err().Op("=").Add(e.param(m))))
					}
				}
				for _, m := range ep.Query {
					if m.Refused {
						refused = append(refused, wireNames(m)...)
						continue
					}
					g.Case(wireNames(m)...).BlockFunc(func(g *Group) {
						g.Err().Op("=").Add(e.param(m))
						if m.Fix.Least != "" {
							g.If(Err().Op("==").Nil()).Block(
								Err().Op("=").Qual(xcontent, "Least").Call(Id("x").Dot(m.Go), Lit(int(m.Fix.Min)), Lit(m.Fix.Least), Lit("")))
						}
					})
				}
				if len(refused) > 0 {
					g.Case(refused...).Block(Err().Op("=").Qual(rest, "Refused").Call(Lit(ep.Name), Id("m")))
				}
				g.Default().Block(
					If(Op("!").Qual(rest, "Common").Call(Id("m").Dot("Name"))).Block(
						Id("unknown").Op("=").Append(Id("unknown"), Id("m").Dot("Name")),
					),
				)
			})
			g.If(Err().Op("!=").Nil()).Block(Return(Nil(), Err()))
		})
		e.bodyDecode(g, ep)
		g.If(Len(Id("unknown")).Op(">").Lit(0)).Block(
			Return(Nil(), Qual(rest, "Unrecognized").Call(Id("in"), Id("unknown"), Id("parameters"+ep.Go).Call())),
		)
		if ep.NeedsPath != "" {
			g.If(Len(Id("in").Dot("Path")).Op("==").Lit(0)).Block(Return(Nil(), Qual(eserr, "ActionValidation").Call(Lit(ep.NeedsPath))))
		}
		if ep.Body.Kind == ir.NoBody {
			g.Return(Id("x"), Qual(rest, "NoBody").Call(Id("in")))
			return
		}
		g.Return(Id("x"), Nil())
	})
	e.f.Func().Id("parameters" + ep.Go).Params().Index().String().Block(
		Return(Index().String().ValuesFunc(func(g *Group) {
			for _, m := range append(append([]*ir.Member(nil), ep.Path...), ep.Query...) {
				if ep.Unasked[m.Wire] {
					continue
				}
				for _, n := range wireNames(m) {
					g.Add(n)
				}
			}
		})),
	)
}

func (e *emitter) bodyDecode(g *Group, ep *ir.Endpoint) {
	switch ep.Body.Kind {
	case ir.NoBody:
		return
	case ir.Bytes:
		g.Id("x").Dot("Body").Op("=").Id("in").Dot("Body")
		if ep.Body.Required {
			g.If(Err().Op(":=").Qual(rest, "NeedBody").Call(Id("in"), Lit(ep.Body.Needs)), Err().Op("!=").Nil()).Block(Return(Nil(), Err()))
		}
		return
	}
	if ep.Body.Required {
		g.If(Err().Op(":=").Qual(rest, "NeedBody").Call(Id("in"), Lit(ep.Body.Needs)), Err().Op("!=").Nil()).Block(Return(Nil(), Err()))
	}
	g.If(Id("in").Dot("HasBody").Call()).BlockFunc(func(g *Group) {
		whole := ""
		if ep.Body.Truncated {
			whole = "Whole"
		}
		if ep.Body.Kind == ir.Value {
			g.List(Id("v"), Err()).Op(":=").Qual(rest, "Parse"+whole+"Body").Call(Id("in"))
			g.If(Err().Op("!=").Nil()).Block(Return(Nil(), Err()))
			g.Id("x").Dot("Body").Op("=").Id("v")
			return
		}
		g.Id("x").Dot("HasBody").Op("=").True()
		decode := Qual(rest, "Decode"+whole+"Body").Call(Id("in"), Id("x").Dot("Body").Dot("Decode"))
		if says := saidOfAll(ep.Body.Decl); says != "" {
			decode = Qual(rest, "DecodeQueryBody").Call(Id("in"), Lit(says), Id("x").Dot("Body").Dot("Decode"))
		}
		g.If(Err().Op(":=").Add(decode), Err().Op("!=").Nil()).Block(Return(Nil(), Err()))
	})
}

// saidOfAll is what the members of a body say of all that is wrong in them.
func saidOfAll(d *ir.Decl) string {
	for _, m := range d.Members {
		if m.Fix.Whole != "" {
			return m.Fix.Whole
		}
	}
	return ""
}

// paramType is the type of a parameter's field.
func (e *emitter) paramType(m *ir.Member) *Statement {
	if s, ok := m.Shape.(ir.Scalar); ok && s == ir.Value_ {
		return String()
	}
	if s, ok := m.Shape.(ir.Scalar); ok && s == ir.Text {
		if m.Fix.Pointer {
			return Op("*").String()
		}
		return String()
	}
	return e.fieldType(m)
}

// param writes the call that reads a parameter.
func (e *emitter) param(m *ir.Member) *Statement {
	field := Op("&").Id("x").Dot(m.Go)
	if m.Fix.Read != "" {
		read := Qual(rest, m.Fix.Read)
		if pointer(m) && m.Shape != ir.Text {
			return Qual(rest, "Opt").Call(field, Id("m"), read)
		}
		return read.Call(field, Id("m"))
	}
	switch s := m.Shape.(type) {
	case ir.Scalar:
		names := map[ir.Scalar]string{ir.Bool: "Bool", ir.Int: "Int", ir.Long: "Long", ir.Float: "Float", ir.Double: "Double", ir.Duration: "Duration"}
		name, ok := names[s]
		switch {
		case m.Fix.Pointer:
			return Qual(rest, "Opt").Call(field, Id("m"), Qual(rest, "Text"))
		case !ok:
			return Qual(rest, "Text").Call(field, Id("m"))
		case pointer(m):
			return Qual(rest, "Opt").Call(field, Id("m"), Qual(rest, name))
		}
		return Qual(rest, name).Call(field, Id("m"))
	case ir.Ref:
		if s.Decl.Kind == ir.Enum {
			return Id("x").Dot(m.Go).Dot("Parse").Call(Id("m").Dot("Value"))
		}
		return Qual(rest, "Opt").Call(field, Id("m"), Parens(Op("*").Add(e.goType(s))).Dot("Param"))
	case ir.List:
		if ref, ok := s.Elem.(ir.Ref); ok && ref.Decl.Kind == ir.Enum {
			return Qual(rest, "Words").Call(field, Id("m"), Parens(Op("*").Add(e.goType(ref))).Dot("Parse"))
		}
		return Qual(rest, "List").Call(field, Id("m"))
	}
	panic("a parameter of the shape of " + m.Wire)
}

// oneOfParam writes how alternatives are read from a URL parameter: a boolean by its
// two words, else the other one.
func (e *emitter) oneOfParam(d *ir.Decl) {
	e.f.Comment("Param reads x from a URL parameter.")
	e.f.Func().Params(Id("x").Op("*").Id(d.Go)).Id("Param").Params(Id("m").Qual(rest, "Param")).Error().BlockFunc(func(g *Group) {
		for i, m := range d.Members {
			if i == len(d.Members)-1 {
				g.Return(e.param(m))
				return
			}
			if m.Shape == ir.Bool {
				g.If(Id("m").Dot("IsBool").Call()).Block(Return(e.param(m)))
			}
		}
	})
}
