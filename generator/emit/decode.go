package emit

import (
	"slices"

	. "github.com/dave/jennifer/jen"

	"postern/generator/ir"
	"postern/spec"
)

var styles = map[string]string{"object": "Object", "wrapped": "Wrapped", "query": "Query", "name": "NameFirst", "loop": "Loop", "aggregation": "Aggregation"}

// parser writes the value of a type's parser.
func parser(d *ir.Decl) *Statement {
	values := Dict{
		Id("Style"): Qual(xcontent, styles[d.Parser.Style]),
		Id("Name"):  Lit(d.Parser.Name),
	}
	if d.InDefinition {
		values[Id("Of")] = Id("of")
	}
	for name, c := range map[string]*spec.Complaint{"UnknownSays": d.Parser.Unknown, "StartSays": d.Parser.Start, "OtherSays": d.Parser.Other} {
		if c != nil {
			values[Id(name)] = complaint(c)
		}
	}
	if d.Parser.AtKey {
		values[Id("AtKey")] = True()
	}
	if d.Top {
		values[Id("Top")] = True()
	}
	if d.Parser.Other != nil {
		of := ir.Nulls | ir.Arrays
		if d.Parser.OtherOf != "" {
			of = ir.MustTokens(d.Parser.OtherOf)
		}
		values[Id("OtherOf")] = tokenSet(of)
	}
	return Qual(xcontent, "Parser").Values(values)
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
		ir.Text: "Text", ir.Words: "Words", ir.Value_: "Value", ir.AnyScalar: "Scalar",
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
		if single, ok := s.Elem.(ir.Single); ok {
			return Qual(xcontent, "Singles").Call(x, v, e.elem(single.Elem, setting))
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
		p, rules := Op("&").Qual(xcontent, "Parser").Values(), Qual(xcontent, "FieldRules").Values(Dict{Id("Scalar"): True()})
		if ref, ok := s.Elem.(ir.Ref); ok {
			p = Op("&").Add(parser(ref.Decl))
			if ref.Decl.Kind != ir.Enum {
				rules = fieldRules(ref.Decl)
			}
		}
		missing := Nil()
		if ref, ok := s.Elem.(ir.Ref); ok && lateComplaint(ref.Decl) != nil {
			missing = Parens(Op("*").Add(e.goType(s.Elem))).Dot("missing")
		}
		return Qual(xcontent, "Single").Call(x, v, p, rules, e.elem(s.Elem, setting), missing)
	}
	return e.elem(s, setting).Call(x, v)
}

func fieldRules(d *ir.Decl) *Statement {
	f := d.Parser.Field
	values := Dict{}
	if f.None != nil {
		values[Id("None")] = complaint(f.None)
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

func complaint(c *spec.Complaint) *Statement {
	return Qual(xcontent, "Complaint").Values(Dict{Id("Type"): Lit(c.Type), Id("Says"): Lit(c.Says)})
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

// reader writes the function that decodes a member's shape, as amended.
func (e *emitter) reader(m *ir.Member) *Statement {
	setting := m.Wire
	if m.Fix.Setting != "" {
		setting = m.Fix.Setting
	}
	if m.Fix.Read != "" && (m.Shape == ir.Duration || m.Shape == ir.Bool) {
		return Qual(xcontent, m.Fix.Read).Call(Lit(setting))
	}
	elem := e.elem(m.Shape, setting)
	if m.Fix.Read != "" && (m.Shape == ir.Text || m.Shape == ir.Int || m.Shape == ir.Double) {
		elem = Qual(xcontent, m.Fix.Read)
	}
	if m.Fix.Array != "" {
		elem = Qual(xcontent, "NoArray").Call(Lit(m.Fix.Array), elem)
	}
	return elem
}

// assign writes the call that decodes m into the field of x.
func (e *emitter) assign(d *ir.Decl, m *ir.Member) *Statement {
	field := Op("&").Id("x").Dot(m.Go)
	list, isList := m.Shape.(ir.List)
	switch {
	case pointer(m) && m.Takes&ir.Nulls != 0 && m.Takes != ir.Any:
		return Qual(xcontent, "OptOrNull").Call(field, Id("m"), e.reader(m))
	case pointer(m):
		return Qual(xcontent, "Opt").Call(field, Id("m"), e.reader(m))
	case m.Fix.Read != "" && isList: // a reader of its own for pairs
		single := list.Elem.(ir.Single)
		return Qual(xcontent, m.Fix.Read).Call(field, Id("m"), e.elem(single.Elem, m.Wire))
	case isList && m.Fix.Elem != nil:
		name := "List"
		if list.One {
			name = "OneOrMany"
		}
		elem := Qual(xcontent, "Elem").Call(tokenSet(ir.MustTokens(m.Fix.Elem.Takes)), complaint(m.Fix.Elem.Says), e.elem(list.Elem, m.Wire))
		return Qual(xcontent, name).Call(field, Id("m"), elem)
	case isList && list.One && isObjectStyle(d) && isObject(list.Elem):
		return Qual(xcontent, "OneOrMany").Call(field, Id("m"), Qual(xcontent, "Inner").Call(e.elem(list.Elem, m.Wire)))
	case m.Fix.Array != "", m.Fix.Read != "" && m.Shape == ir.Double:
		return e.reader(m).Call(field, Id("m"))
	}
	return e.compose(m.Shape, field, Id("m"), m.Wire)
}

func isObjectStyle(d *ir.Decl) bool {
	return d.Parser.Style == "object" || d.Parser.Style == "wrapped"
}

func isObject(s ir.Shape) bool {
	ref, ok := s.(ir.Ref)
	return ok && (ref.Decl.Kind == ir.Struct || ref.Decl.Kind == ir.Container)
}

// lateComplaint is the one of a clause's required member that stands at the end of the
// braces around the clause, so that the decoder inside can't make it.
func lateComplaint(d *ir.Decl) *spec.Complaint {
	if d.Parser.Field.None == nil {
		return nil
	}
	for _, m := range d.Members {
		if m.Says != nil && m.Says.Type == "parsing_exception" {
			return m.Says
		}
	}
	return nil
}

// structDecode writes the decoder of an object with known members.
func (e *emitter) structDecode(d *ir.Decl) {
	e.wrapper(d)
	e.f.Comment("Decode reads x from v.")
	decode := e.f.Func().Params(Id("x").Op("*").Id(d.Go)).Id("Decode").Params(Id("v").Qual(jsonx, "Value")).Error()
	if d.InDefinition {
		decode.Block(Return(Id("x").Dot("decode").Call(Lit(""), Id("v"))))
		decode = e.f.Func().Params(Id("x").Op("*").Id(d.Go)).Id("decode").Params(Id("of").String(), Id("v").Qual(jsonx, "Value")).Error()
	}
	decode.BlockFunc(func(g *Group) {
		g.Id("p").Op(":=").Add(parser(d))
		e.shorthand(g, d)
		g.If(Err().Op(":=").Id("p").Dot("Start").Call(Id("v")), Err().Op("!=").Nil()).Block(Return(Err()))
		required, pair := requiredMembers(d), pairOf(d)
		if pair != nil {
			g.Var().Id("arrived").Int()
		}
		for _, m := range required {
			g.Var().Id("has" + m.Go).Bool()
		}
		g.For(List(Id("k"), Id("m")).Op(":=").Range().Id("v").Dot("Members").Call()).BlockFunc(func(g *Group) {
			if len(d.Members) == 0 && d.Free == nil {
				g.Return(Id("p").Dot("Unknown").Call(Id("k"), Id("m"), Nil()))
				return
			}
			g.Var().Err().Error()
			if free := d.Free; free != nil && d.Parser.Style == "query" && !isDict(free.Shape) {
				// such a token is the free key's, whatever its name; the rest is asked by name first
				g.If(tokensIn(free.Takes&^(ir.Nulls|ir.Bools|ir.Numbers|ir.Strings)).Dot("Has").Call(Qual(xcontent, "TokenOf").Call(Id("m")))).Block(
					If(Err().Op("=").Add(e.only(d)), Err().Op("!=").Nil()).Block(Return(Err())),
					Continue(),
				)
			}
			g.Switch(String().Call(Id("k").Dot("Bytes").Call())).BlockFunc(func(g *Group) { e.memberCases(g, d) })
			if pair != nil {
				g.If(Err().Op("==").Nil().Op("&&").Id("arrived").Op("==").Lit(2)).Block(Err().Op("=").Add(judge(d, pair)))
			}
			g.If(Err().Op("!=").Nil()).Block(Return(Id("p").Dot("Fail").Call(Id("k"), Id("m"), Err())))
		})
		if pair != nil {
			g.If(Id("arrived").Op("<").Lit(2)).Block(
				If(Err().Op(":=").Add(judge(d, pair)), Err().Op("!=").Nil()).Block(Return(Qual(xcontent, "AtEnd").Call(Id("v"), Err()))))
		}
		e.complaints(g, d, required)
		g.Return(Nil())
	})
	if c := lateComplaint(d); c != nil {
		e.missing(d, c)
	}
	e.knownNames(d)
}

// pairOf are the two members of d that are judged together.
func pairOf(d *ir.Decl) []*ir.Member {
	if d.Parser.Pair == nil {
		return nil
	}
	var out []*ir.Member
	for _, name := range d.Parser.Pair.Members {
		for _, m := range d.Members {
			if m.Wire == name && !m.Refused {
				out = append(out, m)
			}
		}
	}
	return out
}

// judge writes the call that judges a pair.
func judge(d *ir.Decl, pair []*ir.Member) *Statement {
	return Qual(xcontent, d.Parser.Pair.Read).Call(Op("&").Id("p"), Id("x").Dot(pair[0].Go), Id("x").Dot(pair[1].Go))
}

// requiredMembers are those whose absence is complained of, by the decoder itself.
func requiredMembers(d *ir.Decl) []*ir.Member {
	var out []*ir.Member
	for _, m := range d.Members {
		if m.Refused {
			continue
		}
		if m.Says != nil && m.Says != lateComplaint(d) || d.Parser.Constructed && m.Required {
			out = append(out, m)
		}
	}
	return out
}

// shorthand writes how a value without braces is read.
func (e *emitter) shorthand(g *Group, d *ir.Decl) {
	s := d.Shortcut
	if s == nil {
		return
	}
	g.If(tokensIn(d.Shorthand).Dot("Has").Call(Qual(xcontent, "TokenOf").Call(Id("v")))).BlockFunc(func(g *Group) {
		g.Id("m").Op(":=").Id("v")
		if s.Says != nil && s.Says != lateComplaint(d) && d.Shorthand&ir.Nulls != 0 && s.Shape != ir.Text {
			g.If(Id("m").Dot("Kind").Call().Op("==").Qual(jsonx, "Null")).Block(Return(Id("p").Dot("Missing").Call(Id("v"), complaint(s.Says))))
		}
		plain := *s // the elements' own rules hold inside the braces only
		plain.Fix.Elem = nil
		g.Return(e.assign(d, &plain))
	})
}

func tokensIn(t ir.Tokens) *Statement {
	if t.Count() > 1 && t != ir.Any {
		return Parens(tokenSet(t))
	}
	return tokenSet(t)
}

// complaints writes the complaints about absent members.
func (e *emitter) complaints(g *Group, d *ir.Decl, required []*ir.Member) {
	if d.Parser.Constructed && len(required) > 0 {
		g.Var().Id("absent").Index().String()
		for _, m := range required {
			g.If(Op("!").Id("has" + m.Go)).Block(Id("absent").Op("=").Append(Id("absent"), Lit(m.Wire)))
		}
		g.If(Len(Id("absent")).Op(">").Lit(0)).Block(Return(Id("p").Dot("Required").Call(Id("v"), Id("absent"))))
		return
	}
	for _, m := range required {
		g.If(Op("!").Id("has" + m.Go)).Block(Return(Id("p").Dot("Missing").Call(Id("v"), complaint(m.Says))))
	}
	if c := d.Parser.Required["*"]; c != nil && d.Free != nil {
		g.If(Id("x").Dot(d.Free.Go).Op("==").Nil()).Block(Return(Id("p").Dot("Missing").Call(Id("v"), complaint(c))))
	}
}

// missing writes the complaint that the braces around a clause make.
func (e *emitter) missing(d *ir.Decl, c *spec.Complaint) {
	for _, m := range d.Members {
		if m.Says == c {
			e.f.Func().Params(Id("x").Op("*").Id(d.Go)).Id("missing").Params().Qual(xcontent, "Complaint").Block(
				If(Id("x").Dot(m.Go).Dot("Exists").Call()).Block(Return(Qual(xcontent, "Complaint").Values())),
				Return(complaint(c)),
			)
		}
	}
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
				wrong := Id("p").Dot("Wrong").Call(Id("k"), Id("m"))
				if m.Fix.Wrong != nil {
					of := Qual(xcontent, "Any")
					if m.Fix.WrongOf != "" {
						of = tokenSet(ir.MustTokens(m.Fix.WrongOf))
					}
					wrong = Id("p").Dot("WrongSays").Call(Id("k"), Id("m"), of, complaint(m.Fix.Wrong))
				}
				g.If(Op("!").Add(tokensIn(m.Takes)).Dot("Has").Call(Qual(xcontent, "TokenOf").Call(Id("m")))).Block(Return(wrong))
			}
			g.Err().Op("=").Add(e.assign(d, m))
			e.excludes(g, d, m)
			if m.Fix.Because != "" {
				g.Err().Op("=").Qual(xcontent, "Because").Call(Id("m"), Err(), Lit(m.Fix.Because))
			}
			if m.Fix.Whole != "" {
				g.Err().Op("=").Qual(xcontent, "Whole").Call(Id("m"), Err(), Lit(m.Fix.Whole))
			}
			e.bounds(g, d, m)
			if slices.Contains(pairOf(d), m) {
				g.Id("arrived").Op("++")
			}
			for _, r := range requiredMembers(d) {
				if r == m {
					has := True()
					if m.Shape == ir.Value_ || m.Shape == ir.AnyScalar || m.Takes&ir.Nulls != 0 {
						has = Id("m").Dot("Kind").Call().Op("!=").Qual(jsonx, "Null")
					}
					g.Id("has" + m.Go).Op("=").Add(has)
				}
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
			g.Err().Op("=").Add(e.only(d))
		}
	})
}

// length writes how many elements a list, or the list among alternatives, has.
func (e *emitter) length(m *ir.Member) *Statement {
	ref, ok := m.Shape.(ir.Ref)
	if !ok {
		return Len(Id("x").Dot(m.Go))
	}
	var sum *Statement
	for _, alt := range ref.Decl.Members {
		switch alt.Shape.(type) {
		case ir.List, ir.Dict:
			n := Len(Id("x").Dot(m.Go).Dot(alt.Go))
			if sum != nil {
				n = sum.Op("+").Add(n)
			}
			sum = n
		}
	}
	return sum
}

// excludes writes the complaint about two members that do not go together.
func (e *emitter) excludes(g *Group, d *ir.Decl, m *ir.Member) {
	if m.Fix.Excludes == nil {
		return
	}
	for _, other := range d.Members {
		if other.Wire == m.Fix.Excludes.Member {
			absent := Nil()
			if !pointer(other) {
				absent = Lit(0)
			}
			g.If(Err().Op("==").Nil().Op("&&").Id("x").Dot(other.Go).Op("!=").Add(absent)).Block(
				Err().Op("=").Qual(eserr, "IllegalArgument").Call(Lit(m.Fix.Excludes.Says)))
		}
	}
}

// only writes the call that reads the one member with a free key.
func (e *emitter) only(d *ir.Decl) *Statement {
	return Qual(xcontent, "Only").Call(Op("&").Id("x").Dot(d.Free.Go), Op("&").Id("p"), Id("k"), Id("m"), tokenSet(d.Free.Takes), e.elem(d.Free.Shape, ""))
}

// bounds writes what is said of a number or list that is too small.
func (e *emitter) bounds(g *Group, d *ir.Decl, m *ir.Member) {
	of := Lit("")
	if d.InDefinition {
		of = Id("of")
	}
	var check *Statement
	switch {
	case m.Fix.Empty != nil:
		g.If(Err().Op("==").Nil().Op("&&").Add(e.length(m)).Op("==").Lit(0)).Block(
			Err().Op("=").Id("p").Dot("Missing").Call(Id("m"), complaint(m.Fix.Empty)))
		return
	case m.Fix.Least != "":
		least := Lit(m.Fix.Min)
		if m.Shape == ir.Int || m.Shape == ir.Long {
			least = Lit(int(m.Fix.Min))
		}
		at := Id("x").Dot(m.Go)
		if !pointer(m) {
			at = Op("&").Add(at)
		}
		check = Qual(xcontent, "Least").Call(at, least, Lit(m.Fix.Least), of)
	default:
		return
	}
	g.If(Err().Op("==").Nil()).Block(Err().Op("=").Add(check))
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
				g.Case(has).Block(Return(e.assign(d, m)))
			}
		})
		g.Return(e.assign(d, fallback))
	})
	if d.InURL {
		e.oneOfParam(d)
	}
}
