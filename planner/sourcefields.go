package planner

import (
	"slices"
	"strings"

	"postern/internal/datemath"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/internal/segment"
	"postern/planner/query"
)

// sourceFields is the fields option resolved for one index: leaves read from _source
// and shown as their types have them.
type sourceFields struct {
	leaves []*sourceField
	nested []*nestedFields
	meta   []string
	// unmapped are patterns of names that need no mapping.
	unmapped []string
	mapping  *mapping.Mapping
}

// sourceField is one leaf.
type sourceField struct {
	name   string // in the answer, relative to the nested object it lies in
	field  *mapping.Field
	paths  []string // in the source, relative in the same way
	format *datemath.Format
}

// nestedFields are the leaves of one path of nested objects, which keep their grouping.
type nestedFields struct {
	name string // in the answer
	path string // in the source
	sub  sourceFields
}

func resolveSourceFields(c *query.Context, specs []fieldSpec) (*sourceFields, error) {
	if len(specs) == 0 {
		return nil, nil
	}
	s := &sourceFields{mapping: c.Mapping}
	for _, spec := range specs {
		if metaShown(spec.pattern) {
			s.meta = append(s.meta, spec.pattern)
			continue
		}
		if spec.pattern == "_source" {
			return nil, eserr.UnsupportedOperation("Cannot fetch values for internal field [_source].")
		}
		if spec.unmapped {
			s.unmapped = append(s.unmapped, spec.pattern)
		}
		names := []string{spec.pattern}
		if strings.Contains(spec.pattern, "*") {
			names = c.Mapping.MatchNames(spec.pattern)
		}
		for _, name := range names {
			if f := c.Mapping.Field(name); f != nil {
				if err := s.addLeaf(c, name, f, spec.format); err != nil {
					return nil, err
				}
			}
		}
	}
	return s, nil
}

// addLeaf puts a leaf into the groups of the nested objects it lies in.
func (s *sourceFields) addLeaf(c *query.Context, name string, f *mapping.Field, format string) error {
	leaf := &sourceField{name: name, field: f}
	if f.Type == "date" || f.Type == "date_nanos" {
		leaf.format = f.Format
		if format != "" {
			var err error
			if leaf.format, err = datemath.ParseFormat(format); err != nil {
				return err
			}
		}
	} else if format != "" && f.Type != "geo_point" {
		cause := eserr.IllegalArgument("Field [%s] of type [%s] doesn't support formats.", f.Name, f.Type)
		return eserr.IllegalArgument("error fetching [%s]: %s", name, cause.Reason).Cause(cause)
	} else if format != "" && format != "geojson" {
		return eserr.Refused("the format [%s] of geo_point is not supported in [fields]", format)
	}
	at, prefix := s, ""
	for _, step := range c.Steps(f.NestedPath) {
		at = at.group(step, prefix)
		prefix = step + "."
	}
	leaf.name = strings.TrimPrefix(leaf.name, prefix)
	for _, p := range c.Mapping.SourcePaths(f.Name) {
		if strings.HasPrefix(p, prefix) {
			leaf.paths = append(leaf.paths, p[len(prefix):])
		}
	}
	for _, have := range at.leaves {
		if have.name == leaf.name {
			have.format = leaf.format
			return nil
		}
	}
	at.leaves = append(at.leaves, leaf)
	return nil
}

// group finds or makes the group of a nested path.
func (s *sourceFields) group(path, prefix string) *sourceFields {
	rel := path[len(prefix):]
	for _, n := range s.nested {
		if n.path == rel {
			return &n.sub
		}
	}
	n := &nestedFields{name: rel, path: rel, sub: sourceFields{mapping: s.mapping}}
	s.nested = append(s.nested, n)
	return &n.sub
}

// metaShown tells the metadata fields that can be asked for by name.
func metaShown(name string) bool {
	switch name {
	case "_id", "_index", "_routing", "_ignored":
		return true
	}
	return false
}

// add adds the values of a document.
func (s *sourceFields) add(values, ignored map[string][]byte, index string, source jsonx.Value, part segment.Part, doc uint32) {
	s.collect(values, source)
	s.collectIgnored(ignored, source, ignoredOf(part, doc))
	for _, name := range s.meta {
		switch name {
		case "_id":
			values[name] = jsonx.AppendString(nil, part.ID(doc))
		case "_index":
			values[name] = jsonx.AppendString(nil, index)
		case "_routing":
			if r := part.Routing(doc); r != "" {
				values[name] = jsonx.AppendString(nil, r)
			}
		case "_ignored":
			if list := ignoredOf(part, doc); len(list) > 0 {
				dst := appendStrings(nil, list)
				values[name] = dst[1 : len(dst)-1]
			}
		}
	}
	if len(s.unmapped) > 0 {
		s.collectUnmapped(values, "", source)
	}
}

// collect reads the leaves, and the groups of nested objects, out of one object.
func (s *sourceFields) collect(values map[string][]byte, source jsonx.Value) {
	for _, leaf := range s.leaves {
		var dst []byte
		for _, p := range leaf.paths {
			extract(source, p, leaf.field.Type == "geo_point", func(v jsonx.Value) { dst = leaf.appendValue(dst, v) })
		}
		if len(dst) > 0 {
			values[leaf.name] = dst
		}
	}
	for _, n := range s.nested {
		var dst []byte
		extract(source, n.path, false, func(v jsonx.Value) {
			inner := make(map[string][]byte)
			n.sub.collect(inner, v)
			if len(inner) == 0 {
				return
			}
			if len(dst) > 0 {
				dst = append(dst, ',')
			}
			dst = append(dst, appendFields(inner, 0, false)...)
		})
		if len(dst) > 0 {
			values[n.name] = dst
		}
	}
}

// collectIgnored adds the values of a document's ignored fields that are not shown as
// values, as they stand in the source. Elasticsearch leaves geo points out.
func (s *sourceFields) collectIgnored(ignored map[string][]byte, source jsonx.Value, names []string) {
	for _, leaf := range s.leaves {
		if leaf.field.Type == "geo_point" || !slices.Contains(names, leaf.field.Name) {
			continue
		}
		for _, p := range leaf.paths {
			extract(source, p, false, func(v jsonx.Value) {
				if v.Kind() != jsonx.Null && len(leaf.appendValue(nil, v)) == 0 {
					ignored[leaf.name] = appendItem(ignored[leaf.name], func(dst []byte) []byte { return append(dst, v.Raw()...) })
				}
			})
		}
	}
}

// collectUnmapped adds the leaves of a source that no mapping knows.
func (s *sourceFields) collectUnmapped(values map[string][]byte, path string, v jsonx.Value) {
	switch v.Kind() {
	case jsonx.Object:
		for k, m := range v.Members() {
			name := k.Text()
			if path != "" {
				name = path + "." + name
			}
			s.collectUnmapped(values, name, m)
		}
	case jsonx.Array:
		for e := range v.Elements() {
			s.collectUnmapped(values, path, e)
		}
	case jsonx.Null:
	default:
		if s.mapping.Field(path) != nil {
			return
		}
		for _, p := range s.unmapped {
			if query.MatchesPattern(p, path) {
				values[path] = appendItem(values[path], func(dst []byte) []byte { return append(dst, v.Raw()...) })
				return
			}
		}
	}
}

// extract calls f with the values at a path, through objects, dotted names and arrays.
// Of points, an array of numbers is one value.
func extract(v jsonx.Value, path string, points bool, f func(jsonx.Value)) {
	switch v.Kind() {
	case jsonx.Array:
		if points && path == "" && firstIsNumber(v) {
			f(v)
			return
		}
		for e := range v.Elements() {
			extract(e, path, points, f)
		}
		return
	case jsonx.Object:
		if path == "" {
			f(v)
			return
		}
		for k, m := range v.Members() {
			rest, ok := strings.CutPrefix(path, k.Text())
			switch {
			case !ok:
			case rest == "":
				extract(m, "", points, f)
			case rest[0] == '.':
				extract(m, rest[1:], points, f)
			}
		}
		return
	}
	if path == "" && v.Exists() {
		f(v)
	}
}

func firstIsNumber(v jsonx.Value) bool {
	for e := range v.Elements() {
		return e.Kind() == jsonx.Number
	}
	return false
}

func appendItem(dst []byte, item func([]byte) []byte) []byte {
	n := len(dst)
	if n > 0 {
		dst = append(dst, ',')
	}
	at := len(dst)
	dst = item(dst)
	if len(dst) == at { // nothing to show
		return dst[:n]
	}
	return dst
}
