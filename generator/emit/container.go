package emit

import (
	"strings"

	. "github.com/dave/jennifer/jen"

	"postern/generator/ir"
)

// kindName is the constant that names one kind of a container.
func kindName(d *ir.Decl, m *ir.Member) string {
	if strings.HasSuffix(d.Go, "Container") {
		return "Kind" + m.Go
	}
	return d.Go + "Kind" + m.Go
}

func (e *emitter) containerType(d *ir.Decl) {
	kind := d.Go + "Kind"
	e.f.Commentf("%s tells which member of a %s is there.", kind, d.Go)
	e.f.Type().Id(kind).Uint8()
	kinds := variants(d)
	e.f.Const().DefsFunc(func(g *Group) {
		for i, m := range kinds {
			if i == 0 {
				g.Id(kindName(d, m)).Id(kind).Op("=").Iota().Op("+").Lit(1)
				continue
			}
			g.Id(kindName(d, m))
		}
	})
	e.f.Comment("String is the word on the wire.")
	e.f.Func().Params(Id("k").Id(kind)).Id("String").Params().String().Block(
		Switch(Id("k")).BlockFunc(func(g *Group) {
			for _, m := range kinds {
				g.Case(Id(kindName(d, m))).Block(Return(Lit(m.Wire)))
			}
		}),
		Return(Lit("")),
	)
	e.f.Commentf("%s is the specification's %s: Kind tells which member is there.", d.Go, d.Spec)
	e.f.Type().Id(d.Go).StructFunc(func(g *Group) {
		g.Id("Kind").Id(kind)
		for _, m := range d.Members {
			if !m.Refused {
				g.Id(m.Go).Add(e.fieldType(m))
			}
		}
		if d.Free != nil {
			g.Id(d.Free.Go).Op("*").Qual(jsonx, "Pair").Types(e.goType(d.Free.Shape))
		}
	})
}

// variants are the supported kinds of a container; free keys are a kind too.
func variants(d *ir.Decl) []*ir.Member {
	var out []*ir.Member
	for _, m := range d.Members {
		if !m.Refused && !m.Beside {
			out = append(out, m)
		}
	}
	if d.Free != nil {
		out = append(out, d.Free)
	}
	return out
}

func (e *emitter) containerDecode(d *ir.Decl) {
	e.wrapper(d)
	e.f.Comment("Decode reads x from v.")
	fn := e.f.Func().Params(Id("x").Op("*").Id(d.Go)).Id("Decode").Params(Id("v").Qual(jsonx, "Value")).Error()
	switch d.Parser.Style {
	case "clause":
		fn.BlockFunc(func(g *Group) {
			g.List(Id("k"), Id("m"), Err()).Op(":=").Qual(xcontent, "Clause").Call(Id("v"))
			g.If(Err().Op("!=").Nil()).Block(Return(Err()))
			g.Switch(String().Call(Id("k").Dot("Bytes").Call())).BlockFunc(func(g *Group) { e.kindCases(g, d, "query", "UnknownClause") })
			g.If(Err().Op("!=").Nil()).Block(Return(Err()))
			g.Return(Qual(xcontent, "ClauseEnd").Call(Id("v")))
		})
		e.knownNames(d)
	case "definition":
		e.definition(d, fn)
	case "sort":
		e.sorts(d, fn)
	default:
		fn.BlockFunc(func(g *Group) {
			g.Id("p").Op(":=").Add(parser(d))
			g.If(Err().Op(":=").Id("p").Dot("Start").Call(Id("v")), Err().Op("!=").Nil()).Block(Return(Err()))
			g.For(List(Id("k"), Id("m")).Op(":=").Range().Id("v").Dot("Members").Call()).Block(
				Var().Err().Error(),
				Switch(String().Call(Id("k").Dot("Bytes").Call())).BlockFunc(func(g *Group) { e.tagged(g, d) }),
				If(Err().Op("!=").Nil()).Block(Return(Id("p").Dot("Fail").Call(Id("k"), Id("m"), Err()))),
			)
			g.If(Id("x").Dot("Kind").Op("==").Lit(0)).Block(Return(Id("p").Dot("Empty").Call(Id("v"))))
			g.Return(Nil())
		})
		e.knownNames(d)
	}
}

// kindCases writes the cases of a switch on the kind's word, in a parser that looks
// its parts up by name.
func (e *emitter) kindCases(g *Group, d *ir.Decl, what, unknown string) {
	var refused []Code
	for _, m := range d.Members {
		if m.Beside {
			continue
		}
		if m.Refused {
			refused = append(refused, wireNames(m)...)
			continue
		}
		g.Case(wireNames(m)...).BlockFunc(func(g *Group) {
			g.Id("x").Dot("Kind").Op("=").Id(kindName(d, m))
			if ref, ok := m.Shape.(ir.Ref); ok && ref.Decl.InDefinition {
				g.Id("x").Dot(m.Go).Op("=").New(Id(ref.Decl.Go))
				g.Err().Op("=").Id("x").Dot(m.Go).Dot("decode").Call(Id("of"), Id("m"))
				return
			}
			g.Err().Op("=").Add(e.assign(d, m))
		})
	}
	if len(refused) > 0 {
		g.Case(refused...).Block(Return(Qual(xcontent, "RefusedClause").Call(Lit(what), Id("k"))))
	}
	g.Default().Block(Return(Qual(xcontent, unknown).Call(Id("k"), Id("m"), Id("known"+d.Go).Call())))
}

// tagged writes the cases of a container that an object parser reads.
func (e *emitter) tagged(g *Group, d *ir.Decl) {
	var refused []Code
	for _, m := range d.Members {
		if m.Refused {
			refused = append(refused, wireNames(m)...)
			continue
		}
		g.Case(wireNames(m)...).BlockFunc(func(g *Group) {
			if m.Takes != ir.Any {
				g.If(Op("!").Add(tokensIn(m.Takes)).Dot("Has").Call(Qual(xcontent, "TokenOf").Call(Id("m")))).Block(
					Return(Id("p").Dot("Wrong").Call(Id("k"), Id("m"))))
			}
			if !m.Beside {
				g.If(Id("x").Dot("Kind").Op("!=").Lit(0)).Block(Return(Id("p").Dot("Second").Call(Id("k"), Id("m"))))
				g.Id("x").Dot("Kind").Op("=").Id(kindName(d, m))
			}
			g.Err().Op("=").Add(e.assign(d, m))
		})
	}
	if len(refused) > 0 {
		g.Case(refused...).Block(Return(Id("p").Dot("Refused").Call(Id("k"))))
	}
	g.Default().Block(Return(Id("p").Dot("Unknown").Call(Id("k"), Id("m"), Id("known"+d.Go).Call())))
}

// definition writes the decoder of one aggregation: its kind, sub-aggregations and
// metadata side by side.
func (e *emitter) definition(d *ir.Decl, fn *Statement) {
	fn.Block(Return(Id("x").Dot("decode").Call(Lit(""), Id("v"))))
	e.f.Func().Params(Id("x").Op("*").Id(d.Go)).Id("decode").Params(Id("name").String(), Id("v").Qual(jsonx, "Value")).Error().BlockFunc(func(g *Group) {
		g.Id("p").Op(":=").Qual(xcontent, "Definition").Values(Dict{Id("Name"): Id("name")})
		g.If(Err().Op(":=").Id("p").Dot("Start").Call(Id("v")), Err().Op("!=").Nil()).Block(Return(Err()))
		g.For(List(Id("k"), Id("m")).Op(":=").Range().Id("v").Dot("Members").Call()).BlockFunc(func(g *Group) {
			g.If(Err().Op(":=").Id("p").Dot("Member").Call(Id("k"), Id("m")), Err().Op("!=").Nil()).Block(Return(Err()))
			g.Var().Err().Error()
			g.Switch(String().Call(Id("k").Dot("Bytes").Call())).BlockFunc(func(g *Group) {
				for _, m := range d.Members {
					if !m.Beside {
						continue
					}
					g.Case(wireNames(m)...).BlockFunc(func(g *Group) {
						if isDict(m.Shape) {
							g.If(Err().Op("=").Id("p").Dot("Sub").Call(Id("m")), Err().Op("!=").Nil()).Block(Return(Err()))
							g.Err().Op("=").Id("DecodeAggregations").Call(Op("&").Id("x").Dot(m.Go), Id("m"))
							return
						}
						g.Err().Op("=").Add(e.assign(d, m))
					})
				}
				g.Default().Block(
					If(Err().Op("=").Id("p").Dot("Kind").Call(Id("k"), Id("m")), Err().Op("!=").Nil()).Block(Return(Err())),
					Err().Op("=").Id("x").Dot("kind").Call(Id("name"), Id("k"), Id("m")),
				)
			})
			g.If(Err().Op("!=").Nil()).Block(Return(Err()))
		})
		g.Return(Id("p").Dot("End").Call(Id("v")))
	})
	e.f.Func().Params(Id("x").Op("*").Id(d.Go)).Id("kind").Params(Id("of").String(), Id("k").Qual(jsonx, "Key"), Id("m").Qual(jsonx, "Value")).Error().BlockFunc(func(g *Group) {
		g.Var().Err().Error()
		g.Switch(String().Call(Id("k").Dot("Bytes").Call())).BlockFunc(func(g *Group) { e.kindCases(g, d, "aggregation", "UnknownAggregation") })
		g.Return(Err())
	})
	list := Index().Qual(jsonx, "Pair").Types(Id(d.Go))
	e.f.Comment("DecodeAggregations reads named aggregations, in order.")
	e.f.Func().Id("DecodeAggregations").Params(Id("x").Op("*").Add(list), Id("v").Qual(jsonx, "Value")).Error().Block(
		Id("list").Op(":=").Make(list, Lit(0), Id("v").Dot("Len").Call()),
		For(List(Id("k"), Id("m")).Op(":=").Range().Id("v").Dot("Members").Call()).Block(
			If(Err().Op(":=").Qual(xcontent, "AggregationName").Call(Id("k"), Id("m")), Err().Op("!=").Nil()).Block(Return(Err())),
			Id("list").Op("=").Append(Id("list"), Qual(jsonx, "Pair").Types(Id(d.Go)).Values(Dict{Id("Key"): Id("k").Dot("Text").Call()})),
			Id("last").Op(":=").Op("&").Id("list").Index(Len(Id("list")).Op("-").Lit(1)),
			If(Err().Op(":=").Id("last").Dot("Value").Dot("decode").Call(Id("last").Dot("Key"), Id("m")), Err().Op("!=").Nil()).Block(Return(Err())),
		),
		Op("*").Id("x").Op("=").Id("list"),
		Return(Nil()),
	)
	e.knownNames(d)
}

// sorts writes the decoder of sort keys, where one object may hold several and a
// string stands for a field or for _score.
func (e *emitter) sorts(d *ir.Decl, fn *Statement) {
	fn.Block(
		Var().Id("list").Index().Id(d.Go),
		If(Err().Op(":=").Id("Decode"+d.Go+"s").Call(Op("&").Id("list"), Id("v")), Err().Op("!=").Nil()).Block(Return(Err())),
		If(Len(Id("list")).Op(">").Lit(0)).Block(Op("*").Id("x").Op("=").Id("list").Index(Lit(0))),
		Return(Nil()),
	)
	e.f.Func().Id("Decode"+d.Go+"s").Params(Id("list").Op("*").Index().Id(d.Go), Id("v").Qual(jsonx, "Value")).Error().Block(
		Return(Qual(xcontent, "Sorts").Call(Id("list"), Id("v"), Parens(Op("*").Id(d.Go)).Dot("key"), Parens(Op("*").Id(d.Go)).Dot("name"))),
	)
	e.f.Func().Params(Id("x").Op("*").Id(d.Go)).Id("name").Params(Id("name").String()).BlockFunc(func(g *Group) {
		g.Switch(Id("name")).BlockFunc(func(g *Group) {
			for _, m := range d.Members {
				if !m.Refused && m.Named {
					g.Case(Lit(m.Wire)).Block(
						Id("x").Dot("Kind").Op("=").Id(kindName(d, m)),
						Id("x").Dot(m.Go).Op("=").New(e.goType(m.Shape)),
					)
				}
			}
			g.Default().Block(
				Id("x").Dot("Kind").Op("=").Id(kindName(d, d.Free)),
				Id("x").Dot(d.Free.Go).Op("=").Op("&").Qual(jsonx, "Pair").Types(e.goType(d.Free.Shape)).Values(Dict{Id("Key"): Id("name")}),
			)
		})
	})
	e.f.Func().Params(Id("x").Op("*").Id(d.Go)).Id("key").Params(Id("k").Qual(jsonx, "Key"), Id("m").Qual(jsonx, "Value")).Error().BlockFunc(func(g *Group) {
		g.Switch(String().Call(Id("k").Dot("Bytes").Call())).BlockFunc(func(g *Group) {
			var refused []Code
			for _, m := range d.Members {
				if m.Refused {
					refused = append(refused, wireNames(m)...)
					continue
				}
				g.Case(wireNames(m)...).Block(
					Id("x").Dot("Kind").Op("=").Id(kindName(d, m)),
					Return(e.assign(d, m)),
				)
			}
			if len(refused) > 0 {
				g.Case(refused...).Block(Return(Qual(xcontent, "RefusedClause").Call(Lit("sort"), Id("k"))))
			}
		})
		g.Id("x").Dot("name").Call(Id("k").Dot("Text").Call())
		g.Return(Id("x").Dot(d.Free.Go).Dot("Value").Dot("Decode").Call(Id("m")))
	})
}
