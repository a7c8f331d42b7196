package emit

import (
	. "github.com/dave/jennifer/jen"

	"postern/generator/ir"
)

var styles = map[string]string{"object": "Object", "wrapped": "Wrapped", "query": "Query", "name": "NameFirst", "loop": "Loop", "aggregation": "Aggregation"}

// parser writes the value of a type's parser.
func parser(d *ir.Decl) *Statement {
	return Qual(xcontent, "Parser").Values(Dict{
		Id("Style"): Qual(xcontent, styles[d.Parser.Style]),
		Id("Name"):  Lit(d.Parser.Name),
	})
}

// elem writes the function that decodes a shape: func(*T, jsonx.Value) error.
func (e *emitter) elem(s ir.Shape, setting string) *Statement {
	switch s := s.(type) {
	case ir.Scalar:
		return scalarDecoder(s, setting)
	case ir.Ref:
		return Parens(Op("*").Qual(generatedPath(s.Decl.Package), s.Decl.Go)).Dot("Decode")
	}
	return Func().Params(Id("x").Op("*").Add(e.goType(s)), Id("v").Qual(jsonx, "Value")).Error().Block(
		Return(e.compose(s, Id("x"), Id("v"), setting)),
	)
}

func scalarDecoder(s ir.Scalar, setting string) *Statement {
	names := map[ir.Scalar]string{
		ir.Bool: "Bool", ir.Int: "Int", ir.Long: "Long", ir.Float: "Float", ir.Double: "Double",
		ir.Text: "Text", ir.Words: "Words", ir.Value_: "Value",
	}
	if s == ir.Duration {
		return Qual(xcontent, "DurationOf").Call(Lit(setting))
	}
	return Qual(xcontent, names[s])
}

// compose writes the call that decodes v into the pointer x.
func (e *emitter) compose(s ir.Shape, x, v *Statement, setting string) *Statement {
	switch s := s.(type) {
	case ir.List:
		if ref, ok := s.Elem.(ir.Ref); ok && ref.Decl.Parser.Style == "sort" {
			return Qual(generatedPath(ref.Decl.Package), "Decode"+ref.Decl.Go+"s").Call(x, v)
		}
		if s.One {
			return Qual(xcontent, "OneOrMany").Call(x, v, e.elem(s.Elem, setting))
		}
		return Qual(xcontent, "List").Call(x, v, e.elem(s.Elem, setting))
	case ir.Dict:
		if ref, ok := s.Elem.(ir.Ref); ok && ref.Decl.Parser.Style == "definition" {
			return Qual(generatedPath(ref.Decl.Package), "DecodeAggregations").Call(x, v)
		}
		return Qual(xcontent, "Dict").Call(x, v, e.elem(s.Elem, setting))
	case ir.Single:
		p, rules := Qual(xcontent, "Parser").Values(), Qual(xcontent, "FieldRules").Values(Dict{Id("Scalar"): True()})
		if ref, ok := s.Elem.(ir.Ref); ok {
			p = parser(ref.Decl)
			if ref.Decl.Kind != ir.Enum {
				rules = fieldRules(ref.Decl)
			}
		}
		return Qual(xcontent, "Single").Call(x, v, p, rules, e.elem(s.Elem, setting))
	}
	return e.elem(s, setting).Call(x, v)
}

func fieldRules(d *ir.Decl) *Statement {
	f := d.Parser.Field
	values := Dict{}
	if f.None != nil {
		values[Id("None")] = complaint(f.None.Type, f.None.Says)
	}
	if f.Array != "" {
		values[Id("Array")] = Lit(f.Array)
	}
	if f.Skip != "" {
		values[Id("Skip")] = tokenSet(ir.MustTokens(f.Skip))
	}
	if f.Scalar {
		values[Id("Scalar")] = True()
	}
	return Qual(xcontent, "FieldRules").Values(values)
}

func complaint(typ, says string) *Statement {
	return Op("&").Qual(xcontent, "Complaint").Values(Dict{Id("Type"): Lit(typ), Id("Says"): Lit(says)})
}

var tokenNames = []struct {
	set  ir.Tokens
	name string
}{
	{ir.Nulls, "Nulls"}, {ir.Bools, "Bools"}, {ir.Numbers, "Numbers"}, {ir.Strings, "Strings"},
	{ir.Objects, "Objects"}, {ir.Arrays, "Arrays"},
}

// tokenSet writes a set of tokens.
func tokenSet(t ir.Tokens) *Statement {
	if t == ir.Any {
		return Qual(xcontent, "Any")
	}
	var s *Statement
	for _, n := range tokenNames {
		if t&n.set == 0 {
			continue
		}
		if s == nil {
			s = Qual(xcontent, n.name)
		} else {
			s.Op("|").Qual(xcontent, n.name)
		}
	}
	return s
}

// target writes the pointer that a member is decoded into, and the call that does it.
func (e *emitter) assign(m *ir.Member) *Statement {
	field := Op("&").Id("x").Dot(m.Go)
	if pointer(m) {
		return Qual(xcontent, "Opt").Call(field, Id("m"), e.elem(m.Shape, m.Wire))
	}
	return e.compose(m.Shape, field, Id("m"), m.Wire)
}

// structDecode writes the decoder of an object with known members.
func (e *emitter) structDecode(d *ir.Decl) {
	e.wrapper(d)
	e.f.Comment("Decode reads x from v.")
	e.f.Func().Params(Id("x").Op("*").Id(d.Go)).Id("Decode").Params(Id("v").Qual(jsonx, "Value")).Error().BlockFunc(func(g *Group) {
		g.Id("p").Op(":=").Add(parser(d))
		if s := d.Shortcut; s != nil {
			g.If(Id("v").Dot("Kind").Call().Op("!=").Qual(jsonx, "Object")).Block(
				Id("m").Op(":=").Id("v"),
				Return(e.assign(s)),
			)
		}
		g.If(Err().Op(":=").Id("p").Dot("Start").Call(Id("v")), Err().Op("!=").Nil()).Block(Return(Err()))
		required := 0
		for _, m := range d.Members {
			if m.Says != nil {
				required++
			}
		}
		if required > 0 {
			for _, m := range d.Members {
				if m.Says != nil {
					g.Var().Id("has" + m.Go).Bool()
				}
			}
		}
		g.For(List(Id("k"), Id("m")).Op(":=").Range().Id("v").Dot("Members").Call()).BlockFunc(func(g *Group) {
			if len(d.Members) == 0 && d.Free == nil {
				g.Return(Id("p").Dot("Unknown").Call(Id("k"), Id("m"), Nil()))
				return
			}
			g.Var().Err().Error()
			g.Switch(String().Call(Id("k").Dot("Bytes").Call())).BlockFunc(func(g *Group) { e.memberCases(g, d) })
			g.If(Err().Op("!=").Nil()).Block(Return(Id("p").Dot("Fail").Call(Id("k"), Id("m"), Err())))
		})
		for _, m := range d.Members {
			if m.Says != nil {
				g.If(Op("!").Id("has" + m.Go)).Block(Return(Parens(complaint(m.Says.Type, m.Says.Says)).Dot("At").Call(Id("v"))))
			}
		}
		g.Return(Nil())
	})
	e.knownNames(d)
}

func (e *emitter) memberCases(g *Group, d *ir.Decl) {
	var refused []Code
	for _, m := range d.Members {
		names := wireNames(m)
		if m.Refused {
			refused = append(refused, names...)
			continue
		}
		g.Case(names...).BlockFunc(func(g *Group) {
			if checked(d, m) {
				g.If(Op("!").Add(tokensOf(m)).Dot("Has").Call(Qual(xcontent, "TokenOf").Call(Id("m")))).Block(
					Return(Id("p").Dot("Wrong").Call(Id("k"), Id("m"))),
				)
			}
			g.Err().Op("=").Add(e.assign(m))
			if m.Says != nil {
				g.Id("has" + m.Go).Op("=").True()
			}
		})
	}
	if len(refused) > 0 {
		g.Case(refused...).Block(Return(Id("p").Dot("Refused").Call(Id("k"))))
	}
	g.Default().BlockFunc(func(g *Group) {
		switch {
		case d.Free == nil:
			g.Return(Id("p").Dot("Unknown").Call(Id("k"), Id("m"), Id("known"+d.Go).Call()))
		case isDict(d.Free.Shape):
			elem := d.Free.Shape.(ir.Dict).Elem
			g.Err().Op("=").Qual(xcontent, "Append").Call(Op("&").Id("x").Dot(d.Free.Go), Id("k"), Id("m"), e.elem(elem, ""))
		default:
			g.Err().Op("=").Qual(xcontent, "Only").Call(Op("&").Id("x").Dot(d.Free.Go), Id("p"), Id("k"), Id("m"), tokenSet(d.Free.Takes), e.elem(d.Free.Shape, ""))
		}
	})
}

// tokensOf writes the set in braces where it has several.
func tokensOf(m *ir.Member) *Statement {
	if m.Takes.Count() > 1 && m.Takes != ir.Any {
		return Parens(tokenSet(m.Takes))
	}
	return tokenSet(m.Takes)
}

func isDict(s ir.Shape) bool { _, ok := s.(ir.Dict); return ok }

// checked tells that the parser asks a member's token before it reads it. Loops that
// ask the name first leave scalars to complain of themselves.
func checked(d *ir.Decl, m *ir.Member) bool {
	if m.Takes == ir.Any {
		return false
	}
	if d.Parser.Style == "name" {
		return m.Takes&^(ir.Objects|ir.Arrays) == 0 || m.Checked
	}
	return true
}

func wireNames(m *ir.Member) []Code {
	names := []Code{Lit(m.Wire)}
	for _, a := range m.Aliases {
		names = append(names, Lit(a))
	}
	return names
}

// knownNames writes the names that an unknown one is compared with.
func (e *emitter) knownNames(d *ir.Decl) {
	if d.Kind == ir.Struct && (d.Free != nil || len(d.Members) == 0) {
		return
	}
	e.f.Func().Id("known" + d.Go).Params().Index().String().Block(
		Return(Index().String().ValuesFunc(func(g *Group) {
			for _, m := range d.Members {
				for _, n := range wireNames(m) {
					g.Add(n)
				}
			}
		})),
	)
}

// wrapper writes the function that makes and decodes a value.
func (e *emitter) wrapper(d *ir.Decl) {
	e.f.Commentf("Decode%s reads a %s.", d.Go, d.Go)
	e.f.Func().Id("Decode"+d.Go).Params(Id("v").Qual(jsonx, "Value")).Params(Op("*").Id(d.Go), Error()).Block(
		Id("x").Op(":=").New(Id(d.Go)),
		If(Err().Op(":=").Id("x").Dot("Decode").Call(Id("v")), Err().Op("!=").Nil()).Block(Return(Nil(), Err())),
		Return(Id("x"), Nil()),
	)
}

// oneOfDecode writes the decoder of alternatives told apart by their first token.
func (e *emitter) oneOfDecode(d *ir.Decl) {
	e.wrapper(d)
	e.f.Comment("Decode reads x from v.")
	e.f.Func().Params(Id("x").Op("*").Id(d.Go)).Id("Decode").Params(Id("v").Qual(jsonx, "Value")).Error().BlockFunc(func(g *Group) {
		g.Id("m").Op(":=").Id("v")
		var fallback *ir.Member
		g.Switch().BlockFunc(func(g *Group) {
			for i, m := range d.Members {
				if i == len(d.Members)-1 {
					fallback = m
					break
				}
				has := tokenSet(m.Takes).Dot("Has").Call(Qual(xcontent, "TokenOf").Call(Id("v")))
				if m.Takes.Count() > 1 {
					has = Parens(tokenSet(m.Takes)).Dot("Has").Call(Qual(xcontent, "TokenOf").Call(Id("v")))
				}
				if m.Shape == ir.Bool {
					has = Qual(xcontent, "IsBool").Call(Id("v"))
				}
				g.Case(has).Block(Return(e.assign(m)))
			}
		})
		g.Return(e.assign(fallback))
	})
	if d.InURL {
		e.oneOfParam(d)
	}
}
