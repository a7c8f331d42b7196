package aggs

import (
	"postern/internal/mapping"
	"postern/internal/segment"
)

// column is a column of numbers as reading it takes it.
type column[T int64 | float64] interface {
	Single() bool
	Dense() []T
	Values(doc uint32) []T
}

// readInto appends the selected documents' values, converted, with the document of each:
// ascending by document and, within one, by value. A document without a value has the
// missing one, if any.
func readInto[T, U int64 | float64](docs []uint32, into []U, s *selection, c column[T], full bool, missing *U, convert func(T) U) ([]uint32, []U) {
	if full && c.Single() {
		dense := c.Dense()
		for _, d := range s.docs() {
			into = append(into, convert(dense[d]))
		}
		return s.docs(), into
	}
	for _, d := range s.docs() {
		vs := c.Values(d)
		for _, n := range vs {
			docs, into = append(docs, d), append(into, convert(n))
		}
		if len(vs) == 0 && missing != nil {
			docs, into = append(docs, d), append(into, *missing)
		}
	}
	return docs, into
}

func same[T any](v T) T             { return v }
func toDouble(v int64) float64      { return float64(v) }
func toLong(v float64) int64        { return int64(v) }
func nanosToMillis(v int64) int64   { return v / 1e6 }
func nanosToDouble(v int64) float64 { return float64(v / 1e6) }
func (v *values) pick(m *segment.Segment) (*segment.LongColumn, *segment.DoubleColumn) {
	switch v.kind() {
	case mapping.KindLong:
		return m.Long(v.field.Name), nil
	case mapping.KindDouble:
		return nil, m.Double(v.field.Name)
	}
	return nil, nil
}

// readDoubles gives the selected documents' values as doubles. The slices are good until
// the next call.
func (x *collector) readDoubles(v *values, s *selection) (docs []uint32, vals []float64) {
	x.docs, x.doubles = x.docs[:0], x.doubles[:0]
	var missing *float64
	if v.hasMissing() {
		missing = &v.missingDouble
	}
	longs, doubles := v.pick(s.seg)
	switch {
	case longs != nil && v.nanos:
		docs, vals = readInto(x.docs, x.doubles, s, longs, longs.Has() == nil, missing, nanosToDouble)
	case longs != nil:
		docs, vals = readInto(x.docs, x.doubles, s, longs, longs.Has() == nil, missing, toDouble)
	case doubles != nil:
		docs, vals = readInto(x.docs, x.doubles, s, doubles, doubles.Has() == nil, missing, same[float64])
	default:
		docs, vals = onlyMissing(x.doubles, s, missing)
	}
	x.keep(docs, s)
	x.doubles = vals
	return docs, vals
}

// readSortable is readDoubles in the sortable form.
func (x *collector) readSortable(v *values, s *selection) (docs []uint32, keys []int64) {
	docs, vals := x.readDoubles(v, s)
	x.longs = x.longs[:0]
	for _, d := range vals {
		x.longs = append(x.longs, sortable(d))
	}
	return docs, x.longs
}

// readLongs is readDoubles for whole numbers.
func (x *collector) readLongs(v *values, s *selection) (docs []uint32, vals []int64) {
	x.docs, x.longs = x.docs[:0], x.longs[:0]
	var missing *int64
	if v.hasMissing() {
		missing = &v.missingLong
	}
	longs, doubles := v.pick(s.seg)
	switch {
	case longs != nil && v.nanos:
		docs, vals = readInto(x.docs, x.longs, s, longs, longs.Has() == nil, missing, nanosToMillis)
	case longs != nil:
		docs, vals = readInto(x.docs, x.longs, s, longs, longs.Has() == nil, missing, same[int64])
	case doubles != nil:
		docs, vals = readInto(x.docs, x.longs, s, doubles, doubles.Has() == nil, missing, toLong)
	default:
		docs, vals = onlyMissing(x.longs, s, missing)
	}
	x.keep(docs, s)
	x.longs = vals
	return docs, vals
}

// keep remembers grown memory, unless it is the selection's own list.
func (x *collector) keep(docs []uint32, s *selection) {
	if len(docs) > 0 && (len(s.list) == 0 || &docs[0] != &s.list[0]) {
		x.docs = docs
	}
}

func onlyMissing[T any](into []T, s *selection, missing *T) ([]uint32, []T) {
	if missing == nil {
		return nil, into
	}
	for range s.docs() {
		into = append(into, *missing)
	}
	return s.docs(), into
}
