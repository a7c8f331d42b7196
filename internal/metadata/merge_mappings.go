package metadata

import "postern/internal/jsonx"

// mergeMappings lays the mapping of a request over a template's: objects are merged
// field by field, anything else is replaced. Either may be absent.
func mergeMappings(base, over jsonx.Value) jsonx.Value {
	switch {
	case !base.Exists():
		return over
	case !over.Exists():
		return base
	}
	return jsonx.MustParse(string(mergeObject(nil, base, over)))
}

func mergeObject(dst []byte, base, over jsonx.Value) []byte {
	dst = append(dst, '{')
	for k, m := range base.Members() {
		name := k.Text()
		other := over.Get(name)
		dst = member(dst, name)
		switch {
		case !other.Exists():
			dst = jsonx.Compact(dst, m)
		case name == "properties" && m.Kind() == jsonx.Object && other.Kind() == jsonx.Object:
			dst = mergeProperties(dst, m, other)
		case name == "dynamic_templates" && m.Kind() == jsonx.Array && other.Kind() == jsonx.Array:
			dst = mergeDynamicTemplates(dst, m, other)
		default:
			dst = jsonx.Compact(dst, other)
		}
	}
	for k, m := range over.Members() {
		if name := k.Text(); !base.Get(name).Exists() {
			dst = jsonx.Compact(member(dst, name), m)
		}
	}
	return append(dst, '}')
}

func mergeProperties(dst []byte, base, over jsonx.Value) []byte {
	dst = append(dst, '{')
	for k, m := range base.Members() {
		name := k.Text()
		other := over.Get(name)
		dst = member(dst, name)
		switch {
		case !other.Exists():
			dst = jsonx.Compact(dst, m)
		case objectType(m) != "" && objectType(m) == objectType(other):
			dst = mergeObject(dst, m, other)
		default:
			dst = jsonx.Compact(dst, other)
		}
	}
	for k, m := range over.Members() {
		if name := k.Text(); !base.Get(name).Exists() {
			dst = jsonx.Compact(member(dst, name), m)
		}
	}
	return append(dst, '}')
}

// objectType is object or nested, or nothing for other fields.
func objectType(v jsonx.Value) string {
	switch typ := v.Get("type"); {
	case !typ.Exists() && v.Get("properties").Exists():
		return "object"
	case typ.Text() == "object", typ.Text() == "nested":
		return typ.Text()
	}
	return ""
}

// mergeDynamicTemplates puts a template of the same name in the old one's place.
func mergeDynamicTemplates(dst []byte, base, over jsonx.Value) []byte {
	byName := map[string]jsonx.Value{}
	for e := range over.Elements() {
		byName[firstName(e)] = e
	}
	dst = append(dst, '[')
	put := func(v jsonx.Value) {
		if dst[len(dst)-1] != '[' {
			dst = append(dst, ',')
		}
		dst = jsonx.Compact(dst, v)
	}
	for e := range base.Elements() {
		name := firstName(e)
		if other, ok := byName[name]; ok {
			e = other
			delete(byName, name)
		}
		put(e)
	}
	for e := range over.Elements() {
		if _, left := byName[firstName(e)]; left {
			put(e)
		}
	}
	return append(dst, ']')
}

func firstName(v jsonx.Value) string {
	for k := range v.Members() {
		return k.Text()
	}
	return ""
}
