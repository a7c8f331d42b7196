package planner

import (
	"math"
	"strconv"
	"time"

	"postern/internal/datemath"
	"postern/internal/jsonx"
	"postern/planner/query"
)

// sortKind is where a sort field's values come from.
type sortKind uint8

const (
	sortScore  sortKind = iota
	sortDoc             // the order of documents
	sortLong            // whole numbers, dates and booleans
	sortDouble          // floating point numbers
	sortTerm            // keywords and addresses
	sortSeqNo
	sortShardDoc // the order of documents, in the order of the indices
	sortConst    // the same for all documents: the index's name
	sortNone     // an unmapped field: missing everywhere
)

// sortMode is how several values of a document become one.
type sortMode uint8

const (
	modeMin sortMode = iota
	modeMax
	modeSum
	modeAvg
	modeMedian
)

// nestedStep goes from objects to those nested in them under a path, as far as they match
// a filter, if there is one.
type nestedStep struct {
	path   string
	filter query.Node
}

// sortField is one resolved sort key of one index.
type sortField struct {
	kind  sortKind
	name  string // as the request has it
	field string
	desc  bool
	mode  sortMode

	// steps choose the nested objects whose values count; atMost of them with a value in
	// each document, in its order.
	steps  []nestedStep
	atMost int

	// missing is what documents without a value sort as; for terms it is only a value
	// when given says so, else they come first or last.
	missing      sortValue
	given        bool
	missingFirst bool

	out    valueKind
	ip     bool
	source valueKind // of the column, where it differs from out (numeric_type)
	scale  int64     // dates: multiply (>0) or divide (<0) to another resolution

	format *datemath.Format // of the values in answers, nil for plain numbers
	parse  *datemath.Format // of dates in cursors
	nanos  bool
	text   string // of sortConst
	first  int64  // of sortShardDoc: the key of the index's first document
}

// missingDefault gives the numeric stand-in that puts documents without a value where
// they belong.
func (f *sortField) missingDefault() sortValue {
	high := f.missingFirst == f.desc // asc last, or desc first
	switch f.out {
	case longValue:
		if high {
			return sortValue{kind: longValue, i: math.MaxInt64}
		}
		if f.nanos {
			return sortValue{kind: longValue} // no date_nanos is before 1970
		}
		return sortValue{kind: longValue, i: math.MinInt64}
	case doubleValue, floatValue:
		if high {
			return sortValue{kind: f.out, f: math.Inf(1)}
		}
		return sortValue{kind: f.out, f: math.Inf(-1)}
	}
	return sortValue{}
}

// flip turns ascending keys into the field's order.
func (f *sortField) flip() uint64 {
	if f.desc {
		return math.MaxUint64
	}
	return 0
}

// keyOf is the key of a numeric value.
func (f *sortField) keyOf(v sortValue) uint64 {
	if f.out == longValue {
		return keyOfLong(v.i) ^ f.flip()
	}
	return keyOfDouble(v.f) ^ f.flip()
}

// valueOf is the value of a numeric key.
func (f *sortField) valueOf(key uint64) sortValue {
	key ^= f.flip()
	if f.out == longValue {
		return sortValue{kind: longValue, i: longOfKey(key)}
	}
	return sortValue{kind: f.out, f: doubleOfKey(key)}
}

// compare orders the values of two hits, also of different indices.
func (f *sortField) compare(a, b sortValue) int {
	if a.kind == nullValue || b.kind == nullValue {
		switch {
		case a.kind == b.kind:
			return 0
		case (a.kind == nullValue) == f.missingFirst:
			return -1
		}
		return 1
	}
	c := compareValues(a, b)
	if f.desc {
		return -c
	}
	return c
}

// append appends a value the way the field's type shows it.
func (f *sortField) append(dst []byte, v sortValue) []byte {
	if f.format != nil && v.kind == longValue {
		at := datemath.FromMillis(v.i)
		if f.nanos {
			at = datemath.FromNanos(v.i)
		}
		dst = append(dst, '"')
		dst = f.format.AppendFormat(dst, at, time.UTC)
		return append(dst, '"')
	}
	if f.ip && v.kind == stringValue {
		return jsonx.AppendString(dst, ipText(v.s))
	}
	return v.append(dst)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// appendKey appends the field's canonical bytes.
func (f *sortField) appendKey(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, "sort("...), int64(f.kind), 10)
	dst = strconv.AppendQuote(append(dst, ','), f.field)
	for _, v := range [...]int64{int64(f.mode), int64(f.out), f.scale} {
		dst = strconv.AppendInt(append(dst, ','), v, 10)
	}
	for _, b := range [...]bool{f.desc, f.missingFirst, f.given, f.nanos} {
		dst = strconv.AppendBool(append(dst, ','), b)
	}
	dst = f.missing.append(append(dst, ','))
	for _, s := range f.steps {
		dst = strconv.AppendQuote(append(dst, ','), s.path)
		if s.filter != nil {
			dst = s.filter.AppendKey(append(dst, ','))
		}
	}
	if len(f.steps) > 0 {
		dst = strconv.AppendInt(append(dst, ','), int64(f.atMost), 10)
	}
	if f.format != nil {
		dst = strconv.AppendQuote(append(dst, ','), f.format.String())
	}
	return append(dst, ')')
}
