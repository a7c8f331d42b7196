package planner

import (
	"math"
	"slices"

	"postern/internal/segment"
	"postern/planner/query"
)

// openNumberKeys prepares a numeric sort field for a segment.
func openNumberKeys(x *query.Exec, f *sortField, s *segment.Segment) (keyReader, error) {
	if len(f.steps) > 0 {
		return openNestedNumberKeys(x, f, s)
	}
	missing := f.keyOf(f.missing)
	if f.source == longValue {
		c := s.Long(f.field)
		switch {
		case c == nil:
			return missingKeys{f}, nil
		case c.Single() && f.out == longValue && f.scale == 0:
			return denseLongKeys{numeric{f}, c.Dense(), bitsOf(c.Has(), s.Len()), missing}, nil
		}
		return valueKeys{numeric{f}, missing, longReader(f, c)}, nil
	}
	c := s.Double(f.field)
	switch {
	case c == nil:
		return missingKeys{f}, nil
	case c.Single() && f.out != longValue:
		return denseDoubleKeys{numeric{f}, c.Dense(), bitsOf(c.Has(), s.Len()), missing}, nil
	}
	return valueKeys{numeric{f}, missing, doubleReader(f, c)}, nil
}

// denseLongKeys is a column with at most one value a document.
type denseLongKeys struct {
	numeric
	dense   []int64
	has     bits
	missing uint64
}

func (k denseLongKeys) read(docs []uint32, out []uint64, stride int) {
	flip := k.f.flip()
	for i, d := range docs {
		if k.has.has(d) {
			out[i*stride] = keyOfLong(k.dense[d]) ^ flip
		} else {
			out[i*stride] = k.missing
		}
	}
}

type denseDoubleKeys struct {
	numeric
	dense   []float64
	has     bits
	missing uint64
}

func (k denseDoubleKeys) read(docs []uint32, out []uint64, stride int) {
	flip := k.f.flip()
	for i, d := range docs {
		if k.has.has(d) {
			out[i*stride] = keyOfDouble(k.dense[d]) ^ flip
		} else {
			out[i*stride] = k.missing
		}
	}
}

// valueKeys is any other column: get reduces a document's values to one.
type valueKeys struct {
	numeric
	missing uint64
	get     func(doc uint32) (sortValue, bool)
}

func (k valueKeys) read(docs []uint32, out []uint64, stride int) {
	for i, d := range docs {
		if v, ok := k.get(d); ok {
			out[i*stride] = k.f.keyOf(v)
		} else {
			out[i*stride] = k.missing
		}
	}
}

func longReader(f *sortField, c *segment.LongColumn) func(uint32) (sortValue, bool) {
	return func(doc uint32) (sortValue, bool) {
		vals := c.Values(doc)
		if len(vals) == 0 {
			return sortValue{}, false
		}
		return f.fromLongs(vals), true
	}
}

func doubleReader(f *sortField, c *segment.DoubleColumn) func(uint32) (sortValue, bool) {
	return func(doc uint32) (sortValue, bool) {
		vals := c.Values(doc)
		if len(vals) == 0 {
			return sortValue{}, false
		}
		return f.fromDoubles(vals), true
	}
}

// fromLongs reduces ascending whole numbers by the sort's mode. Elasticsearch brings
// values to the asked type first.
func (f *sortField) fromLongs(vals []int64) sortValue {
	if f.out != longValue {
		list := make([]float64, len(vals))
		for i, v := range vals {
			list[i] = float64(v)
		}
		return sortValue{kind: f.out, f: reduceDoubles(f.mode, list)}
	}
	if f.scale != 0 {
		vals = slices.Clone(vals)
		for i := range vals {
			if f.scale > 0 {
				vals[i] *= f.scale
			} else {
				vals[i] = floorDiv(vals[i], -f.scale)
			}
		}
	}
	return sortValue{kind: longValue, i: reduceLongs(f.mode, vals)}
}

func (f *sortField) fromDoubles(vals []float64) sortValue {
	if f.out != longValue {
		return sortValue{kind: f.out, f: reduceDoubles(f.mode, vals)}
	}
	list := make([]int64, len(vals))
	for i, v := range vals {
		list[i] = javaLong(v)
	}
	return sortValue{kind: longValue, i: reduceLongs(f.mode, list)}
}

func reduceLongs(m sortMode, vals []int64) int64 {
	n := len(vals)
	switch m {
	case modeMax:
		return vals[n-1]
	case modeSum, modeAvg:
		var sum int64
		for _, v := range vals {
			sum += v
		}
		if m == modeAvg && n > 1 {
			return javaRound(float64(sum) / float64(n))
		}
		return sum
	case modeMedian:
		if n%2 == 0 {
			return javaRound((float64(vals[n/2-1]) + float64(vals[n/2])) / 2)
		}
		return vals[n/2]
	}
	return vals[0]
}

func reduceDoubles(m sortMode, vals []float64) float64 {
	n := len(vals)
	switch m {
	case modeMax:
		return vals[n-1]
	case modeSum, modeAvg:
		var sum float64
		for _, v := range vals {
			sum += v
		}
		if m == modeAvg {
			return sum / float64(n)
		}
		return sum
	case modeMedian:
		if n%2 == 0 {
			return (vals[n/2-1] + vals[n/2]) / 2
		}
		return vals[n/2]
	}
	return vals[0]
}

// javaRound is Math.round: halves go up, what does not fit is cut to the nearest long.
func javaRound(f float64) int64 { return javaLong(math.Floor(f + 0.5)) }

// javaLong is the cast to long: decimals are cut, what does not fit becomes the nearest.
func javaLong(f float64) int64 {
	switch {
	case f != f:
		return 0
	case f >= math.MaxInt64:
		return math.MaxInt64
	case f <= math.MinInt64:
		return math.MinInt64
	}
	return int64(f)
}
