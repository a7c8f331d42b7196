package emit

import (
	. "github.com/dave/jennifer/jen"

	"postern/generator/ir"
)

const fiber = "github.com/gofiber/fiber/v2"

// routes writes the package that leads from method and path to a server's methods.
func routes(p *ir.Program) []Source {
	server := newEmitter(p, "routes")
	server.server(p)
	table := newEmitter(p, "routes")
	table.table(p)
	return []Source{server.done("server"), table.done("table")}
}

func (e *emitter) server(p *ir.Program) {
	api := generatedPath("api")
	e.f.PackageComment("Package routes leads from the method and path of a request to the Server's method for its endpoint.")
	e.f.Comment("Server answers the supported endpoints.")
	e.f.Type().Id("Server").InterfaceFunc(func(g *Group) {
		for _, ep := range p.Endpoints {
			g.Id(ep.Go).Params(Id("ctx").Qual("context", "Context"), Id("r").Op("*").Qual(api, ep.Go+"Request")).Params(Id("Answer"), Error())
		}
	})
	e.f.Comment("Answer is the body of an answer. One that also has the method Status() int has another status than 200.")
	e.f.Type().Id("Answer").Interface(Id("AppendJSON").Params(Id("dst").Index().Byte()).Index().Byte())
	e.f.Comment("Call decodes a request and has the Server answer it.")
	e.f.Type().Id("Call").Func().Params(Id("ctx").Qual("context", "Context"), Id("s").Id("Server"), Id("in").Op("*").Qual(rest, "Input")).Params(Id("Answer"), Error())
	for _, ep := range p.Endpoints {
		e.f.Func().Id("call"+ep.Go).Params(Id("ctx").Qual("context", "Context"), Id("s").Id("Server"), Id("in").Op("*").Qual(rest, "Input")).Params(Id("Answer"), Error()).Block(
			List(Id("r"), Err()).Op(":=").Qual(api, "Decode"+ep.Go+"Request").Call(Id("in")),
			If(Err().Op("!=").Nil()).Block(Return(Nil(), Err())),
			Return(Id("s").Dot(ep.Go).Call(Id("ctx"), Id("r"))),
		)
	}
}

func (e *emitter) table(p *ir.Program) {
	e.f.Comment("Route is one distinct shape of method and path.")
	e.f.Type().Id("Route").Struct(
		Id("Method").String(),
		Id("Path").String(),
		Comment("Endpoint is the name of the endpoint, or of all that share the shape."),
		Id("Endpoint").String(),
		Comment("Call is nil for what Postern does not support."),
		Id("Call").Id("Call"),
	)
	e.f.Comment("Table lists all routes of the specification, sorted by path.")
	e.f.Func().Id("Table").Params().Index().Id("Route").Block(
		Return(Index().Id("Route").ValuesFunc(func(g *Group) {
			for _, r := range p.Routes {
				call := Nil()
				name := joined(r.Names)
				if r.Endpoint != nil {
					call, name = Id("call"+r.Endpoint.Go), r.Endpoint.Name
				}
				g.Line().Values(Lit(r.Method), Lit(r.Path), Lit(name), call)
			}
			g.Line()
		})),
	)
	e.f.Comment("NewTrie makes the path trie of all routes, with those of earlier versions that nobody answers.")
	e.f.Func().Id("NewTrie").Params().Op("*").Qual(rest, "Trie").Types(Id("Route")).BlockFunc(func(g *Group) {
		g.Id("table").Op(":=").Id("Table").Call()
		g.Id("trie").Op(":=").Qual(rest, "NewTrie").Types(Id("Route")).Call()
		g.For(Id("i").Op(":=").Range().Id("table")).Block(
			Id("trie").Dot("Add").Call(Id("table").Index(Id("i")).Dot("Method"), Id("table").Index(Id("i")).Dot("Path"), Op("&").Id("table").Index(Id("i"))),
		)
		for _, r := range p.Legacy {
			g.Id("trie").Dot("Add").Call(Lit(r.Method), Lit(r.Path), Nil())
		}
		g.Return(Id("trie"))
	})
	e.f.Comment("Handle is the HTTP layer's part of a request. It reads the URL's parameters and the body into in, whose Path is already there, has call answer, and writes the answer or the error. A nil r means that no route matched; call then gives the error.")
	e.f.Type().Id("Handle").Func().Params(
		Id("c").Op("*").Qual(fiber, "Ctx"), Id("r").Op("*").Id("Route"), Id("in").Op("*").Qual(rest, "Input"),
		Id("call").Func().Params(Id("ctx").Qual("context", "Context")).Params(Id("Answer"), Error()),
	).Error()
	e.f.Comment("Register routes every request of app: to s, or to the error that Elasticsearch answers.")
	e.f.Func().Id("Register").Params(Id("app").Qual(fiber, "Router"), Id("s").Id("Server"), Id("h").Id("Handle")).Block(
		Id("trie").Op(":=").Id("NewTrie").Call(),
		Id("app").Dot("Use").Call(Func().Params(Id("c").Op("*").Qual(fiber, "Ctx")).Error().Block(
			List(Id("r"), Id("in"), Err()).Op(":=").Id("trie").Dot("Find").Call(Id("c").Dot("Method").Call(), String().Call(Id("c").Dot("Request").Call().Dot("URI").Call().Dot("PathOriginal").Call()), Id("c").Dot("OriginalURL").Call()),
			Return(Id("h").Call(Id("c"), Id("r"), Id("in"), Func().Params(Id("ctx").Qual("context", "Context")).Params(Id("Answer"), Error()).Block(
				Switch().Block(
					Case(Err().Op("!=").Nil()).Block(Return(Nil(), Err())),
					Case(Id("r").Dot("Call").Op("==").Nil()).Block(Return(Nil(), Qual(rest, "RefusedEndpoint").Call(Id("r").Dot("Endpoint")))),
				),
				Return(Id("r").Dot("Call").Call(Id("ctx"), Id("s"), Id("in"))),
			))),
		)),
	)
}

func joined(names []string) string {
	out := ""
	for i, n := range names {
		if i > 0 {
			out += ", "
		}
		out += n
	}
	return out
}
