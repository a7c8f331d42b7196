package ir

import (
	"sort"
	"strings"

	"postern/spec"
)

// endpoints adds the supported endpoints with all they reach.
func (b *builder) endpoints() {
	for _, name := range spec.Names(b.support.Endpoints) {
		promise := b.support.Endpoints[name]
		e := b.model.Endpoint(name)
		if e == nil || e.Request == nil {
			b.fail(&Unmatched{File: "support.yaml", Line: "endpoints " + name})
			continue
		}
		if promise.State == spec.Refused {
			continue
		}
		b.endpoint(e, promise)
	}
}

func (b *builder) endpoint(e *spec.Endpoint, promise spec.Entry) {
	t := b.model.Type(*e.Request)
	out := &Endpoint{Name: e.Name, Go: EndpointName(e.Name)}
	for _, p := range t.Path {
		out.Path = append(out.Path, b.parameter(p, spec.Entry{State: spec.Full}, e.Name))
	}
	query := promise
	query.Members = promise.URL
	for _, p := range b.urlParameters(t) {
		if hasMember(out.Path, p.Name) {
			continue
		}
		b.used["endpoints "+e.Name+" url "+p.Name] = true
		out.Query = append(out.Query, b.parameter(p, query.Of(p.Name), e.Name))
	}
	b.extraParameters(out, e.Name)
	out.Body = b.body(e, t, promise, out)
	if says, ok := b.amended.NeedsPath[e.Name]; ok && len(out.Path) > 0 {
		b.used["needs_path "+e.Name] = true
		out.NeedsPath = says
	}
	out.Unasked = map[string]bool{}
	for _, n := range b.amended.Unasked[e.Name] {
		if !hasMember(out.Query, n) {
			b.fail(&Unmatched{File: "amendments.yaml", Line: "unasked " + e.Name + " " + n})
		}
		out.Unasked[n] = true
	}
	b.used["unasked "+e.Name] = true
	b.out.Endpoints = append(b.out.Endpoints, out)
}

func hasMember(list []*Member, wire string) bool {
	for _, m := range list {
		if m.Wire == wire {
			return true
		}
	}
	return false
}

// EndpointName is the Go name of an endpoint: indices.create is IndicesCreate.
func EndpointName(dotted string) string { return GoName(dotted) }

// common are the parameters that every endpoint has and the HTTP layer answers to.
var common = map[string]bool{"pretty": true, "human": true, "error_trace": true, "filter_path": true}

// urlParameters are a request's own parameters and those of the behaviours that it
// or its ancestors have, but for the common ones.
func (b *builder) urlParameters(t *spec.Type) []*spec.Property {
	out := append([]*spec.Property(nil), t.Query...)
	for at := t; at != nil; {
		for _, use := range at.Behaviors {
			if behaviour := b.model.Type(use.Type); behaviour != nil {
				for _, p := range behaviour.Properties {
					if !common[p.Name] {
						out = append(out, p)
					}
				}
			}
		}
		if at.Inherits == nil {
			break
		}
		at = b.model.Type(at.Inherits.Type)
	}
	return out
}

func (b *builder) parameter(p *spec.Property, promise spec.Entry, endpoint string) *Member {
	m := &Member{Go: GoName(p.Name), Wire: p.Name, Aliases: p.Aliases, Required: p.Required}
	if m.Refused = promise.State == spec.Refused; m.Refused {
		return m
	}
	for _, line := range []string{p.Name, endpoint + " " + p.Name} {
		if fix, ok := b.amended.URL[line]; ok {
			b.used["url "+line] = true
			m.Fix = fix
		}
	}
	if m.Fix.As != "" {
		m.Shape = b.written(m.Fix.As, endpoint+"?"+p.Name)
	} else {
		m.Shape = b.resolve(p.Type, nil, endpoint+"?"+p.Name)
	}
	if m.Shape == nil {
		m.Refused = true
	}
	if ref, ok := m.Shape.(Ref); ok && ref.Decl.Kind == OneOf {
		ref.Decl.InURL = true
	}
	return m
}

// extraParameters adds the URL parameters beyond the specification. "*" holds for
// every endpoint that has a body.
func (b *builder) extraParameters(out *Endpoint, endpoint string) {
	extra := b.amended.Parameters[endpoint]
	names := make([]string, 0, len(extra))
	for n := range extra {
		names = append(names, n)
	}
	sort.Strings(names)
	b.used["parameters "+endpoint] = true
	for _, n := range names {
		if hasMember(out.Query, n) || hasMember(out.Path, n) {
			b.fail(&CaughtUp{Line: "parameters " + endpoint + " " + n})
			continue
		}
		if s := b.written(extra[n].As, endpoint+"?"+n); s != nil {
			out.Query = append(out.Query, &Member{Go: GoName(n), Wire: n, Aliases: extra[n].Aliases, Shape: s})
		}
	}
}

func (b *builder) body(e *spec.Endpoint, t *spec.Type, promise spec.Entry, out *Endpoint) Body {
	body := Body{Required: e.RequestBodyRequired, Needs: "request body is required"}
	if says, ok := b.amended.Needs[e.Name]; ok {
		b.used["needs "+e.Name] = true
		body.Needs, body.Required = says, says != ""
	}
	if _, ok := b.amended.Truncated[e.Name]; ok {
		b.used["truncated "+e.Name] = true
		body.Truncated = true
	}
	form, amended := b.amended.Bodies[e.Name]
	if amended {
		b.used["bodies "+e.Name] = true
	}
	switch {
	case t.Body == nil || t.Body.Kind == "no_body":
		return Body{}
	case strings.HasPrefix(form, "bytes"):
		body.Kind = Bytes
	case strings.HasPrefix(form, "value"):
		body.Kind = Value
	case t.Body.Kind == "properties":
		body.Kind = Object
		body.Decl = b.bodyDecl(e, t, promise, out)
	default:
		b.unsupported(e.Name, "a body that is a value and has no line under bodies in amendments.yaml")
	}
	return body
}

func (b *builder) bodyDecl(e *spec.Endpoint, t *spec.Type, promise spec.Entry, out *Endpoint) *Decl {
	name := spec.Name{Namespace: t.Name.Namespace, Name: "Body"}
	full := e.Name + " body"
	d := &Decl{Package: b.pkg.Name, Go: out.Go + "Body", Spec: name, Kind: Struct, Top: true}
	parser := b.amended.Parsers[full]
	if parser.Style == "" {
		parser.Style = "object"
	}
	b.used["parsers "+full] = true
	d.Parser = Parser{Style: parser.Style, Name: parser.Name, ParserOf: parser}
	b.pkg.Decls = append(b.pkg.Decls, d)
	generics := env{}
	for _, g := range t.Generics {
		generics[g] = nil
	}
	members := promise
	members.Members = promise.Body
	for _, p := range t.Body.Properties {
		b.used["endpoints "+e.Name+" body "+p.Name] = true
		if m := b.member(p, generics, members.Of(p.Name), parser, full, d.Parser.Style); m != nil {
			d.Members = append(d.Members, m)
		}
	}
	b.extras(d, parser, full)
	return d
}
