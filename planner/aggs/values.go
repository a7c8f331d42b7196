package aggs

import (
	"math"
	"slices"
	"strconv"

	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/internal/segment"
)

// values is where an aggregation finds its values: a field's column, or for documents
// without one, or for all when the field is not mapped, the value given as missing.
type values struct {
	field *mapping.Field // nil when the index does not have it
	// inScope is false for a field of nested documents that the aggregation does not look
	// at, and for the other way round: then no document has a value.
	inScope bool
	format  format
	missing jsonx.Value
	// The missing value as the column has it.
	missingLong   int64
	missingDouble float64
	missingText   string
}

func (v *values) hasMissing() bool { return v.missing.Exists() && v.missing.Kind() != jsonx.Null }

// required is the error of an aggregation without a field.
func required(name *string) error {
	if name == nil {
		return eserr.IllegalArgument("Required one of fields [field, script], but none were specified. ")
	}
	return nil
}

// values resolves a field and checks that the aggregation can read it: only numbers when
// numeric is set. pattern is the request's format.
func (c *source) values(field *string, missing jsonx.Value, pattern, zone *string, numeric bool) (*values, error) {
	if err := required(field); err != nil {
		return nil, err
	}
	typ := c.a.Kind.String()
	v := &values{missing: missing, field: c.Mapping.Field(*field)}
	f := v.field
	if f == nil {
		var err error
		v.format, err = formatOf(nil, pattern, zone)
		if err == nil {
			err = v.parseMissing(nil, c)
		}
		return v, err
	}
	switch {
	case f.Kind == mapping.KindText:
		return nil, eserr.IllegalArgument("Fielddata is disabled on [%s] in [%s]. Text fields are not optimised for operations that require per-document field data like aggregations and sorting, so these operations are disabled by default. Please use a keyword field instead. Alternatively, set fielddata=true on [%s] in order to load field data by uninverting the inverted index. Note that this can use significant memory.", f.Name, c.Index, f.Name)
	case !f.DocValues:
		return nil, eserr.IllegalArgument("Can't load fielddata on [%s] because fielddata is unsupported on fields of type [%s]. Use doc values instead.", f.Name, f.Type)
	case f.Kind == mapping.KindVector || f.Kind == mapping.KindNone ||
		f.Kind == mapping.KindGeoPoint && typ != "value_count" && typ != "missing" && typ != "cardinality":
		return nil, v.unsupported(typ)
	case numeric && f.Kind != mapping.KindLong && f.Kind != mapping.KindDouble:
		return nil, v.unsupported(typ)
	}
	v.inScope = c.Mapping.Nested(f.Name) == c.Scope()
	var err error
	if v.format, err = formatOf(f, pattern, zone); err != nil {
		return nil, err
	}
	return v, v.parseMissing(f, c)
}

func (v *values) unsupported(typ string) error {
	return eserr.IllegalArgument("Field [%s] of type [%s] is not supported for aggregation [%s]", v.field.Name, v.field.Type, typ)
}

// parseMissing reads the missing value as the field would.
func (v *values) parseMissing(f *mapping.Field, c *source) error {
	if !v.hasMissing() {
		return nil
	}
	v.missingText = v.missing.Text()
	switch {
	case f == nil:
		if d, err := strconv.ParseFloat(v.missingText, 64); err == nil {
			v.missingDouble, v.missingLong = d, int64(d)
		}
	case f.Kind == mapping.KindKeyword:
	case f.Kind == mapping.KindIP:
		b, err := parseIP(v.missingText)
		if err != nil {
			return err
		}
		v.missingText = b
	case f.Kind == mapping.KindLong && v.format.dates != nil:
		at, err := v.format.dates.ParseMath(v.missingText, c.Now, false, v.format.zone)
		if err != nil {
			return err
		}
		v.missingLong = at.Millis()
		if v.format.nanos {
			v.missingLong = at.ClampedNanos()
		}
		v.missingDouble = float64(v.missingLong)
	case f.Type == "boolean" && (v.missingText == "true" || v.missingText == "false"):
		if v.missingText == "true" {
			v.missingLong, v.missingDouble = 1, 1
		}
	default:
		d, err := strconv.ParseFloat(v.missingText, 64)
		if err != nil {
			return &eserr.Error{Status: 400, Type: "number_format_exception", Reason: "For input string: \"" + v.missingText + "\""}
		}
		v.missingDouble, v.missingLong = d, int64(d)
		if n, ok := v.missing.Int64(); ok {
			v.missingLong = n
		}
	}
	return nil
}

// kind is the kind of the column that the values come from, KindNone without one.
func (v *values) kind() mapping.Kind {
	if v.field == nil || !v.inScope {
		return mapping.KindNone
	}
	return v.field.Kind
}

// doubles gives the selected documents' values as doubles, with the document of each:
// ascending by document and, within one, by value. The slices are good until the next
// call.
func (x *collector) readDoubles(v *values, s *selection) (docs []uint32, vals []float64) {
	x.docs, x.doubles = x.docs[:0], x.doubles[:0]
	switch v.kind() {
	case mapping.KindLong:
		if c := s.seg.Long(v.field.Name); c != nil {
			if c.Single() && c.Has() == nil {
				dense := c.Dense()
				for _, d := range s.docs() {
					x.doubles = append(x.doubles, float64(dense[d]))
				}
				return s.docs(), x.doubles
			}
			for _, d := range s.docs() {
				vs := c.Values(d)
				for _, n := range vs {
					x.docs, x.doubles = append(x.docs, d), append(x.doubles, float64(n))
				}
				if len(vs) == 0 && v.hasMissing() {
					x.docs, x.doubles = append(x.docs, d), append(x.doubles, v.missingDouble)
				}
			}
			return x.docs, x.doubles
		}
	case mapping.KindDouble:
		if c := s.seg.Double(v.field.Name); c != nil {
			if c.Single() && c.Has() == nil {
				dense := c.Dense()
				for _, d := range s.docs() {
					x.doubles = append(x.doubles, dense[d])
				}
				return s.docs(), x.doubles
			}
			for _, d := range s.docs() {
				vs := c.Values(d)
				for _, n := range vs {
					x.docs, x.doubles = append(x.docs, d), append(x.doubles, n)
				}
				if len(vs) == 0 && v.hasMissing() {
					x.docs, x.doubles = append(x.docs, d), append(x.doubles, v.missingDouble)
				}
			}
			return x.docs, x.doubles
		}
	}
	if v.hasMissing() {
		for range s.docs() {
			x.doubles = append(x.doubles, v.missingDouble)
		}
		return s.docs(), x.doubles
	}
	return nil, nil
}

// readLongs is readDoubles for whole numbers.
func (x *collector) readLongs(v *values, s *selection) (docs []uint32, vals []int64) {
	x.docs, x.longs = x.docs[:0], x.longs[:0]
	if v.kind() == mapping.KindLong {
		if c := s.seg.Long(v.field.Name); c != nil {
			if c.Single() && c.Has() == nil {
				dense := c.Dense()
				for _, d := range s.docs() {
					x.longs = append(x.longs, dense[d])
				}
				return s.docs(), x.longs
			}
			for _, d := range s.docs() {
				vs := c.Values(d)
				for _, n := range vs {
					x.docs, x.longs = append(x.docs, d), append(x.longs, n)
				}
				if len(vs) == 0 && v.hasMissing() {
					x.docs, x.longs = append(x.docs, d), append(x.longs, v.missingLong)
				}
			}
			return x.docs, x.longs
		}
	}
	if v.hasMissing() {
		for range s.docs() {
			x.longs = append(x.longs, v.missingLong)
		}
		return s.docs(), x.longs
	}
	return nil, nil
}

// keyword is the column of a keyword or ip field in a segment, nil without one.
func (v *values) keyword(s *segment.Segment) *segment.KeywordColumn {
	if k := v.kind(); k != mapping.KindKeyword && k != mapping.KindIP {
		return nil
	}
	return s.Keyword(v.field.Name)
}

// groups sorts the positions of entries by group, keeping their order within one. A group
// of −1 is left out. at[g] to at[g+1] are the positions of group g in order.
func groups(of []int32, count int) (at []int32, order []int32) {
	at = make([]int32, count+1)
	for _, g := range of {
		if g >= 0 {
			at[g+1]++
		}
	}
	for g := range count {
		at[g+1] += at[g]
	}
	order = make([]int32, at[count])
	next := slices.Clone(at)
	for i, g := range of {
		if g >= 0 {
			order[next[g]] = int32(i)
			next[g]++
		}
	}
	return at, order
}

// collectGroups gives each group's documents to its bucket. docs are ascending and may
// repeat; a document counts once in a group. bucketOf makes or finds a bucket.
func (x *collector) collectGroups(s *selection, docs []uint32, group []int32, count int, withSubs bool, bucketOf func(g int) *bucket) error {
	counts := make([]int64, count)
	if !withSubs {
		last := make([]uint32, count)
		for i, g := range group {
			// docs ascend, so a repetition in a group is one after the other.
			if g >= 0 && (counts[g] == 0 || last[g] != docs[i]) {
				counts[g]++
				last[g] = docs[i]
			}
		}
		for g, n := range counts {
			if n > 0 {
				bucketOf(g).count += n
			}
		}
		return nil
	}
	at, order := groups(group, count)
	lists := make([]uint32, 0, len(order))
	for g := range count {
		from := len(lists)
		for _, i := range order[at[g]:at[g+1]] {
			if d := docs[i]; len(lists) == from || lists[len(lists)-1] != d {
				lists = append(lists, d)
			}
		}
		counts[g] = int64(len(lists) - from)
	}
	pos := 0
	for g, n := range counts {
		if n == 0 {
			continue
		}
		list := lists[pos : pos+int(n) : pos+int(n)]
		pos += int(n)
		if err := bucketOf(g).collect(x, &selection{seg: s.seg, list: list}); err != nil {
			return err
		}
	}
	return nil
}

func isWhole(f float64) bool { return f == math.Trunc(f) }
