package mapping

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// dynamicUpdate gathers what a document adds to the mapping.
type dynamicUpdate struct {
	root *object
	// objects are those that the document made, by path.
	objects  map[string]*node
	parser   *parser
	added    int // mapped names that are new
	dates    []dateFormat
	conflict error
}

func (p *docParser) update() *dynamicUpdate {
	if p.dynamic == nil {
		p.dynamic = &dynamicUpdate{root: &object{}, objects: map[string]*node{}, parser: &parser{options: &p.m.options, types: map[string]*fieldType{}, made: true}}
	}
	return p.dynamic
}

func (u *dynamicUpdate) finish() (jsonx.Value, error) {
	if u.conflict != nil {
		return jsonx.Value{}, u.conflict
	}
	if len(u.root.names) == 0 {
		return jsonx.Value{}, nil
	}
	return jsonx.Parse(closeObject(u.root.appendProperties([]byte{'{'})))
}

// place is the object in the update that stands for o.
func (p *docParser) place(o *object) *object {
	u := p.update()
	if o.path == "" {
		return u.root
	}
	parent := p.place(p.objectAt(parentOf(o.path)))
	if n := parent.child(o.name); n != nil {
		if n.object != nil {
			return n.object
		}
		if u.conflict == nil {
			u.conflict = eserr.IllegalArgument("can't merge a non object mapping [%s] with an object mapping", o.path)
			if parent.path == "" {
				u.conflict = cannotChange(o.path, n, "ObjectMapper")
			}
		}
		return &object{name: o.name, path: o.path, nested: o.nested}
	}
	c := &object{name: o.name, path: o.path, nested: o.nested}
	if u.objects[o.path] != nil {
		*c = *o
		c.children, c.names = nil, nil
		for _, name := range o.names {
			c.put(name, o.children[name])
		}
	}
	parent.put(o.name, &node{object: c})
	return c
}

func (p *docParser) objectAt(path string) *object {
	if o := p.m.objects[path]; o != nil {
		return o
	}
	if n := p.dynamic.objects[path]; n != nil && n.object != nil {
		return n.object
	}
	return p.m.root
}

// grow counts new names against the limit of fields.
func (p *docParser) grow(n int, at place) error {
	u := p.update()
	u.added += n
	if limit := p.m.limits.TotalFields; p.m.total()+u.added > limit {
		line, col := at.pos()
		return p.generalAt(line, col, eserr.IllegalArgument("Limit of total fields [%d] has been exceeded while adding new fields [%d]", limit, u.added))
	}
	return nil
}

// insert adds a leaf to the update.
func (p *docParser) insert(o *object, f *Field, at place) error {
	u := p.update()
	into := p.place(o)
	old := into.child(f.short)
	if old == nil {
		if err := p.grow(1+len(f.multi), at); err != nil {
			return err
		}
		into.put(f.short, &node{field: f})
		return nil
	}
	merged, err := merger{}.nodes(f.Name, old, &node{field: f})
	switch {
	case err == nil:
		into.put(f.short, merged)
	case u.conflict == nil:
		u.conflict = err
	}
	return nil
}

// unmapped reads a member that the mapping does not know.
func (p *docParser) unmapped(o *object, k jsonx.Key, name string, v jsonx.Value) error {
	switch {
	case name == "":
		line, col := k.Pos()
		return p.generalAt(line, col, eserr.IllegalArgument("field name cannot be an empty string"))
	case strings.TrimSpace(name) == "":
		line, col := k.Pos()
		return documentParsing(line, col, "Field name cannot contain only whitespace: [%s]", name)
	case o.path == "" && name[0] == '_' && metaName(name):
		return p.metaField(name, v)
	}
	if p.dynamic != nil {
		if n := p.dynamic.objects[join(o.path, name)]; n != nil && v.Kind() >= jsonx.Object {
			return p.made(o, n, name, v)
		}
	}
	return p.unmappedValue(o, name, v)
}

// metaField refuses Elasticsearch's own fields in a document.
func (p *docParser) metaField(name string, v jsonx.Value) error {
	line, col := endOf(v)
	if name == "_doc_count" {
		return eserr.Refused("[_doc_count] in a document is not supported")
	}
	fromLine, fromCol := v.Pos()
	why := documentParsing(fromLine, fromCol, "Field [%s] is a metadata field and cannot be added inside a document. Use the index API request parameters.", name)
	return because(documentParsing(line, col, "failed to parse field [%s] of type [%s] in document with id '%s'. Preview of field's value: '%s'", name, name, p.d.ID, javaString(v)), why)
}

func (p *docParser) strict(o *object, name string, at place) error {
	line, col := at.pos()
	return &eserr.Error{Status: http.StatusBadRequest, Type: "strict_dynamic_mapping_exception",
		Reason: "[" + strconv.Itoa(line) + ":" + strconv.Itoa(col) + "] mapping set to strict, dynamic introduction of [" + name + "] within [" + o.label() + "] is not allowed"}
}

// unmappedValue reads what stands under a name that is not mapped in o.
func (p *docParser) unmappedValue(o *object, name string, v jsonx.Value) error {
	at := place{value: v}
	switch o.inherited {
	case dynamicStrict:
		return p.strict(o, name, at)
	case dynamicFalse:
		return nil
	}
	switch v.Kind() {
	case jsonx.Null:
		return nil
	case jsonx.Array:
		return p.unmappedArray(o, name, v)
	case jsonx.Object:
		n, err := p.unmappedObject(o, name, at)
		if err != nil || n == nil {
			return err
		}
		return p.made(o, n, name, v)
	}
	f, err := p.detect(o, name, v)
	if err != nil {
		return err
	}
	if err := p.insert(o, f, at); err != nil {
		return err
	}
	return p.field(f, v)
}

// made reads an object or array under a name that this document has brought in before.
func (p *docParser) made(o *object, n *node, name string, v jsonx.Value) error {
	if n.object != nil {
		if v.Kind() == jsonx.Array {
			return p.unmappedElements(o, name, v)
		}
		return p.enter(n.object, name, v)
	}
	if n.field != nil {
		if err := p.insert(o, n.field, place{value: v}); err != nil {
			return err
		}
		return p.field(n.field, v)
	}
	return nil
}

func (p *docParser) unmappedArray(o *object, name string, v jsonx.Value) error {
	path := join(o.path, name)
	// A template for objects may be of a type that reads arrays itself.
	if t := p.templateFor(path, name, "object"); t != nil {
		n, err := p.update().parser.fromTemplate(t, name, path, "object", "")
		if err != nil {
			return err
		}
		if n.field != nil && n.field.typ.arrays {
			if err := p.insert(o, n.field, place{value: v}); err != nil {
				return err
			}
			return p.field(n.field, v)
		}
	}
	if f, err := p.detectVector(o, name, v); f != nil || err != nil {
		if err != nil {
			return err
		}
		if err := p.insert(o, f, place{value: v}); err != nil {
			return err
		}
		return p.field(f, v)
	}
	return p.unmappedElements(o, name, v)
}

func (p *docParser) unmappedElements(o *object, name string, v jsonx.Value) error {
	for e := range v.Elements() {
		if err := p.unmappedValue(o, name, e); err != nil {
			return err
		}
	}
	return nil
}

// The lengths of arrays of floats that are taken for vectors.
const (
	minVector = 128
	maxVector = 4096
)

// detectVector takes a long array of floats for a vector, as Elasticsearch does.
func (p *docParser) detectVector(o *object, name string, v jsonx.Value) (*Field, error) {
	n := v.Len()
	if n < minVector || n > maxVector {
		return nil, nil
	}
	for e := range v.Elements() {
		if e.Kind() != jsonx.Number || !isDecimal(e.Raw()) {
			return nil, nil
		}
	}
	path := join(o.path, name)
	if t := p.templateFor(path, name, "double"); t != nil {
		return nil, nil
	}
	parser := p.update().parser
	t, err := parser.fieldType("dense_vector")
	if err != nil {
		return nil, err
	}
	return parser.field(t, name, path, jsonx.MustParse(`{"dims":`+strconv.Itoa(n)+`}`), false)
}

// unmappedObject makes an object for a name that is not mapped; nil when it is to be
// passed by. A template may make a leaf of it.
func (p *docParser) unmappedObject(o *object, name string, at place) (*node, error) {
	path := join(o.path, name)
	if p.dynamic != nil {
		if n := p.dynamic.objects[path]; n != nil {
			return n, nil
		}
	}
	switch o.inherited {
	case dynamicStrict:
		return nil, p.strict(o, name, at)
	case dynamicFalse:
		return nil, nil
	}
	u := p.update()
	n := &node{object: &object{name: name}}
	if t := p.templateFor(path, name, "object"); t != nil {
		var err error
		if n, err = u.parser.fromTemplate(t, name, path, "object", ""); err != nil {
			return nil, err
		}
	}
	u.objects[path] = n
	if n.object == nil {
		if n.field != nil {
			return n, p.insert(o, n.field, at)
		}
		return nil, nil
	}
	if err := p.m.derive(n.object, o, true); err != nil {
		return nil, err
	}
	if limit := p.m.limits.Depth; depth(path) > limit {
		line, col := at.pos()
		return nil, p.generalAt(line, col, eserr.IllegalArgument("Limit of mapping depth [%d] has been exceeded due to object field [%s]", limit, path))
	}
	p.place(n.object)
	return n, p.grow(1, at)
}

func (p *docParser) templateFor(path, name, content string) *template {
	for _, t := range p.m.root.templates {
		if t.fits(path, name, content) {
			return t
		}
	}
	return nil
}

// detect makes a leaf for a scalar that is not mapped.
func (p *docParser) detect(o *object, name string, v jsonx.Value) (*Field, error) {
	content, format := p.contentOf(v)
	path := join(o.path, name)
	parser := p.update().parser
	if t := p.templateFor(path, name, content); t != nil {
		n, err := parser.fromTemplate(t, name, path, content, format)
		if err != nil {
			return nil, err
		}
		if n.field == nil {
			return nil, p.general(v, eserr.IllegalArgument("mapper [%s] of a dynamic template is no leaf", path))
		}
		return p.within(o, n.field), nil
	}
	def := "{}"
	if content == "string" {
		def = `{"fields":{"keyword":{"type":"keyword","ignore_above":256}}}`
	}
	t, err := parser.fieldType(defaultType(content))
	if err != nil {
		return nil, err
	}
	parser.dateFormat = format
	defer func() { parser.dateFormat = "" }()
	f, err := parser.field(t, name, path, jsonx.MustParse(def), false)
	if err != nil {
		return nil, err
	}
	return p.within(o, f), nil
}

func (p *docParser) within(o *object, f *Field) *Field {
	f.NestedPath = o.nestedPath
	return f
}

// contentOf tells what kind of value a scalar is, and for a date by which format.
func (p *docParser) contentOf(v jsonx.Value) (content, format string) {
	switch v.Kind() {
	case jsonx.True, jsonx.False:
		return "boolean", ""
	case jsonx.Number:
		if isDecimal(v.Raw()) {
			return "double", ""
		}
		return "long", ""
	}
	text := p.text(v)
	_, err := strconv.ParseInt(text, 10, 64)
	isLong := err == nil
	_, noDouble := parseJavaDouble(text)
	root := p.m.root
	switch {
	case isLong && root.numbers:
		return "long", ""
	case noDouble == nil && root.numbers:
		return "double", ""
	case !isLong && noDouble != nil && !root.noDates:
		u := p.update()
		if u.dates == nil {
			u.dates = root.detectable()
		}
		for _, d := range u.dates {
			if _, err := d.format.Parse(text, time.UTC); err == nil {
				return "date", d.pattern
			}
		}
	}
	return "string", ""
}

// learnDims gives a vector field the length of its first vector.
func (p *docParser) learnDims(f *Field, n int) {
	o := p.objectAtUpdate(parentOf(f.Name))
	c := *f
	c.settings = append([]setting(nil), f.settings...)
	text := strconv.Itoa(n)
	for i := range c.typ.params {
		if c.typ.params[i].name == "dims" {
			c.settings[i] = setting{given: true, text: text, json: text}
		}
	}
	p.place(o).put(f.short, &node{field: &c})
}

func (p *docParser) objectAtUpdate(path string) *object {
	p.update()
	return p.objectAt(path)
}
