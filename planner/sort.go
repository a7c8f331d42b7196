package planner

import (
	"math"
	"slices"
	"strconv"

	"postern/generated/aggs"
	"postern/internal/datemath"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/planner/query"
)

// defaultSort orders by score, best first.
func defaultSort() []*sortField {
	return []*sortField{{kind: sortScore, name: "_score", field: "_score", desc: true, out: floatValue}}
}

// resolveSort finds out what a sort means in one index.
func resolveSort(c *query.Context, options []aggs.SortOption) ([]*sortField, error) {
	fields := make([]*sortField, 0, len(options))
	for i := range options {
		f, err := resolveSortOption(c, &options[i])
		if err != nil {
			return nil, err
		}
		fields = append(fields, f)
	}
	return fields, nil
}

func resolveSortOption(c *query.Context, o *aggs.SortOption) (*sortField, error) {
	switch o.Kind {
	case aggs.SortOptionKindScore:
		return &sortField{kind: sortScore, name: "_score", field: "_score", desc: o.Score == nil || o.Score.Order != aggs.SortOrderAsc, out: floatValue}, nil
	case aggs.SortOptionKindDoc:
		return &sortField{kind: sortDoc, name: "_doc", field: "_doc", desc: o.Doc != nil && o.Doc.Order == aggs.SortOrderDesc, out: longValue}, nil
	}
	s := &o.Field.Value
	f := &sortField{name: o.Field.Key, field: o.Field.Key, desc: s.Order == aggs.SortOrderDesc}
	if ok, err := f.resolveMeta(c); ok || err != nil {
		return f, err
	}
	if err := f.resolveMode(s.Mode); err != nil {
		return nil, err
	}
	m := c.Mapping.Field(f.name)
	if m == nil {
		return f.unmapped(c, s)
	}
	f.field = m.Name
	if err := f.resolveType(c, m, s); err != nil {
		return nil, err
	}
	if err := f.resolveNested(c, m, s.Nested); err != nil {
		return nil, err
	}
	return f, f.resolveMissing(s.Missing)
}

// resolveMeta handles the fields that every document has.
func (f *sortField) resolveMeta(c *query.Context) (bool, error) {
	switch f.name {
	case "_seq_no":
		f.kind, f.out = sortSeqNo, longValue
	case shardDocSort:
		f.kind, f.out = sortShardDoc, longValue
	case "_index":
		f.kind, f.out, f.text = sortConst, stringValue, c.Index
	case "_id":
		return true, eserr.IllegalArgument("Fielddata access on the _id field is disallowed, you can re-enable it by updating the dynamic cluster setting: indices.id_field_data.enabled")
	case "_routing", "_source", "_field_names":
		return true, eserr.IllegalArgument("Fielddata is not supported on field [%s] of type [%s]", f.name, f.name)
	default:
		return false, nil
	}
	return true, nil
}

func (f *sortField) resolveMode(m aggs.SortMode) error {
	switch m {
	case 0:
		if f.desc {
			f.mode = modeMax
		}
	case aggs.SortModeMax:
		f.mode = modeMax
	case aggs.SortModeSum:
		f.mode = modeSum
	case aggs.SortModeAvg:
		f.mode = modeAvg
	case aggs.SortModeMedian:
		f.mode = modeMedian
	}
	return nil
}

func (f *sortField) resolveType(c *query.Context, m *mapping.Field, s *aggs.FieldSort) error {
	if err := sortable(c, m); err != nil {
		return err
	}
	switch m.Kind {
	case mapping.KindLong:
		f.kind, f.source, f.out = sortLong, longValue, longValue
		f.nanos = m.Type == "date_nanos"
		if m.Type == "date" || f.nanos {
			f.parse = m.Format
		}
	case mapping.KindDouble:
		f.kind, f.source, f.out = sortDouble, doubleValue, doubleValue
		if m.Type == "float" || m.Type == "half_float" {
			f.out = floatValue
		}
	default:
		f.kind, f.out, f.source = sortTerm, stringValue, stringValue
		f.ip = m.Kind == mapping.KindIP
		if f.mode > modeMax {
			return eserr.QueryShard(c.Index, c.UUID, "we only support AVG, MEDIAN and SUM on number based fields")
		}
	}
	if s.NumericType != 0 {
		if f.kind == sortTerm {
			return eserr.QueryShard(c.Index, c.UUID, "[numeric_type] option cannot be set on a non-numeric field, got %s", m.Type)
		}
		f.retype(m, s.NumericType)
	}
	if s.Format == nil {
		return nil
	}
	if m.Type != "date" && m.Type != "date_nanos" {
		if m.Kind == mapping.KindLong || m.Kind == mapping.KindDouble {
			return eserr.IllegalArgument("require a date_time formatter; got [decimal]")
		}
		return eserr.IllegalArgument("Field [%s] of type [%s] doesn't support formatting with format [%s]", m.Name, m.Type, *s.Format)
	}
	format, err := datemath.ParseFormat(*s.Format)
	f.format, f.parse = format, format
	return err
}

// retype sorts the values as another numeric type would have them.
func (f *sortField) retype(m *mapping.Field, t aggs.FieldSortNumericType) {
	switch t {
	case aggs.FieldSortNumericTypeDouble:
		f.out = doubleValue
	case aggs.FieldSortNumericTypeLong:
		f.out = longValue
	case aggs.FieldSortNumericTypeDate:
		if m.Type == "date_nanos" {
			f.scale, f.nanos = -1e6, false
		}
		f.out = longValue
	case aggs.FieldSortNumericTypeDateNanos:
		if m.Type == "date" {
			f.scale, f.nanos = 1e6, true
		}
		f.out = longValue
	}
	if f.out != f.source && f.source == longValue {
		f.kind = sortLong
	}
}

// sortable is the error of fields whose values cannot be ordered.
func sortable(c *query.Context, m *mapping.Field) error {
	switch {
	case m.Type == "text":
		return eserr.IllegalArgument("Fielddata is disabled on [%s] in [%s]. Text fields are not optimised for operations that require per-document field data like aggregations and sorting, so these operations are disabled by default. Please use a keyword field instead. Alternatively, set fielddata=true on [%s] in order to load field data by uninverting the inverted index. Note that this can use significant memory.", m.Name, c.Index, m.Name)
	case m.Type == "geo_point":
		return eserr.IllegalArgument("can't sort on geo_point or point field without using specific sorting feature, like geo_distance")
	case m.Type == "dense_vector":
		return eserr.IllegalArgument("Field [%s] of type [dense_vector] doesn't support sort", m.Name)
	case !m.DocValues:
		return eserr.IllegalArgument("Can't load fielddata on [%s] because fielddata is unsupported on fields of type [%s]. Use doc values instead.", m.Name, m.Type)
	}
	return nil
}

// unmapped sorts as if the field were mapped and no document had it.
func (f *sortField) unmapped(c *query.Context, s *aggs.FieldSort) (*sortField, error) {
	if s.UnmappedType == nil {
		return nil, eserr.QueryShard(c.Index, c.UUID, "No mapping found for [%s] in order to sort on", f.name)
	}
	f.kind = sortNone
	switch t := *s.UnmappedType; t {
	case "byte", "short", "integer", "long", "date", "date_nanos", "boolean":
		f.out = longValue
	case "float", "half_float":
		f.out = floatValue
	case "double", "scaled_float":
		f.out = doubleValue
	case "keyword", "ip":
		f.out, f.ip = stringValue, t == "ip"
	default:
		return nil, eserr.IllegalArgument("No mapper found for type [%s]", t)
	}
	f.source = f.out
	return f, f.resolveMissing(s.Missing)
}

// resolveNested checks and parses the nested objects that the values come from.
func (f *sortField) resolveNested(c *query.Context, m *mapping.Field, n *aggs.NestedSortValue) error {
	if n == nil {
		if m.NestedPath != "" && m.NestedPath != c.Scope() {
			return eserr.QueryShard(c.Index, c.UUID, "it is mandatory to set the [nested] context on the nested sort field: [%s].", f.name)
		}
		return nil
	}
	f.atMost = math.MaxInt
	if n.MaxChildren != nil {
		f.atMost = *n.MaxChildren
	}
	innermost := n
	for innermost.Nested != nil {
		if innermost = innermost.Nested; innermost.MaxChildren != nil {
			return eserr.QueryShard(c.Index, c.UUID, "max_children is only supported on top level of nested sort")
		}
	}
	for _, path := range c.Steps(innermost.Path) {
		f.steps = append(f.steps, nestedStep{path: path})
	}
	for ; n != nil; n = n.Nested {
		if n.Path == "" { // the documents themselves, which have no such field
			continue
		}
		if !c.IsNested(n.Path) {
			return eserr.QueryShard(c.Index, c.UUID, "[nested] failed to find nested object under path [%s]", n.Path)
		}
		if n.Filter == nil {
			continue
		}
		at := slices.IndexFunc(f.steps, func(s nestedStep) bool { return s.path == n.Path })
		if at < 0 {
			return eserr.Refused("[filter] of a nested sort on [%s], around [%s], is not supported", n.Path, innermost.Path)
		}
		var err error
		if f.steps[at].filter, err = c.In(n.Path, func() (query.Node, error) { return query.Parse(c, n.Filter) }); err != nil {
			return err
		}
	}
	return nil
}

// resolveMissing decides where documents without a value go.
func (f *sortField) resolveMissing(v jsonx.Value) error {
	switch text := v.Text(); {
	case !v.Exists() || v.Kind() == jsonx.Null || text == "_last":
	case text == "_first":
		f.missingFirst = true
	default:
		m, err := f.parseValue(v, nil)
		if err != nil {
			return err
		}
		f.missing, f.given = m, true
		return nil
	}
	if f.out != stringValue {
		f.missing = f.missingDefault()
	}
	return nil
}

// parseValue reads a value of the field's type; format is that of dates, if they may be
// given as text.
func (f *sortField) parseValue(v jsonx.Value, format *datemath.Format) (sortValue, *eserr.Error) {
	switch f.out {
	case longValue:
		return f.parseLong(v, format)
	case doubleValue, floatValue:
		n, err := strconv.ParseFloat(v.Text(), 64)
		if err != nil && !math.IsInf(n, 0) {
			return sortValue{}, numberFormat(v.Text())
		}
		if f.out == floatValue {
			n = float64(float32(n))
		}
		return sortValue{kind: f.out, f: n}, nil
	}
	if f.ip {
		raw, err := ipRaw(v.Text())
		return sortValue{kind: stringValue, s: raw}, err
	}
	return sortValue{kind: stringValue, s: v.Text()}, nil
}

func (f *sortField) parseLong(v jsonx.Value, format *datemath.Format) (sortValue, *eserr.Error) {
	if b, ok := v.Bool(); ok {
		if b {
			return sortValue{kind: longValue, i: 1}, nil
		}
		return sortValue{kind: longValue}, nil
	}
	if i, err := strconv.ParseInt(v.Text(), 10, 64); err == nil && (format == nil || v.Kind() == jsonx.Number) {
		return sortValue{kind: longValue, i: i}, nil
	}
	if v.Kind() == jsonx.Number {
		n, _ := v.Float64()
		return sortValue{kind: longValue, i: javaLong(n)}, nil
	}
	if format == nil {
		return sortValue{}, numberFormat(v.Text())
	}
	at, err := format.ParseMath(v.Text(), now0, false, nil)
	if err != nil {
		if e, ok := eserr.As(err); ok {
			return sortValue{}, e
		}
		return sortValue{}, eserr.ParseError("%s", err.Error())
	}
	if f.nanos {
		return sortValue{kind: longValue, i: at.ClampedNanos()}, nil
	}
	return sortValue{kind: longValue, i: at.Millis()}, nil
}

func numberFormat(text string) *eserr.Error {
	return eserr.NumberFormat("For input string: \"" + text + "\"")
}
