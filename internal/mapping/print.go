package mapping

import (
	"postern/internal/jsonx"
)

// AppendJSON appends the mapping as GET _mapping shows it, which is also a form that
// Parse reads back.
func (m *Mapping) AppendJSON(dst []byte) []byte {
	o := m.root
	dst = append(dst, '{')
	dst = o.appendFlags(dst)
	if m.meta != nil {
		dst = append(dst, `"_meta":`...)
		dst = append(dst, m.meta...)
		dst = append(dst, ',')
	}
	if m.routing.required {
		dst = append(dst, `"_routing":{"required":true},`...)
	}
	dst = m.source.appendJSON(dst)
	if o.datesSet {
		dst = append(dst, `"dynamic_date_formats":`...)
		names := make([]string, len(o.dates))
		for i, d := range o.dates {
			names[i] = d.pattern
		}
		dst = append(appendStrings(dst, names), ',')
	}
	if o.templatesSet {
		dst = append(dst, `"dynamic_templates":[`...)
		for i, t := range o.templates {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(dst, '{')
			dst = jsonx.AppendString(dst, t.name)
			dst = append(dst, ':')
			dst = append(dst, t.json...)
			dst = append(dst, '}')
		}
		dst = append(dst, ']', ',')
	}
	if o.datesIs {
		dst = append(dst, `"date_detection":`...)
		dst = append(jsonx.AppendBool(dst, !o.noDates), ',')
	}
	if o.numbersIs {
		dst = append(dst, `"numeric_detection":`...)
		dst = append(jsonx.AppendBool(dst, o.numbers), ',')
	}
	dst = o.appendProperties(dst)
	return closeObject(dst)
}

// closeObject ends an object whose members each end in a comma.
func closeObject(dst []byte) []byte {
	if dst[len(dst)-1] == ',' {
		dst = dst[:len(dst)-1]
	}
	return append(dst, '}')
}

func (o *object) appendFlags(dst []byte) []byte {
	if o.dynamic != dynamicInherit {
		dst = append(dst, `"dynamic":"`...)
		dst = append(dst, dynamicNames[o.dynamic]...)
		dst = append(dst, '"', ',')
	}
	if o.disabled {
		dst = append(dst, `"enabled":false,`...)
	}
	if o.subobjects {
		dst = append(dst, `"subobjects":true,`...)
	}
	return dst
}

func (o *object) appendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	switch {
	case o.nested:
		dst = append(dst, `"type":"nested",`...)
		if o.inParent {
			dst = append(dst, `"include_in_parent":true,`...)
		}
		if o.inRoot {
			dst = append(dst, `"include_in_root":true,`...)
		}
	case len(o.names) == 0:
		dst = append(dst, `"type":"object",`...)
	}
	dst = o.appendFlags(dst)
	dst = o.appendProperties(dst)
	return closeObject(dst)
}

func (o *object) appendProperties(dst []byte) []byte {
	if len(o.names) == 0 {
		return dst
	}
	dst = append(dst, `"properties":{`...)
	for _, name := range o.names {
		dst = jsonx.AppendString(dst, name)
		dst = append(dst, ':')
		switch n := o.children[name]; {
		case n.object != nil:
			dst = n.object.appendJSON(dst)
		case n.field != nil:
			dst = n.field.appendJSON(dst)
		default:
			dst = append(dst, `{"type":"alias","path":`...)
			dst = jsonx.AppendString(dst, n.alias)
			dst = append(dst, '}')
		}
		dst = append(dst, ',')
	}
	return append(closeObject(dst), ',')
}

func (f *Field) appendJSON(dst []byte) []byte {
	dst = append(dst, `{"type":"`...)
	dst = append(dst, f.Type...)
	dst = append(dst, '"', ',')
	early := f.typ.early
	if early == 0 {
		early = len(f.settings)
	}
	dst = f.appendSettings(dst, 0, early)
	if len(f.multi) > 0 {
		dst = append(dst, `"fields":{`...)
		for _, sub := range f.multi {
			dst = jsonx.AppendString(dst, sub.short)
			dst = append(dst, ':')
			dst = append(sub.appendJSON(dst), ',')
		}
		dst = append(closeObject(dst), ',')
	}
	if len(f.copyTo) > 0 {
		dst = append(dst, `"copy_to":`...)
		dst = append(appendStrings(dst, f.copyTo), ',')
	}
	dst = f.appendSettings(dst, early, len(f.settings))
	return closeObject(dst)
}

func (f *Field) appendSettings(dst []byte, from, to int) []byte {
	for i := from; i < to; i++ {
		if s := &f.settings[i]; s.given && s.json != "" {
			dst = append(dst, '"')
			dst = append(dst, f.typ.params[i].name...)
			dst = append(dst, '"', ':')
			dst = append(dst, s.json...)
			dst = append(dst, ',')
		}
	}
	return dst
}
