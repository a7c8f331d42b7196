package ir

import (
	"slices"
	"sort"
	"strings"

	"postern/spec"
)

// ref declares a type that is reached for the first time, in the package that is
// being built.
func (b *builder) ref(t *spec.Type, args env, where string) Shape {
	suffix := describe(args, t.Generics)
	key := t.Name.String() + "<" + suffix
	if d := b.decls[key]; d != nil {
		return Ref{d}
	}
	if t.Kind == spec.Enum {
		if t.IsOpen {
			return Text // other words are not wrong
		}
		return Ref{b.enum(t, key)}
	}
	kind := Struct
	if t.Variants != nil && t.Variants.Kind == "container" {
		kind = Container
	}
	d := b.declare(t.Name, suffix, kind, key)
	promise := b.promise(t.Name)
	if kind == Container {
		promise = b.containerPromise(t)
	}
	for _, p := range b.properties(t, args, where) {
		parser, at := b.parserOf(p.owner, t, suffix, p.Name)
		if m := b.member(p.Property, p.env, promise.Of(p.Name), parser, at, d.Parser.Style); m != nil {
			// what a container inherits, such as a boost, is none of its kinds
			m.Beside = m.Beside || kind == Container && p.owner != t
			d.Members = append(d.Members, m)
		}
	}
	own := b.amended.Parsers[t.Name.String()]
	b.same(d, own)
	b.extras(d, own, t.Name.String())
	b.free(d, t, args)
	b.shortcut(d, t, own)
	return Ref{d}
}

// parserOf finds the line of amendments.yaml that speaks of a member: that of the
// type, with or without its type arguments, or of the ancestor that has the property.
func (b *builder) parserOf(owner, t *spec.Type, suffix, member string) (spec.ParserOf, string) {
	for _, name := range []string{t.Name.String() + " " + suffix, t.Name.String(), owner.Name.String()} {
		p, ok := b.amended.Parsers[name]
		if !ok {
			continue
		}
		b.used["parsers "+name] = true
		_, fixed := p.Members[member]
		_, required := p.Required[member]
		if fixed || required {
			return p, name
		}
	}
	return spec.ParserOf{}, t.Name.String()
}

// same turns members that are another name of one into its aliases.
func (b *builder) same(d *Decl, parser spec.ParserOf) {
	for _, name := range keys(parser.Members) {
		into := parser.Members[name].Same
		for _, m := range d.Members {
			if into != "" && m.Wire == into {
				m.Aliases = append(m.Aliases, name)
			}
		}
	}
}

// shortcut finds the member that a value without braces stands for.
func (b *builder) shortcut(d *Decl, t *spec.Type, parser spec.ParserOf) {
	name := t.ShortcutProperty
	if parser.Shortcut != "" {
		if name != "" {
			b.fail(&CaughtUp{Line: "parsers " + t.Name.String() + " shortcut"})
		}
		name = parser.Shortcut
	}
	for _, m := range d.Members {
		if name != "" && m.Wire == name && !m.Refused {
			d.Shortcut = m
		}
	}
	if d.Shortcut == nil {
		return
	}
	_, list := d.Shortcut.Shape.(List)
	switch {
	case parser.Shorthand != "":
		set, err := parseTokens(parser.Shorthand)
		if err != nil {
			b.unsupported(t.Name.String(), "%v", err)
		}
		d.Shorthand = set
	case parser.Field.Scalar:
		d.Shorthand = Any &^ Objects
	case list:
		d.Shorthand = d.Shortcut.Takes
	default:
		d.Shorthand = Bools | Numbers | Strings
	}
}

// containerPromise is what support.yaml says of a container's kinds.
func (b *builder) containerPromise(t *spec.Type) spec.Entry {
	switch t.Name.String() {
	case roots[0].container:
		return spec.Entry{State: spec.Partial, Members: b.support.Queries}
	case roots[1].container:
		return spec.Entry{State: spec.Partial, Members: b.support.Aggregations}
	}
	return b.promise(t.Name)
}

func (b *builder) declare(name spec.Name, suffix string, kind DeclKind, key string) *Decl {
	goName := GoName(name.Name) + suffix
	if n, ok := b.amended.Names[name.String()]; ok {
		b.used["names "+name.String()] = true
		goName = n + suffix
	}
	d := &Decl{Package: b.pkg.Name, Go: goName, Spec: name, Kind: kind}
	if p, ok := b.amended.Parsers[name.String()]; ok {
		b.used["parsers "+name.String()] = true
		d.Parser = Parser{Style: p.Style, Name: p.Name, ParserOf: p}
	}
	if p, ok := b.amended.Parsers[name.String()+" "+suffix]; ok && suffix != "" {
		b.used["parsers "+name.String()+" "+suffix] = true
		d.Parser = Parser{Style: p.Style, Name: p.Name, ParserOf: p}
	}
	if d.Parser.Style == "" {
		d.Parser.Style = "object"
	}
	if d.Parser.Name == "" {
		d.Parser.Name = snake(name.Name)
		if k, ok := b.kindOf(name); ok {
			d.Parser.Name = k.key
		}
	}
	if k, ok := b.kindOf(name); ok && kind == Struct && k.container == roots[1].container {
		d.InDefinition = true
	}
	b.decls[key] = d
	if other := b.taken[b.pkg.Name+"."+goName]; other != nil {
		b.unsupported(name.String(), "its Go name %s is also that of %s: give one a name in amendments.yaml", goName, other.Spec)
	}
	b.taken[b.pkg.Name+"."+goName] = d
	b.pkg.Decls = append(b.pkg.Decls, d)
	return d
}

// ownProperty is a property with the type arguments that hold where it stands.
type ownProperty struct {
	*spec.Property
	env   env
	owner *spec.Type
}

// properties lists the properties of a type, those of its ancestors first.
func (b *builder) properties(t *spec.Type, args env, where string) []ownProperty {
	var out []ownProperty
	if t.Inherits != nil {
		if parent := b.model.Type(t.Inherits.Type); parent != nil {
			inherited := env{}
			for i, g := range parent.Generics {
				if i < len(t.Inherits.Generics) {
					inherited[g] = substitute(t.Inherits.Generics[i], args)
				}
			}
			out = b.properties(parent, inherited, where)
		}
	}
	for _, p := range t.Properties {
		out = append(out, ownProperty{p, args, t})
	}
	return out
}

func (b *builder) member(p *spec.Property, e env, promise spec.Entry, parser spec.ParserOf, where, style string) *Member {
	fix, fixed := parser.Members[p.Name]
	if fixed {
		b.used["parsers "+where+" "+p.Name] = true
	}
	if fix.Gone || fix.Same != "" {
		return nil
	}
	m := &Member{Go: GoName(p.Name), Wire: p.Name, Aliases: p.Aliases, Required: p.Required, Beside: p.ContainerProperty}
	if m.Refused = promise.State == spec.Refused && !p.ContainerProperty; m.Refused {
		return m
	}
	m.Shape = b.resolve(p.Type, e, where+"."+p.Name)
	if m.Shape == nil {
		m.Refused = true
		return m
	}
	m.Takes = m.Shape.tokens()
	if fixed {
		b.fix(m, fix, where+"."+p.Name)
	}
	m.Takes = byStyle(m, style)
	if m.Fix.Takes == "" && nullable(p.Type) {
		m.Takes |= Nulls
	}
	if says, ok := parser.Required[p.Name]; ok {
		b.used["parsers "+where+" required "+p.Name] = true
		m.Says = says
	}
	return m
}

// nullable tells T | null.
func nullable(v *spec.Value) bool {
	for _, it := range v.Items {
		if it.Kind == spec.InstanceOf && it.Type.Builtin() && it.Type.Name == "null" {
			return true
		}
	}
	return false
}

// byStyle widens what a member takes: the hand-written loops see any scalar as a
// value, and leave it to the value to complain.
func byStyle(m *Member, style string) Tokens {
	if style == "object" || style == "wrapped" || m.Fix.Takes != "" {
		return m.Takes
	}
	ref, ok := m.Shape.(Ref)
	s, scalar := m.Shape.(Scalar)
	if scalar && s != Value_ || ok && ref.Decl.Kind == Enum {
		return m.Takes&^Nulls | Bools | Numbers | Strings
	}
	return m.Takes
}

// fix applies an amendment to a member.
func (b *builder) fix(m *Member, fix spec.MemberOf, where string) {
	m.Fix, m.Named = fix, fix.Named
	m.Aliases = append(m.Aliases, fix.Aliases...)
	if fix.As != "" {
		if s := b.written(fix.As, where); s != nil {
			m.Shape, m.Takes = s, s.tokens()
		}
	}
	if fix.Takes != "" {
		t, err := parseTokens(fix.Takes)
		if err != nil {
			b.unsupported(where, "%v", err)
			return
		}
		m.Takes, m.Checked = t, true
	}
}

// extras adds the members that the wire has beyond the specification.
func (b *builder) extras(d *Decl, parser spec.ParserOf, where string) {
	names := make([]string, 0, len(parser.Extra))
	for n := range parser.Extra {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		for _, m := range d.Members {
			if m.Wire == n {
				b.fail(&CaughtUp{Line: "parsers " + where + " extra " + n})
			}
		}
		s := b.written(parser.Extra[n].As, where+"."+n)
		if s == nil {
			continue
		}
		d.Members = append(d.Members, &Member{Go: GoName(n), Wire: n, Aliases: parser.Extra[n].Aliases, Shape: s, Takes: s.tokens()})
		last := d.Members[len(d.Members)-1]
		last.Takes = byStyle(last, d.Parser.Style)
		if text := parser.Extra[n].Takes; text != "" {
			t, err := parseTokens(text)
			if err != nil {
				b.unsupported(where+"."+n, "%v", err)
				continue
			}
			last.Takes, last.Checked = t, true
		}
	}
}

// free finds the shape of keys beyond the known ones.
func (b *builder) free(d *Decl, t *spec.Type, args env) {
	for _, use := range t.Behaviors {
		one := use.Type.Name == "AdditionalProperty"
		if !one && use.Type.Name != "AdditionalProperties" || len(use.Generics) != 2 {
			continue
		}
		s := b.resolve(substitute(use.Generics[1], args), args, t.Name.String())
		if s == nil {
			continue
		}
		d.Free = &Member{Go: "Field", Shape: s, Takes: s.tokens()}
		if !one {
			d.Free.Go, d.Free.Shape = "Other", Dict{Elem: s}
		}
		if takes := d.Parser.Field.Takes; takes != "" {
			tokens, err := parseTokens(takes)
			if err != nil {
				b.unsupported(t.Name.String(), "%v", err)
				continue
			}
			d.Free.Takes = tokens
		}
	}
}

func (b *builder) enum(t *spec.Type, key string) *Decl {
	d := b.declare(t.Name, "", Enum, key)
	d.Enum = b.amended.Enums[t.Name.String()]
	if _, ok := b.amended.Enums[t.Name.String()]; ok {
		b.used["enums "+t.Name.String()] = true
	}
	switch quirk := strings.Contains(t.ESQuirk, "This is a boolean") || strings.Contains(t.ESQuirk, "True and False"); {
	case quirk && d.Enum.Boolean:
		b.fail(&CaughtUp{Line: "enums " + t.Name.String() + " boolean"})
	case quirk:
		d.Enum.Boolean = true
	}
	for _, w := range t.Members {
		if slices.Contains(d.Enum.Without, w.Name) {
			continue
		}
		for _, other := range keys(d.Enum.Also) {
			if d.Enum.Also[other] == w.Name {
				w.Aliases = append(slices.Clone(w.Aliases), other)
			}
		}
		w.Aliases = b.untaken(d, t, w)
		d.Words = append(d.Words, Word{Go: d.Go + GoName(w.Name), Wire: w.Name, Aliases: w.Aliases})
	}
	return d
}

// untaken drops aliases that another word of the enum has: the specification gives
// some columns of _cat the same short name, and the first one has it.
func (b *builder) untaken(d *Decl, t *spec.Type, w spec.Member) []string {
	taken := map[string]bool{}
	for _, other := range t.Members {
		taken[other.Name] = true
	}
	for _, other := range d.Words {
		for _, a := range other.Aliases {
			taken[a] = true
		}
	}
	var out []string
	for _, a := range w.Aliases {
		if !taken[a] {
			taken[a] = true
			out = append(out, a)
		}
	}
	return out
}
