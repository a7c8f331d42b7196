package mapping

import (
	"cmp"
	"slices"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// Merge adds a definition to the mapping, as PUT _mapping does: new fields come in,
// existing ones may change in what Elasticsearch lets change. m stays as it is; what the
// definition changes nothing of gives m itself.
func (m *Mapping) Merge(v jsonx.Value) (*Mapping, error) {
	if v.Kind() == jsonx.Object && v.Len() == 1 && v.Get("_doc").Exists() {
		return nil, eserr.IllegalArgument("Types cannot be provided in put mapping requests")
	}
	with, err := parse(v, m.options)
	if err != nil {
		return nil, err
	}
	return m.merge(with, false)
}

// Overlay adds a definition the way that the mappings of index templates come one over the other: a
// leaf replaces the leaf that was there, whatever its type, and dynamic templates replace
// those of their name.
func (m *Mapping) Overlay(v jsonx.Value) (*Mapping, error) {
	with, err := parse(v, m.options)
	if err != nil {
		return nil, err
	}
	return m.merge(with, true)
}

func (m *Mapping) merge(with *Mapping, overlay bool) (*Mapping, error) {
	out := &Mapping{options: m.options, meta: m.meta, source: m.source, routing: m.routing}
	root, err := merger{overlay}.objects("", m.root, with.root)
	if err != nil {
		return nil, err
	}
	out.root = root
	root.mergeRoot(with.root, overlay)
	switch {
	case with.meta == nil:
	case overlay && m.meta != nil:
		out.meta = overlayJSON(m.meta, with.meta)
	default:
		out.meta = with.meta
	}
	switch {
	case !overlay:
		err = out.mergeMeta(with)
	default:
		if with.routing.set {
			out.routing = with.routing
		}
		if with.source.enabledSet || !with.source.isDefault() {
			out.source = with.source
		}
	}
	if err != nil {
		return nil, err
	}
	if err := out.finish(); err != nil {
		return nil, err
	}
	return out, nil
}

// mergeRoot takes over what only the root has.
func (o *object) mergeRoot(with *object, overlay bool) {
	if with.datesSet {
		o.dates, o.datesSet = with.dates, true
	}
	if with.datesIs {
		o.noDates, o.datesIs = with.noDates, true
	}
	if with.numbersIs {
		o.numbers, o.numbersIs = with.numbers, true
	}
	if !with.templatesSet {
		return
	}
	o.templatesSet = true
	if !overlay {
		o.templates = with.templates
		return
	}
	o.templates = slices.Clone(o.templates)
	for _, t := range with.templates {
		i := slices.IndexFunc(o.templates, func(old *template) bool { return old.name == t.name })
		if i >= 0 {
			o.templates[i] = t
		} else {
			o.templates = append(o.templates, t)
		}
	}
}

func (m *Mapping) mergeMeta(with *Mapping) error {
	if with.routing.set && with.routing.required != m.routing.required {
		if m.routing.required {
			return conflicts("_routing", "Cannot update parameter [required] from [true] to [false]")
		}
		if m.routing.set {
			return conflicts("_routing", "Cannot update parameter [required] from [false] to [true]")
		}
		m.routing = with.routing
	}
	s, w := &m.source, &with.source
	if !w.enabledSet && w.isDefault() {
		return nil
	}
	var lines []string
	if s.Disabled && !w.Disabled {
		lines = append(lines, "Cannot update parameter [enabled] from [false] to [true]")
	}
	if !s.isDefault() || s.enabledSet {
		if !s.Disabled && w.Disabled {
			lines = append(lines, "Cannot update parameter [enabled] from [true] to [false]")
		}
	}
	if !s.isDefault() {
		for _, l := range []struct {
			name     string
			from, to []string
		}{{"includes", s.Includes, w.Includes}, {"excludes", s.Excludes, w.Excludes}} {
			if !sameStrings(l.from, l.to) {
				lines = append(lines, "Cannot update parameter ["+l.name+"] from ["+javaList(l.from)+"] to ["+javaList(l.to)+"]")
			}
		}
	}
	if len(lines) > 0 {
		return conflicts("_source", lines...)
	}
	m.source = *w
	return nil
}

func javaList(list []string) string {
	out := "["
	for i, s := range list {
		if i > 0 {
			out += ", "
		}
		out += s
	}
	return out + "]"
}

func conflicts(name string, lines ...string) *eserr.Error {
	e := eserr.IllegalArgument("Mapper for [%s] conflicts with existing mapper:", name)
	for _, l := range lines {
		e.Reason += "\n\t" + l
	}
	return e
}

// merger merges definitions; overlay lets the second of two replace the first.
type merger struct{ overlay bool }

// objects gives a new object; neither of the two is changed.
func (g merger) objects(path string, a, b *object) (*object, error) {
	if a.nested != b.nested && !g.overlay {
		return nil, notNested(path)
	}
	o := a.clone()
	if g.overlay {
		if b.nested {
			o.nested, o.inParent, o.inRoot = true, b.inParent, b.inRoot
		}
		if b.enabledIs {
			o.enabledIs, o.disabled = true, b.disabled
		}
	} else if err := checkObjects(path, a, b); err != nil {
		return nil, err
	}
	if b.dynamic != dynamicInherit {
		o.dynamic = b.dynamic
	}
	// Objects are copied all the way down: what they inherit may have changed.
	for _, name := range o.names {
		if n := o.children[name]; n.object != nil && b.children[name] == nil {
			o.children[name] = &node{object: n.object.deepClone()}
		}
	}
	for _, name := range b.names {
		n, err := g.nodes(join(path, name), o.child(name), b.children[name])
		if err != nil {
			return nil, err
		}
		o.put(name, n)
	}
	return o, nil
}

// checkObjects refuses changes of what cannot be changed.
func checkObjects(path string, a, b *object) error {
	if b.enabledIs && path == "" && b.disabled != a.disabled {
		return mapperException("the [enabled] parameter can't be updated for the object mapping [_doc]")
	}
	if b.enabledIs && b.disabled != a.disabled {
		return mapperException("the [enabled] parameter can't be updated for the object mapping [%s]", path)
	}
	if b.nested {
		if b.inParent != a.inParent {
			return mapperException("the [include_in_parent] parameter can't be updated on a nested object mapping")
		}
		if b.inRoot != a.inRoot && !(b.inRoot && b.inParent) {
			return mapperException("the [include_in_root] parameter can't be updated on a nested object mapping")
		}
	}
	return nil
}

func (o *object) deepClone() *object {
	c := o.clone()
	for _, name := range c.names {
		if n := c.children[name]; n.object != nil {
			c.children[name] = &node{object: n.object.deepClone()}
		}
	}
	return c
}

func (g merger) nodes(path string, a, b *node) (*node, error) {
	switch {
	case a == nil && b.object != nil:
		return &node{object: b.object.deepClone()}, nil
	case a == nil:
		return b, nil
	case a.object != nil && b.object != nil:
		o, err := g.objects(path, a.object, b.object)
		return &node{object: o}, err
	case g.overlay && b.object != nil:
		return &node{object: b.object.deepClone()}, nil
	case g.overlay:
		return b, nil
	case a.object != nil, b.object != nil:
		return nil, eserr.IllegalArgument("can't merge a non object mapping [%s] with an object mapping", path)
	case a.alias != "" && b.alias != "":
		return b, nil
	case a.alias != "":
		return nil, eserr.IllegalArgument("Cannot merge a field alias mapping [%s] with a mapping that is not for a field alias.", path)
	case b.alias != "":
		return nil, cannotChange(path, a, "FieldAliasMapper")
	}
	f, err := mergeFields(a.field, b.field)
	return &node{field: f}, err
}

// mergeFields gives b with what it must keep of a.
func mergeFields(a, b *Field) (*Field, error) {
	if a.Type != b.Type {
		return nil, eserr.IllegalArgument("mapper [%s] cannot be changed from type [%s] to [%s]", a.Name, a.Type, b.Type)
	}
	var lines []string
	for i := range a.typ.params {
		p := &a.typ.params[i]
		from, to := textOf(p, &a.settings[i]), textOf(p, &b.settings[i])
		if from != to && (p.update == nil || !p.update(from, to)) {
			lines = append(lines, "Cannot update parameter ["+p.name+"] from ["+from+"] to ["+to+"]")
		}
	}
	if len(lines) > 0 {
		return nil, conflicts(a.Name, lines...)
	}
	out := *b
	out.NestedPath = a.NestedPath
	out.multi = slices.Clone(a.multi)
	for _, sub := range b.multi {
		i := slices.IndexFunc(out.multi, func(old *Field) bool { return old.short == sub.short })
		if i < 0 {
			out.multi = append(out.multi, sub)
			continue
		}
		merged, err := mergeFields(out.multi[i], sub)
		if err != nil {
			return nil, err
		}
		out.multi[i] = merged
	}
	slices.SortFunc(out.multi, func(a, b *Field) int { return cmp.Compare(a.short, b.short) })
	return &out, nil
}

func textOf(p *parameter, s *setting) string {
	if s.given {
		return s.text
	}
	return p.standard
}

// overlayJSON puts the members of one object over those of another, objects in them likewise.
func overlayJSON(under, over []byte) []byte {
	a, b := jsonx.MustParse(string(under)), jsonx.MustParse(string(over))
	if a.Kind() != jsonx.Object || b.Kind() != jsonx.Object {
		return over
	}
	out := []byte{'{'}
	for k, v := range a.Members() {
		out = append(jsonx.AppendString(out, k.Text()), ':')
		if w := b.Get(k.Text()); w.Exists() {
			out = append(out, overlayJSON(v.Raw(), w.Raw())...)
		} else {
			out = append(out, v.Raw()...)
		}
		out = append(out, ',')
	}
	for k, w := range b.Members() {
		if !a.Get(k.Text()).Exists() {
			out = append(jsonx.AppendString(out, k.Text()), ':')
			out = append(append(out, w.Raw()...), ',')
		}
	}
	return closeObject(out)
}
