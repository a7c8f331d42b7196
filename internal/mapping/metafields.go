package mapping

import (
	"slices"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// source reads the options of _source.
func (p *parser) source(m *Mapping, v jsonx.Value) error {
	if v.Kind() != jsonx.Object {
		return eserr.IllegalArgument("[_source] config must be an object")
	}
	list := func(v jsonx.Value) ([]string, error) {
		if v.Kind() != jsonx.Array {
			return nil, classCast(javaClass(v), "java.util.List")
		}
		var out []string
		for e := range v.Elements() {
			out = append(out, javaString(e))
		}
		return out, nil
	}
	for _, e := range hashOrdered(v) {
		var err error
		switch e.name {
		case "enabled":
			var s setting
			s, err = readBool(nil, e.value)
			m.source.Disabled, m.source.enabledSet = s.text == "false", true
		case "includes":
			m.source.Includes, err = list(e.value)
		case "excludes":
			m.source.Excludes, err = list(e.value)
		case "mode", "synthetic_source_keep", "compress", "compress_threshold":
			err = eserr.Refused("[%s] of [_source] is not supported", e.name)
		default:
			err = mapperParsing("unknown parameter [%s] on metadata field [_source]", e.name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) routing(m *Mapping, v jsonx.Value) error {
	if v.Kind() != jsonx.Object {
		return eserr.IllegalArgument("[_routing] config must be an object")
	}
	for _, e := range hashOrdered(v) {
		if e.name != "required" {
			return mapperParsing("unknown parameter [%s] on metadata field [_routing]", e.name)
		}
		s, err := readBool(nil, e.value)
		if err != nil {
			return err
		}
		m.routing.required, m.routing.set = s.text == "true", true
	}
	return nil
}

func (s *Source) isDefault() bool { return !s.Disabled && len(s.Includes)+len(s.Excludes) == 0 }

func (s *Source) appendJSON(dst []byte) []byte {
	if s.isDefault() {
		return dst
	}
	dst = append(dst, `"_source":{`...)
	comma := false
	if s.Disabled {
		dst = append(dst, `"enabled":false`...)
		comma = true
	}
	for _, l := range []struct {
		name string
		list []string
	}{{"includes", s.Includes}, {"excludes", s.Excludes}} {
		if len(l.list) == 0 {
			continue
		}
		if comma {
			dst = append(dst, ',')
		}
		comma = true
		dst = append(dst, '"')
		dst = append(dst, l.name...)
		dst = append(dst, '"', ':')
		dst = appendStrings(dst, l.list)
	}
	return append(dst, '}', ',')
}

func appendStrings(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for i, s := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonx.AppendString(dst, s)
	}
	return append(dst, ']')
}

func sameStrings(a, b []string) bool { return slices.Equal(a, b) }
