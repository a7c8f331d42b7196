package mapping

import (
	"bytes"
	"slices"
	"strings"

	"postern/internal/analysis"
	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// ParseDocument reads a document's source into d, whose memory is used again. Errors are
// Elasticsearch's.
//
// Where the source has fields that are not mapped and that the mapping adds by itself,
// update is what has to be merged into the mapping before the document is parsed again;
// d is of no use then. Otherwise update does not exist.
func (m *Mapping) ParseDocument(d *Document, id, routing string, src jsonx.Value) (update jsonx.Value, err error) {
	d.reset(id, routing)
	if src.Kind() != jsonx.Object {
		return jsonx.Value{}, &eserr.Error{Status: 500, Type: "not_x_content_exception",
			Reason: "Compressor detection can only be called on some xcontent bytes or compressed xcontent bytes"}
	}
	if m.root.disabled {
		return jsonx.Value{}, nil
	}
	p := &d.parser
	*p = docParser{m: m, d: d, child: -1}
	if err := p.members(m.root, src); err != nil {
		return jsonx.Value{}, err
	}
	if len(d.Ignored) > 1 {
		slices.Sort(d.Ignored)
		d.Ignored = slices.Compact(d.Ignored)
	}
	if p.dynamic == nil {
		return jsonx.Value{}, nil
	}
	made := p.dynamic
	p.dynamic = nil
	return made.finish()
}

// docParser walks over one document.
type docParser struct {
	m *Mapping
	d *Document
	// child is the nested object that is being read, -1 for the document.
	child   int
	copying bool
	dynamic *dynamicUpdate // nil as long as everything is mapped
}

func (p *docParser) values() *[]Value {
	if p.child < 0 {
		return &p.d.Values
	}
	return &p.d.Children[p.child].Values
}

func (p *docParser) add(v Value) {
	list := p.values()
	*list = append(*list, v)
}

// text is a scalar's text; it shares the body's memory where it can.
func (p *docParser) text(v jsonx.Value) string { return bytesText(v.Bytes()) }

// keep copies bytes into the Document.
func (p *docParser) keep(b []byte) string {
	from := len(p.d.bytes)
	p.d.bytes = append(p.d.bytes, b...)
	return bytesText(p.d.bytes[from:])
}

func (p *docParser) analyze(a *analysis.Analyzer, text string) []analysis.Token {
	from := len(p.d.tokens)
	p.d.tokens = a.Tokens(p.d.tokens, text)
	return p.d.tokens[from:len(p.d.tokens):len(p.d.tokens)]
}

// ignore notes that a value of the field was left out.
func (p *docParser) ignore(f *Field) {
	if n := len(p.d.Ignored); n == 0 || p.d.Ignored[n-1] != f.Name {
		p.d.Ignored = append(p.d.Ignored, f.Name)
	}
}

// members reads an object's members.
func (p *docParser) members(o *object, v jsonx.Value) error {
	for k, m := range v.Members() {
		name := k.Bytes()
		if bytes.IndexByte(name, '.') >= 0 {
			if err := p.dotted(o, k, name, m); err != nil {
				return err
			}
			continue
		}
		n := o.children[string(name)]
		if n == nil {
			if o.inherited == dynamicFalse && len(name) > 0 && name[0] > ' ' && (name[0] != '_' || o.path != "") {
				continue
			}
			if err := p.unmapped(o, k, string(name), m); err != nil {
				return err
			}
			continue
		}
		if err := p.node(n, bytesText(name), m); err != nil {
			return err
		}
	}
	return nil
}

func (p *docParser) node(n *node, name string, v jsonx.Value) error {
	switch {
	case n.field != nil:
		return p.field(n.field, v)
	case n.object != nil:
		return p.enter(n.object, name, v)
	}
	if v.Kind() == jsonx.Array {
		for e := range v.Elements() {
			v = e
			break
		}
	}
	line, col := v.Pos()
	return documentParsing(line, col, "Cannot write to a field alias [%s].", name)
}

// dotted reads a member whose name has dots in it: a.b stands for an object a with a
// member b.
func (p *docParser) dotted(o *object, k jsonx.Key, name []byte, v jsonx.Value) error {
	parts, err := documentNameParts(string(name))
	if err != nil {
		line, col := k.Pos()
		return p.generalAt(line, col, err)
	}
	return p.path(o, k, parts, v)
}

func (p *docParser) path(o *object, k jsonx.Key, parts []string, v jsonx.Value) error {
	name := parts[0]
	n := o.children[name]
	if len(parts) == 1 {
		if n == nil {
			return p.unmapped(o, k, name, v)
		}
		return p.node(n, name, v)
	}
	at := place{key: k, byKey: true}
	switch {
	case n == nil:
		inner, err := p.unmappedObject(o, name, at)
		if inner == nil || err != nil {
			return err
		}
		if inner.field != nil {
			return p.expanded(inner.field, k, parts[1:], v)
		}
		n = inner
	case n.field != nil:
		return p.expanded(n.field, k, parts[1:], v)
	case n.object == nil:
		line, col := at.pos()
		return documentParsing(line, col, "Cannot write to a field alias [%s].", name)
	}
	if n.object.disabled {
		return nil
	}
	outer, err := p.open(n.object, at)
	if err != nil {
		return err
	}
	if err := p.path(n.object, k, parts[1:], v); err != nil {
		return err
	}
	p.close(n.object, outer)
	return nil
}

// expanded refuses a.b for a leaf a, as if a were an object.
func (p *docParser) expanded(f *Field, k jsonx.Key, rest []string, v jsonx.Value) error {
	preview := javaString(v)
	for i := len(rest) - 1; i >= 0; i-- {
		preview = "{" + rest[i] + "=" + preview + "}"
	}
	var why *eserr.Error
	switch f.Type {
	case "long", "integer", "short", "byte", "double", "float", "half_float", "scaled_float":
		why = eserr.IllegalArgument("Cannot parse object as number")
	default:
		line, col := k.Pos()
		why = eserr.IllegalState("Can't get text on a START_OBJECT at %d:%d", line, col)
	}
	line, col := v.Pos()
	if v.Kind() >= jsonx.Object {
		line, col = v.EndPos()
	}
	return because(p.cannotParse(f, line, col, preview), why)
}

// enter reads what stands where an object is mapped.
func (p *docParser) enter(o *object, name string, v jsonx.Value) error {
	if o.disabled {
		return nil
	}
	switch v.Kind() {
	case jsonx.Null:
		return nil
	case jsonx.Array:
		for e := range v.Elements() {
			if err := p.enter(o, "null", e); err != nil {
				return err
			}
		}
		return nil
	case jsonx.Object:
		if !o.nested {
			return p.members(o, v)
		}
		outer, err := p.open(o, place{value: v})
		if err != nil {
			return err
		}
		if err := p.members(o, v); err != nil {
			return err
		}
		p.close(o, outer)
		return nil
	}
	line, col := v.Pos()
	return documentParsing(line, col, "object mapping for [%s] tried to parse field [%s] as object, but found a concrete value", o.path, name)
}

// open begins a nested object's document, if it is one, and gives what was read before.
func (p *docParser) open(o *object, at place) (outer int, err error) {
	outer = p.child
	if !o.nested {
		return outer, nil
	}
	limit := p.m.limits.NestedObjects
	if len(p.d.Children) >= limit {
		line, col := at.pos()
		return outer, documentParsing(line, col, "The number of nested documents has exceeded the allowed limit of [%d]. This limit can be set by changing the [index.mapping.nested_objects.limit] index level setting.", limit)
	}
	p.child = p.d.child(o.path, outer)
	return outer, nil
}

// close ends a nested object's document, and gives its values to those around where the
// mapping says so.
func (p *docParser) close(o *object, outer int) {
	if !o.nested {
		return
	}
	values := p.d.Children[p.child].Values
	p.child = outer
	if o.inParent {
		list := p.values()
		*list = append(*list, values...)
	}
	if o.inRoot && !(o.inParent && outer < 0) {
		p.d.Values = append(p.d.Values, values...)
	}
}

// field reads what stands where a leaf is mapped.
func (p *docParser) field(f *Field, v jsonx.Value) error {
	if v.Kind() == jsonx.Array && !f.typ.arrays {
		for e := range v.Elements() {
			if err := p.field(f, e); err != nil {
				return err
			}
		}
		return nil
	}
	if err := p.leaf(f, v); err != nil {
		return err
	}
	if len(f.copyTo) == 0 || p.copying {
		return nil
	}
	return p.copies(f, v)
}

// leaf reads one value into a field and its multi-fields.
func (p *docParser) leaf(f *Field, v jsonx.Value) error {
	var err error
	if v.Kind() == jsonx.Null {
		err = p.null(f)
	} else {
		err = f.typ.read(p, f, v)
	}
	if err != nil {
		return err
	}
	for _, sub := range f.multi {
		if err := p.leaf(sub, v); err != nil {
			return err
		}
	}
	return nil
}

// null reads an explicit null, or what counts as one.
func (p *docParser) null(f *Field) error {
	if !f.NullValue.Exists() {
		return nil
	}
	return f.typ.read(p, f, f.NullValue)
}

// copies gives a value to the fields that its field is copied to, in the document that
// they belong to.
func (p *docParser) copies(f *Field, v jsonx.Value) error {
	p.copying = true
	outer := p.child
	defer func() { p.copying, p.child = false, outer }()
	for _, to := range f.copyTo {
		scope := p.m.Nested(to)
		p.child = outer
		for p.child >= 0 && p.d.Children[p.child].Path != scope {
			p.child = p.d.Children[p.child].Parent
		}
		if target := p.m.fields[to]; target != nil {
			if err := p.field(target, v); err != nil {
				return err
			}
			continue
		}
		if err := p.copyUnmapped(to, v); err != nil {
			return err
		}
	}
	return nil
}

// copyUnmapped makes the target of copy_to as if the document had it.
func (p *docParser) copyUnmapped(to string, v jsonx.Value) error {
	o := p.m.root
	parts := strings.Split(to, ".")
	at := place{value: v}
	for _, part := range parts[:len(parts)-1] {
		n := o.children[part]
		if n == nil {
			var err error
			if n, err = p.unmappedObject(o, part, at); n == nil || err != nil {
				return err
			}
		}
		if n.object == nil {
			return p.general(v, eserr.IllegalArgument("Cannot copy to field [%s]", to))
		}
		o = n.object
	}
	name := parts[len(parts)-1]
	if n := o.children[name]; n != nil {
		return p.node(n, name, v)
	}
	return p.unmappedValue(o, name, v)
}

// place is where something stands in the body. Lines and columns are counted when an error needs
// them: counting goes over the body from its beginning.
type place struct {
	value jsonx.Value
	key   jsonx.Key
	byKey bool
}

func (a place) pos() (line, col int) {
	if a.byKey {
		return a.key.Pos()
	}
	return a.value.Pos()
}

// documentNameParts splits a name with dots.
func documentNameParts(name string) ([]string, *eserr.Error) {
	trimmed := strings.TrimRight(name, ".")
	if trimmed == "" {
		return nil, eserr.IllegalArgument("field name cannot contain only dots")
	}
	parts := strings.Split(trimmed, ".")
	for _, part := range parts {
		switch {
		case part == "":
			return nil, eserr.IllegalArgument("field name cannot contain only whitespace: ['%s']", name)
		case strings.TrimSpace(part) == "":
			return nil, eserr.IllegalArgument("field name starting or ending with a [.] makes object resolution ambiguous: [%s]", name)
		}
	}
	return parts, nil
}
