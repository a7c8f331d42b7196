package mapping

import (
	"cmp"
	"slices"
	"strings"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// Parse reads a mapping as it stands in the creation of an index or in a template; an
// absent value is the empty mapping. Errors are Elasticsearch's.
func Parse(v jsonx.Value, o Options) (*Mapping, error) {
	m, err := parse(v, o)
	if err != nil {
		return nil, err
	}
	return m, m.finish()
}

// parse reads a mapping without checking its parts against each other.
func parse(v jsonx.Value, o Options) (*Mapping, error) {
	if !v.Exists() || v.Kind() == jsonx.Null {
		v = emptyValue()
	}
	if v.Kind() != jsonx.Object {
		return nil, classCast(javaClass(v), "java.util.Map")
	}
	if v.Len() == 1 && v.Get("_doc").Kind() == jsonx.Object {
		return nil, eserr.IllegalArgument("The mapping definition cannot be nested under a type [_doc] unless include_type_name is set to true.")
	}
	p := &parser{options: &o, types: map[string]*fieldType{}}
	m := &Mapping{options: o}
	if err := p.root(m, v); err != nil {
		return nil, failedToParse(err)
	}
	return m, nil
}

// finish derives the look-ups and checks what only the whole mapping shows.
func (m *Mapping) finish() error {
	m.limits = m.options.Limits.orDefaults()
	if err := m.derive(m.root, nil, true); err != nil {
		return err
	}
	m.index()
	return m.check()
}

// derive fills in what objects know from those around them.
func (m *Mapping) derive(o, around *object, inRoot bool) error {
	o.derive(around)
	if o.nested {
		// What goes to the parent goes to the root already when the parent does.
		if inRoot && o.inParent {
			o.inRoot = false
		}
		inRoot = inRoot && o.inParent
	}
	for _, name := range o.names {
		switch n := o.children[name]; {
		case n.object != nil:
			if err := m.derive(n.object, o, inRoot); err != nil {
				return err
			}
		case n.field != nil && n.field.NestedPath != o.nestedPath:
			f := *n.field
			f.NestedPath = o.nestedPath
			f.multi = slices.Clone(f.multi)
			for i, sub := range f.multi {
				s := *sub
				s.NestedPath = o.nestedPath
				f.multi[i] = &s
			}
			o.children[name] = &node{field: &f}
		}
	}
	return nil
}

// parser reads definitions.
type parser struct {
	options    *Options
	types      map[string]*fieldType
	typeless   bool
	dateFormat string
	// made says that the definition is a template's for a document's field: what an object
	// has no parameter for is passed by then.
	made bool
}

func (p *parser) fieldType(name string) (*fieldType, error) {
	if t, ok := p.types[name]; ok {
		return t, nil
	}
	t, err := fieldTypeOf(name)
	if err == nil {
		p.types[name] = t
	}
	return t, err
}

func (p *parser) root(m *Mapping, v jsonx.Value) error {
	m.root = &object{}
	var unknown []member
	for _, e := range hashOrdered(v) {
		known, err := p.rootParameter(m, e.name, e.value)
		if err != nil {
			return err
		}
		if !known {
			unknown = append(unknown, e)
		}
	}
	if len(unknown) > 0 {
		return mapperParsing("Root mapping definition has unsupported parameters: %s", listUnknown(unknown))
	}
	return nil
}

func listUnknown(list []member) string {
	var b strings.Builder
	for _, e := range list {
		b.WriteString(" [" + e.name + " : " + javaString(e.value) + "]")
	}
	return b.String()
}

// unsupported is the complaint about members that an object may not have.
func unsupported(name string, v jsonx.Value, known ...string) error {
	var unknown []member
	for _, e := range hashOrdered(v) {
		if !slices.Contains(known, e.name) {
			unknown = append(unknown, e)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	return mapperParsing("Mapping definition for [%s] has unsupported parameters: %s", name, listUnknown(unknown))
}

func (p *parser) rootParameter(m *Mapping, name string, v jsonx.Value) (known bool, err error) {
	o := m.root
	switch name {
	case "date_detection":
		o.noDates, err = boolOf(name, v)
		o.noDates, o.datesIs = !o.noDates, true
	case "numeric_detection":
		o.numbers, err = boolOf(name, v)
		o.numbersIs = true
	case "dynamic_date_formats":
		err = p.dateFormats(o, v)
	case "dynamic_templates":
		err = p.dynamicTemplates(o, v)
	case "runtime":
		if v.Kind() != jsonx.Object || v.Len() > 0 {
			err = eserr.Refused("runtime fields are not supported")
		}
	case "_meta":
		if v.Kind() != jsonx.Object {
			return true, classCast(javaClass(v), "java.util.Map")
		}
		m.meta = appendMap(nil, v)
	case "_source":
		err = p.source(m, v)
	case "_routing":
		err = p.routing(m, v)
	case "_data_stream_timestamp":
		if v.Get("enabled").Kind() == jsonx.True {
			err = eserr.Refused("[_data_stream_timestamp] is not supported")
		}
	case "_field_names":
		err = mapperParsing("The `enabled` setting for the `_field_names` field has been deprecated and removed. Please remove it from your mappings and templates.")
	case "_id", "_index", "_ignored", "_doc_count", "_seq_no", "_version", "_nested_path", "_feature", "_tsid", "_ts_routing_hash":
		err = mapperParsing("%s is not configurable", name)
	default:
		return p.objectParameter(o, "", name, v)
	}
	return true, err
}

// boolOf reads a flag of an object.
func boolOf(name string, v jsonx.Value) (bool, error) {
	text := javaString(v)
	if text != "true" && text != "false" {
		return false, eserr.IllegalArgument("Could not convert [%s] to boolean", name).Cause(notBool(text))
	}
	return text == "true", nil
}

// objectParameter reads what every object may have.
func (p *parser) objectParameter(o *object, path, name string, v jsonx.Value) (known bool, err error) {
	switch name {
	case "dynamic":
		o.dynamic, err = dynamicOf(v)
	case "enabled":
		var on bool
		on, err = boolOf("enabled.enabled", v)
		o.disabled, o.enabledIs = !on, true
	case "subobjects":
		if o.nested {
			return true, mapperParsing("Nested type [%s] does not support [subobjects] parameter", o.name)
		}
		if o.subobjects, err = boolOf("subobjects.subobjects", v); err == nil && !o.subobjects {
			err = eserr.Refused("[subobjects: false] is not supported")
		}
	case "include_in_all":
	case "properties":
		switch {
		case v.Kind() == jsonx.Object:
			err = p.properties(o, path, v)
		case v.Kind() == jsonx.Array && v.Len() == 0:
		default:
			err = eserr.ParseError("properties must be a map type")
		}
	default:
		return false, nil
	}
	return true, err
}

func dynamicOf(v jsonx.Value) (dynamicMode, error) {
	switch text := javaString(v); {
	case v.Kind() == jsonx.Null:
		return 0, &eserr.Error{Status: 400, Type: "null_pointer_exception", Reason: `Cannot invoke "Object.toString()" because "fieldNode" is null`}
	case strings.EqualFold(text, "strict"):
		return dynamicStrict, nil
	case strings.EqualFold(text, "runtime"):
		return 0, eserr.Refused("[dynamic: runtime] is not supported")
	case text == "true":
		return dynamicTrue, nil
	case text == "false":
		return dynamicFalse, nil
	}
	_, err := boolOf("dynamic.dynamic", v)
	return 0, err
}

// properties reads the members of an object into o.
func (p *parser) properties(o *object, path string, v jsonx.Value) error {
	for _, e := range hashOrdered(v) {
		if e.value.Kind() == jsonx.Array && e.value.Len() == 0 {
			continue
		}
		if e.value.Kind() != jsonx.Object {
			return mapperParsing("Expected map for property [fields] on field [%s] but got a class java.lang.String", e.name)
		}
		if err := p.property(o, path, e.name, e.value); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) property(o *object, path, name string, v jsonx.Value) error {
	typ, err := typeOf(name, v)
	if err != nil {
		return err
	}
	parts, err := nameParts(name)
	if err != nil {
		return err
	}
	for _, part := range parts[:len(parts)-1] {
		path = join(path, part)
		switch n := o.child(part); {
		case n == nil:
			inner := &object{name: part}
			o.put(part, &node{object: inner})
			o = inner
		case n.object == nil:
			return cannotChange(path, n, "ObjectMapper")
		case n.object.nested:
			return notNested(path)
		default:
			o = n.object
		}
	}
	name = parts[len(parts)-1]
	path = join(path, name)
	n, err := p.node(name, path, typ, v)
	if err != nil {
		return err
	}
	old := o.child(name)
	switch {
	case old == nil || old.object == nil && n.object == nil:
		o.put(name, n)
	case old.object != nil && n.object != nil:
		if old.object.nested != n.object.nested {
			return notNested(path)
		}
		for _, k := range n.object.names {
			old.object.put(k, n.object.children[k])
		}
		if n.object.dynamic != dynamicInherit {
			old.object.dynamic = n.object.dynamic
		}
		if n.object.enabledIs {
			old.object.enabledIs, old.object.disabled = true, n.object.disabled
		}
	case old.object != nil:
		return eserr.IllegalArgument("can't merge a non object mapping [%s] with an object mapping", path)
	default:
		return cannotChange(path, old, "ObjectMapper")
	}
	return nil
}

func notNested(path string) *eserr.Error {
	return eserr.IllegalArgument("can't merge a non-nested mapping [%s] with a nested mapping", path)
}

func cannotChange(path string, old *node, to string) *eserr.Error {
	from := "FieldAliasMapper"
	if old.field != nil {
		from = old.field.Type
	}
	return eserr.IllegalArgument("mapper [%s] cannot be changed from type [%s] to [%s]", path, from, to)
}

func typeOf(name string, v jsonx.Value) (string, error) {
	switch t := v.Get("type"); {
	case t.Exists() && t.Kind() != jsonx.Null:
		return javaString(t), nil
	case v.Get("properties").Exists(), v.Len() == 1 && v.Get("enabled").Exists():
		return "object", nil
	}
	return "", mapperParsing("No type specified for field [%s]", name)
}

// nameParts splits a name at its dots; those at its end do not count.
func nameParts(name string) ([]string, error) {
	trimmed := strings.TrimRight(name, ".")
	switch {
	case name == "":
		return nil, eserr.IllegalArgument("field name cannot be an empty string")
	case trimmed == "":
		return nil, eserr.IllegalArgument("field name cannot contain only dots")
	}
	parts := strings.Split(trimmed, ".")
	for _, part := range parts {
		switch {
		case part == "":
			return nil, eserr.IllegalArgument("field name cannot be an empty string")
		case strings.TrimSpace(part) == "":
			return nil, eserr.IllegalArgument("field name cannot contain only whitespaces")
		}
	}
	return parts, nil
}

func (p *parser) node(name, path, typ string, v jsonx.Value) (*node, error) {
	switch typ {
	case "object", "nested":
		o, err := p.object(name, path, typ == "nested", v)
		return &node{object: o}, err
	case "alias":
		target := v.Get("path")
		if !target.Exists() || target.Kind() == jsonx.Null {
			return nil, mapperParsing("The [path] property must be specified for field [%s].", name)
		}
		return &node{alias: javaString(target)}, unsupported(name, v, "type", "path")
	}
	t, err := p.fieldType(typ)
	if err != nil {
		return nil, err
	}
	if t == nil {
		return nil, mapperParsing("No handler for type [%s] declared on field [%s]", typ, name)
	}
	f, err := p.field(t, name, path, v, false)
	return &node{field: f}, err
}

func (p *parser) object(name, path string, nested bool, v jsonx.Value) (*object, error) {
	o := &object{name: name, nested: nested}
	var unknown []member
	for _, e := range hashOrdered(v) {
		known, err := true, error(nil)
		switch {
		case e.name == "type":
		case nested && e.name == "include_in_parent":
			o.inParent, err = boolOf(name+".include_in_parent", e.value)
		case nested && e.name == "include_in_root":
			o.inRoot, err = boolOf(name+".include_in_root", e.value)
		default:
			known, err = p.objectParameter(o, path, e.name, e.value)
		}
		if err != nil {
			return nil, err
		}
		if !known {
			unknown = append(unknown, e)
		}
	}
	if len(unknown) > 0 && !p.made {
		return nil, mapperParsing("Mapping definition for [%s] has unsupported parameters: %s", name, listUnknown(unknown))
	}
	return o, nil
}

// field reads the definition of a leaf; multi tells that it is a multi-field.
func (p *parser) field(t *fieldType, name, path string, v jsonx.Value, multi bool) (*Field, error) {
	f := &Field{Name: path, Type: t.name, Kind: t.kind, typ: t, short: name, source: path, settings: make([]setting, len(t.params))}
	c := &fieldContext{options: p.options, name: name, path: path, typ: t, dateFormat: p.dateFormat}
	for _, e := range hashOrdered(v) {
		if err := p.fieldParameter(c, f, e, multi); err != nil {
			return nil, err
		}
	}
	if err := t.fill(c, f); err != nil {
		return nil, err
	}
	if len(f.multi) > 0 && t.arrays {
		return nil, eserr.Refused("[fields] on mapper [%s] of type [%s] is not supported", name, t.name)
	}
	return f, nil
}

func (p *parser) fieldParameter(c *fieldContext, f *Field, e member, multi bool) error {
	switch e.name {
	case "type":
		return nil
	case "fields":
		if multi {
			return eserr.IllegalArgument("Encountered a multi-field [%s] which itself contains a multi-field. Defining chained multi-fields is not supported.", c.name)
		}
		return p.multiFields(f, e.value)
	case "copy_to":
		return copyTo(f, e.value)
	case "boost":
		return mapperParsing("Unknown parameter [boost] on mapper [%s]", c.name)
	}
	for i := range f.typ.params {
		param := &f.typ.params[i]
		if param.name != e.name {
			continue
		}
		if e.value.Kind() == jsonx.Null {
			if !param.nullable {
				return mapperParsing("[%s] on mapper [%s] of type [%s] must not have a [null] value", e.name, c.name, f.Type)
			}
			return nil
		}
		s, err := param.read(c, e.value)
		if err != nil {
			return err
		}
		s.given = true
		if s.text == param.standard && !param.explicit {
			s.json = ""
		}
		f.settings[i] = s
		return nil
	}
	typ := f.Type
	if p.typeless {
		typ = "null"
	}
	return mapperParsing("unknown parameter [%s] on mapper [%s] of type [%s]", e.name, c.name, typ)
}

func copyTo(f *Field, v jsonx.Value) error {
	switch v.Kind() {
	case jsonx.Null:
		return &eserr.Error{Status: 400, Type: "null_pointer_exception", Reason: "null", Mute: true}
	case jsonx.Array:
		for e := range v.Elements() {
			f.copyTo = append(f.copyTo, javaString(e))
		}
	default:
		f.copyTo = []string{javaString(v)}
	}
	return nil
}

func (p *parser) multiFields(f *Field, v jsonx.Value) error {
	if v.Kind() == jsonx.Array && v.Len() == 0 {
		return nil
	}
	if v.Kind() == jsonx.Null {
		return &eserr.Error{Status: 400, Type: "null_pointer_exception", Reason: `Cannot invoke "Object.getClass()" because "propNode" is null`}
	}
	if v.Kind() != jsonx.Object {
		return mapperParsing("expected map for property [fields] on field [%s] or [fields] but got a class %s", javaString(v), javaClass(v))
	}
	for _, e := range hashOrdered(v) {
		if strings.Contains(e.name, ".") {
			return mapperParsing("Field name [%s] which is a multi field of [%s] cannot contain '.'", e.name, f.short)
		}
		if e.value.Kind() != jsonx.Object {
			return mapperParsing("illegal field [%s], only fields can be specified inside fields", e.name)
		}
		t := e.value.Get("type")
		if !t.Exists() || t.Kind() == jsonx.Null {
			return mapperParsing("no type specified for property [%s]", e.name)
		}
		switch name := javaString(t); name {
		case "object", "nested", "alias":
			return mapperParsing("Type [%s] cannot be used in multi field", name)
		default:
			typ, err := p.fieldType(name)
			if err != nil {
				return err
			}
			if typ == nil {
				return mapperParsing("no handler for type [%s] declared on field [%s]", name, e.name)
			}
			sub, err := p.field(typ, e.name, join(f.Name, e.name), e.value, true)
			if err != nil {
				return err
			}
			sub.source = f.Name
			f.multi = append(f.multi, sub)
		}
	}
	slices.SortFunc(f.multi, func(a, b *Field) int { return cmp.Compare(a.short, b.short) })
	return nil
}
