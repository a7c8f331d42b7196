package mapping

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"

	"postern/internal/datemath"
	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// template is a dynamic template: a definition for fields that are not mapped yet.
type template struct {
	name string
	json []byte // the whole of it, as it is printed
	// Each list is empty for no condition.
	match, unmatch, pathMatch, pathUnmatch, types, notTypes []string
	regex                                                   map[string]*regexp.Regexp // nil for patterns with *
	mapping                                                 []byte                    // its members sorted
}

// contentTypes are the kinds of values that templates tell apart.
func contentTypes() []string {
	return []string{"object", "string", "long", "double", "boolean", "date", "binary"}
}

// defaultType is the mapping type of a kind of value.
func defaultType(content string) string {
	switch content {
	case "string":
		return "text"
	case "double":
		return "float"
	}
	return content
}

func (p *parser) dynamicTemplates(o *object, v jsonx.Value) error {
	if v.Kind() != jsonx.Array {
		return mapperParsing("Dynamic template syntax error. An array of named objects is expected.")
	}
	o.templatesSet = true
	for e := range v.Elements() {
		if e.Kind() != jsonx.Object {
			return classCast(javaClass(e), "java.util.Map")
		}
		if e.Len() != 1 {
			return mapperParsing("A dynamic template must be defined with a name")
		}
		for k, def := range e.Members() {
			if def.Kind() != jsonx.Object {
				return classCast(javaClass(def), "java.util.Map")
			}
			t, err := readTemplate(k.Text(), def)
			if err != nil {
				return err
			}
			if err := p.validate(t); err != nil {
				return err
			}
			o.templates = append(o.templates, t)
		}
	}
	return nil
}

func readTemplate(name string, v jsonx.Value) (*template, error) {
	t := &template{name: name}
	pattern := ""
	lists := []struct {
		name string
		into *[]string
	}{{"match", &t.match}, {"path_match", &t.pathMatch}, {"unmatch", &t.unmatch}, {"path_unmatch", &t.pathUnmatch},
		{"match_mapping_type", &t.types}, {"unmatch_mapping_type", &t.notTypes}}
members:
	for _, e := range hashOrdered(v) {
		for _, l := range lists {
			if l.name == e.name {
				if e.value.Kind() != jsonx.Array {
					*l.into = []string{javaString(e.value)}
					continue members
				}
				for s := range e.value.Elements() {
					*l.into = append(*l.into, javaString(s))
				}
				continue members
			}
		}
		switch e.name {
		case "match_pattern":
			pattern = javaString(e.value)
		case "mapping":
			if e.value.Kind() != jsonx.Object {
				return nil, classCast(javaClass(e.value), "java.util.Map")
			}
			t.mapping = appendSorted(nil, e.value)
		case "runtime":
			return nil, eserr.Refused("[runtime] of the dynamic template [%s] is not supported", name)
		default:
			return nil, eserr.IllegalArgument("Illegal dynamic template parameter: [%s]", e.name)
		}
	}
	if t.mapping == nil {
		return nil, mapperParsing("template [%s] must have either mapping or runtime set", name)
	}
	for _, list := range [][]string{t.types, t.notTypes} {
		for _, typ := range list {
			if typ != "*" && !slices.Contains(contentTypes(), typ) {
				return nil, eserr.IllegalArgument("No field type matched on [%s], possible values are [%s]", typ, strings.Join(contentTypes(), ", "))
			}
		}
	}
	switch pattern {
	case "", "simple":
	case "regex":
		if err := t.compile(); err != nil {
			return nil, err
		}
	default:
		return nil, eserr.IllegalArgument("No matching pattern matched on [%s]", pattern)
	}
	t.json = append(t.json, '{')
	for _, l := range lists {
		if len(*l.into) == 0 {
			continue
		}
		t.json = append(t.json, '"')
		t.json = append(t.json, l.name...)
		t.json = append(t.json, '"', ':')
		if len(*l.into) == 1 {
			t.json = jsonx.AppendString(t.json, (*l.into)[0])
		} else {
			t.json = appendStrings(t.json, *l.into)
		}
		t.json = append(t.json, ',')
	}
	if pattern != "" {
		t.json = append(t.json, `"match_pattern":"`+pattern+`",`...)
	}
	t.json = append(t.json, `"mapping":`...)
	t.json = append(t.json, t.mapping...)
	t.json = append(t.json, '}')
	return t, nil
}

func (t *template) compile() error {
	t.regex = map[string]*regexp.Regexp{}
	for _, list := range [][]string{t.match, t.unmatch, t.pathMatch, t.pathUnmatch} {
		for _, text := range list {
			re, err := regexp.Compile("^(?:" + text + ")$")
			if err != nil {
				e := mapperParsing("Pattern [%s] of type [regex] is invalid. Cannot create dynamic template [%s].", text, t.name)
				return e.Cause(&eserr.Error{Status: 400, Type: "pattern_syntax_exception", Reason: err.Error()})
			}
			t.regex[text] = re
		}
	}
	return nil
}

// appendSorted is appendMap with the members of the outermost object sorted.
func appendSorted(dst []byte, v jsonx.Value) []byte {
	list := hashOrdered(v)
	slices.SortFunc(list, func(a, b member) int { return cmp.Compare(a.name, b.name) })
	dst = append(dst, '{')
	for i, e := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonx.AppendString(dst, e.name)
		dst = append(dst, ':')
		dst = appendMap(dst, e.value)
	}
	return append(dst, '}')
}

// fits tells whether the template is for a field; content is the kind of its value.
func (t *template) fits(path, name, content string) bool {
	any := func(list []string, text string) bool {
		for _, pattern := range list {
			if t.regex != nil {
				if t.regex[pattern].MatchString(text) {
					return true
				}
			} else if simpleMatch(pattern, text) {
				return true
			}
		}
		return false
	}
	has := func(list []string) bool { return slices.Contains(list, content) || slices.Contains(list, "*") }
	switch {
	case len(t.pathMatch) > 0 && !any(t.pathMatch, path), len(t.match) > 0 && !any(t.match, name),
		any(t.pathUnmatch, path), any(t.unmatch, name),
		len(t.types) > 0 && !has(t.types), has(t.notTypes):
		return false
	}
	return true
}

// definition is the template's mapping for a field: names and the found type filled in,
// and the type that it asks for, "" for none.
func (t *template) definition(name, dynamicType string) (v jsonx.Value, typ string) {
	text := bytes.ReplaceAll(t.mapping, []byte("{name}"), jsonText(name))
	text = bytes.ReplaceAll(text, []byte("{dynamic_type}"), jsonText(dynamicType))
	v, err := jsonx.Parse(text)
	if err != nil {
		// Names are filled in escaped, so only a doubled member is left to be wrong.
		v = emptyValue()
	}
	if m := v.Get("type"); m.Exists() && m.Kind() != jsonx.Null {
		typ = javaString(m)
	} else if v.Get("properties").Exists() {
		typ = "object"
	}
	return v, typ
}

// jsonText is a text as it stands between the quotes of a JSON string.
func jsonText(s string) []byte {
	quoted := jsonx.AppendString(nil, s)
	return quoted[1 : len(quoted)-1]
}

// validate tries the template on each kind of value it may be for; one that works is
// enough.
func (p *parser) validate(t *template) error {
	contents := contentTypes()
	if len(t.types) > 0 && !slices.Contains(t.types, "*") {
		contents = slices.DeleteFunc(contents, func(c string) bool { return !slices.Contains(t.types, c) })
	}
	var last *eserr.Error
	for _, content := range contents {
		_, err := p.fromTemplate(t, "__dynamic__"+t.name, "__dynamic__"+t.name, content, "")
		if err == nil {
			return nil
		}
		last, _ = eserr.As(err)
		if last.Status == 501 {
			return last
		}
	}
	return eserr.IllegalArgument("dynamic template [%s] has invalid content [%s], attempted to validate it with the following match_mapping_type: [%s]",
		t.name, t.json, strings.Join(contents, ", ")).Cause(last)
}

// fromTemplate makes the node of a field by a template.
func (p *parser) fromTemplate(t *template, name, path, content, dateFormat string) (*node, error) {
	def, typ := t.definition(name, defaultType(content))
	q := *p
	if typ == "" {
		typ, q.typeless = defaultType(content), true
	}
	if content == "date" {
		q.dateFormat = dateFormat
	}
	switch typ {
	case "object", "nested", "alias":
	default:
		ft, err := q.fieldType(typ)
		if err != nil {
			return nil, err
		}
		if ft == nil {
			return nil, eserr.IllegalArgument("No mapper found for type [%s]", typ)
		}
	}
	return q.node(name, path, typ, def)
}

// dateFormat is one of the formats by which texts are taken for dates.
type dateFormat struct {
	pattern string
	format  *datemath.Format
}

func (p *parser) dateFormats(o *object, v jsonx.Value) error {
	o.datesSet = true
	list := []string{}
	if v.Kind() == jsonx.Array {
		for e := range v.Elements() {
			list = append(list, javaString(e))
		}
	} else if text := javaString(v); text != "none" {
		list = append(list, text)
	}
	for _, pattern := range list {
		format, err := datemath.ParseFormat(pattern)
		if err != nil {
			return err
		}
		o.dates = append(o.dates, dateFormat{pattern, format})
	}
	return nil
}

// detectable are the formats by which texts are taken for dates in this mapping.
func (o *object) detectable() []dateFormat {
	if o.datesSet {
		return o.dates
	}
	const slashes = "yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis"
	second, err := datemath.ParseFormat(slashes)
	if err != nil {
		return []dateFormat{{datemath.DefaultPattern, datemath.Default()}}
	}
	return []dateFormat{{datemath.DefaultPattern, datemath.Default()}, {slashes, second}}
}
