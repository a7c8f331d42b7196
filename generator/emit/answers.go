package emit

import (
	"fmt"

	. "github.com/dave/jennifer/jen"

	"postern/generator/ir"
)

// answers writes the package of the objects that are sent.
func answers(p *ir.Program) []Source {
	var files []Source
	for _, a := range p.Answers {
		e := newEmitter(p, "answer")
		e.answer(a)
		files = append(files, e.done(fileName(a.Go)))
	}
	return files
}

func (e *emitter) answer(a *ir.Answer) {
	e.f.Commentf("%s is the specification's %s. Members that may be absent are left out when they are nil or empty.", a.Go, a.Spec)
	e.f.Type().Id(a.Go).StructFunc(func(g *Group) {
		for _, m := range a.Members {
			g.Id(m.Go).Add(sentType(m.Shape, m.Required))
		}
	})
	e.f.Comment("AppendJSON appends x with its members in Elasticsearch's order.")
	e.f.Func().Params(Id("x").Op("*").Id(a.Go)).Id("AppendJSON").Params(Id("dst").Index().Byte()).Index().Byte().BlockFunc(func(g *Group) {
		first := true
		g.Id("dst").Op("=").Append(Id("dst"), LitRune('{'))
		if len(a.Members) > 0 && !a.Members[0].Required {
			first = false
			if len(a.Members) > 1 {
				g.Id("start").Op(":=").Len(Id("dst"))
			}
		}
		for i, m := range a.Members {
			key := fmt.Sprintf("%q:", m.Wire)
			sure := first && i > 0 && a.Members[0].Required // something stands before
			write := func(g *Group) {
				switch {
				case i == 0:
				case sure:
					key = "," + key
				default:
					g.If(Len(Id("dst")).Op(">").Id("start")).Block(Id("dst").Op("=").Append(Id("dst"), LitRune(',')))
				}
				g.Id("dst").Op("=").Append(Id("dst"), Lit(key).Op("..."))
				send(g, m.Shape, Id("x").Dot(m.Go), !m.Required, 0)
			}
			if m.Required {
				write(g)
				continue
			}
			if m.Null {
				g.If(present(m)).BlockFunc(write).Else().Block(
					Id("dst").Op("=").Append(Id("dst"), Lit(","+fmt.Sprintf("%q:", m.Wire)+"null").Op("...")))
				continue
			}
			g.If(present(m)).BlockFunc(write)
		}
		g.Return(Append(Id("dst"), LitRune('}')))
	})
}

// present is the condition under which a member that may be absent is written.
func present(m *ir.AnswerMember) *Statement {
	if m.Shape.Kind == ir.SendText && !m.Required {
		return Id("x").Dot(m.Go).Op("!=").Lit("")
	}
	return Id("x").Dot(m.Go).Op("!=").Nil()
}

// sentType is the Go type of a member.
func sentType(s ir.AnswerShape, required bool) *Statement {
	optional := func(t *Statement) *Statement {
		if required {
			return t
		}
		return Op("*").Add(t)
	}
	switch s.Kind {
	case ir.SendBool:
		return optional(Bool())
	case ir.SendInt:
		return optional(Int64())
	case ir.SendDouble:
		return optional(Float64())
	case ir.SendText:
		return String()
	case ir.SendTextOrNull:
		return Op("*").String()
	case ir.SendRaw:
		return Index().Byte()
	case ir.SendList:
		return Index().Add(sentType(*s.Of, true))
	case ir.SendDict:
		return Index().Qual(jsonx, "Pair").Types(sentType(*s.Of, true))
	case ir.SendPair:
		return Qual(jsonx, "Pair").Types(sentType(*s.Of, true))
	case ir.SendAnswer:
		return optional(Id(s.Ref.Go))
	}
	return Qual(jsonx, "Appender")
}

// send writes how a value is appended; depth tells nested loops apart.
func send(g *Group, s ir.AnswerShape, x *Statement, pointer bool, depth int) {
	value := x.Clone()
	if pointer {
		value = Op("*").Add(x)
	}
	dst := func(c ...Code) { g.Id("dst").Op("=").Add(c...) }
	switch s.Kind {
	case ir.SendBool:
		dst(Qual("strconv", "AppendBool").Call(Id("dst"), value))
	case ir.SendInt:
		dst(Qual("strconv", "AppendInt").Call(Id("dst"), value, Lit(10)))
	case ir.SendDouble:
		dst(Qual(jsonx, "AppendFloat").Call(Id("dst"), value))
	case ir.SendText:
		dst(Qual(jsonx, "AppendString").Call(Id("dst"), x))
	case ir.SendTextOrNull:
		dst(Qual(jsonx, "AppendString").Call(Id("dst"), Op("*").Add(x)))
	case ir.SendRaw:
		dst(Append(Id("dst"), x.Clone().Op("...")))
	case ir.SendAnswer, ir.SendAppender:
		dst(x.Clone().Dot("AppendJSON").Call(Id("dst")))
	case ir.SendPair:
		dst(Append(Qual(jsonx, "AppendString").Call(Append(Id("dst"), LitRune('{')), x.Clone().Dot("Key")), LitRune(':')))
		send(g, *s.Of, x.Clone().Dot("Value"), false, depth)
		dst(Append(Id("dst"), LitRune('}')))
	case ir.SendList, ir.SendDict:
		i := Id(fmt.Sprintf("i%d", depth))
		brackets := [2]rune{'[', ']'}
		elem := x.Clone().Index(i)
		if s.Kind == ir.SendDict {
			brackets = [2]rune{'{', '}'}
		}
		dst(Append(Id("dst"), LitRune(brackets[0])))
		g.For(i.Clone().Op(":=").Range().Add(x)).BlockFunc(func(g *Group) {
			g.If(i.Clone().Op(">").Lit(0)).Block(Id("dst").Op("=").Append(Id("dst"), LitRune(',')))
			if s.Kind == ir.SendDict {
				g.Id("dst").Op("=").Append(Qual(jsonx, "AppendString").Call(Id("dst"), elem.Clone().Dot("Key")), LitRune(':'))
				elem = elem.Clone().Dot("Value")
			}
			send(g, *s.Of, elem, false, depth+1)
		})
		dst(Append(Id("dst"), LitRune(brackets[1])))
	}
}
