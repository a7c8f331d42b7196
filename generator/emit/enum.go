package emit

import (
	. "github.com/dave/jennifer/jen"

	"postern/generator/ir"
)

// enumParse writes how an enum's word is read, from a parameter and from a body.
func (e *emitter) enumParse(d *ir.Decl) {
	e.f.Comment("Parse reads the word that stands in a parameter.")
	e.f.Func().Params(Id("x").Op("*").Id(d.Go)).Id("Parse").Params(Id("word").String()).Error().BlockFunc(func(g *Group) {
		word := Id("word")
		if d.Enum.Fold {
			word = Qual("strings", "ToLower").Call(Id("word"))
		}
		g.Switch(word).BlockFunc(func(g *Group) {
			for _, w := range d.Words {
				words := []Code{Lit(w.Wire)}
				for _, a := range w.Aliases {
					if _, also := d.Enum.Also[a]; also || !d.Enum.Fold {
						words = append(words, Lit(a))
					}
				}
				g.Case(words...).Block(Op("*").Id("x").Op("=").Id(w.Go))
			}
			g.Default().Block(Return(Qual(xcontent, "UnknownWord").Call(Lit(d.Enum.Type), Lit(e.unknownWord(d)), Id("word"))))
		})
		g.Return(Nil())
	})
	e.f.Comment("Decode reads x from v.")
	e.f.Func().Params(Id("x").Op("*").Id(d.Go)).Id("Decode").Params(Id("v").Qual(jsonx, "Value")).Error().Block(
		Var().Id("word").String(),
		If(Err().Op(":=").Qual(xcontent, "Text").Call(Op("&").Id("word"), Id("v")), Err().Op("!=").Nil()).Block(Return(Err())),
		Return(Qual(xcontent, "At").Call(Id("v"), Id("x").Dot("Parse").Call(Id("word")))),
	)
}

func (e *emitter) unknownWord(d *ir.Decl) string {
	if d.Enum.Unknown != "" {
		return d.Enum.Unknown
	}
	return "unknown " + d.Parser.Name + " [%s]"
}
