package aggs

import (
	"cmp"
	"math"
	"strings"

	gen "postern/generated/aggs"
	"postern/internal/datemath"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/internal/segment"
	"postern/internal/xcontent"
)

// compositeSource is one of the values that combinations are made of.
type compositeSource struct {
	name     string
	v        *values
	desc     bool
	missing  bool // documents without a value count, with null
	nullLast bool
	// interval rounds numbers, rounding dates.
	interval float64
	rounding *datemath.Rounding
	text     bool // dates are shown by their format
}

// compositeValue is a value: null, a number as its sortable form, or a text.
type compositeValue struct {
	null bool
	n    int64
	s    string
}

// commonSource is what the sources of all kinds are told.
type commonSource struct {
	field        *string
	missing      *bool
	missingOrder gen.MissingOrder
	order        gen.SortOrder
	valueType    gen.ValueType
}

func commonOf(a *gen.CompositeAggregationSource) (commonSource, bool) {
	switch {
	case a.Terms != nil:
		t := a.Terms
		return commonSource{t.Field, t.MissingBucket, t.MissingOrder, t.Order, t.ValueType}, true
	case a.Histogram != nil:
		h := a.Histogram
		return commonSource{h.Field, h.MissingBucket, h.MissingOrder, h.Order, h.ValueType}, true
	case a.DateHistogram != nil:
		d := a.DateHistogram
		return commonSource{d.Field, d.MissingBucket, d.MissingOrder, d.Order, d.ValueType}, true
	}
	return commonSource{}, false
}

func checkCompositeSource(a *gen.CompositeAggregationSource) error {
	common, ok := commonOf(a)
	switch {
	case !ok:
		return eserr.IllegalArgument("invalid source type")
	case common.field == nil:
		return eserr.IllegalArgument("Required one of fields [field, script], but none were specified. ")
	case a.Histogram != nil && a.Histogram.Interval <= 0:
		return eserr.IllegalArgument("[interval] must be greater than 0 for [histogram] source")
	case a.DateHistogram != nil && a.DateHistogram.CalendarInterval == nil && a.DateHistogram.FixedInterval == nil:
		return eserr.IllegalArgument("Invalid interval specified, must be non-null and non-empty")
	}
	return nil
}

func (c *source) compositeSource(name string, a *gen.CompositeAggregationSource) (*compositeSource, error) {
	common, _ := commonOf(a)
	s := &compositeSource{name: name, desc: common.order == gen.SortOrderDesc, missing: common.missing != nil && *common.missing}
	if common.missingOrder != 0 && common.missingOrder != gen.MissingOrderDefault && !s.missing {
		return nil, eserr.IllegalArgument("missingOrder can only be set if missingBucket is true")
	}
	s.nullLast = s.desc
	switch common.missingOrder {
	case gen.MissingOrderFirst:
		s.nullLast = false
	case gen.MissingOrderLast:
		s.nullLast = true
	}
	w := wanted{field: common.field, unmapped: mapping.KindKeyword, valueType: common.valueType}
	switch {
	case a.Histogram != nil:
		w.numeric, w.unmapped, w.as = true, mapping.KindDouble, "histogram"
		s.interval = a.Histogram.Interval
	case a.DateHistogram != nil:
		w.numeric, w.unmapped, w.dates, w.as = true, mapping.KindLong, true, "date_histogram"
		w.format, w.zone = a.DateHistogram.Format, a.DateHistogram.TimeZone
		s.text = w.format != nil
	default:
		w.as = "terms"
	}
	var err error
	if s.v, err = c.values(w); err != nil {
		return nil, err
	}
	if a.DateHistogram != nil {
		s.rounding, err = roundingOf(a.DateHistogram, s.v)
	}
	return s, err
}

func roundingOf(a *gen.CompositeDateHistogramAggregation, v *values) (*datemath.Rounding, error) {
	var offset int64
	if a.Offset != nil {
		offset = a.Offset.D.Milliseconds()
	}
	zone := v.format.zone
	if a.FixedInterval != nil {
		var d xcontent.Duration
		if err := xcontent.ParseDuration(&d, *a.FixedInterval, "date_histogram.fixedInterval"); err != nil {
			return nil, err
		}
		if d.D <= 0 {
			return nil, eserr.IllegalArgument("Zero or negative time interval not supported")
		}
		return datemath.Fixed(d.D.Milliseconds(), zone, offset), nil
	}
	unit, _, ok := calendarUnit(*a.CalendarInterval)
	if !ok {
		return nil, eserr.IllegalArgument("The supplied interval [%s] could not be parsed as a calendar interval.", *a.CalendarInterval)
	}
	return datemath.Calendar(unit, zone, offset), nil
}

// numeric tells that values are numbers, doubles that these are in the sortable form of
// a double.
func (s *compositeSource) numeric() bool {
	return s.v.as == mapping.KindLong || s.v.as == mapping.KindDouble
}

func (s *compositeSource) doubles() bool { return s.interval > 0 || s.v.as == mapping.KindDouble }

func (s *compositeSource) compare(a, b compositeValue) int {
	if a.null || b.null {
		c := cmp.Compare(btoi(b.null), btoi(a.null))
		if s.nullLast {
			return -c
		}
		return c
	}
	c := cmp.Or(cmp.Compare(a.n, b.n), strings.Compare(a.s, b.s))
	if s.desc {
		return -c
	}
	return c
}

// incomparable is the error of two indices' keys of different classes, nil without it.
func (s *compositeSource) incomparable(o *compositeSource) *eserr.Error {
	if s.interval > 0 || s.rounding != nil {
		return nil // both are rounded to the same class
	}
	return incomparable(s.v, o.v)
}

// parse reads a value of an after key.
func (s *compositeSource) parse(c *source, v jsonx.Value) (compositeValue, error) {
	if v.Kind() == jsonx.Null {
		if !s.missing {
			return compositeValue{}, eserr.IllegalArgument("Invalid value for [after.%s], expected comparable, got [null]", s.name)
		}
		return compositeValue{null: true}, nil
	}
	text := v.Text()
	switch {
	case s.doubles():
		d, err := parseDouble(text)
		return compositeValue{n: sortable(d)}, err
	case s.numeric():
		if s.v.format.dates != nil && v.Kind() == jsonx.Number {
			n, _ := v.Float64()
			if whole, ok := v.Int64(); ok {
				return compositeValue{n: whole}, nil
			}
			return compositeValue{n: javaLong(n)}, nil
		}
		n, _, err := s.v.parseNumber(c, text)
		return compositeValue{n: n}, err
	case s.v.as == mapping.KindIP:
		raw, err := parseIP(text)
		return compositeValue{s: raw}, err
	}
	return compositeValue{s: text}, nil
}

func (s *compositeSource) append(w *writer, v compositeValue) {
	switch {
	case v.null:
		w.name(s.name)
		w.b = append(w.b, "null"...)
	case s.doubles():
		w.float(s.name, unsortable(v.n))
	case s.numeric() && s.v.format.boolean:
		w.bound(s.name, &s.v.format, float64(v.n))
	case s.numeric() && s.text:
		w.string(s.name, s.v.format.long(v.n))
	case s.numeric():
		w.int(s.name, v.n)
	case s.v.as == mapping.KindIP:
		w.string(s.name, ipText([]byte(v.s)))
	default:
		w.string(s.name, v.s)
	}
}

// compositeColumn is a source's values in the documents of one selection, as codes that
// are ordered like them.
type compositeColumn struct {
	*compositeSource
	terms *segment.KeywordColumn
	off   []int32 // the codes of the i-th document are off[i] to off[i+1]
	codes []compositeCode
	after compositeCode
	at    int // of its words in a combination
}

// compositeCode is a value: the sortable number, or twice the ordinal and one, so that
// a term which the segment does not have lies between.
type compositeCode struct {
	null bool
	code uint64
}

// words is how many words a value takes: null is told by one of its own.
func (c *compositeColumn) words() int {
	if c.missing {
		return 2
	}
	return 1
}

func (c *compositeColumn) put(into []uint64, v compositeCode) {
	if c.missing {
		into[0] = uint64(btoi(v.null == c.nullLast))
		into = into[1:]
	}
	if into[0] = v.code; c.desc && !v.null {
		into[0] = ^v.code
	}
}

func (c *compositeColumn) value(words []uint64) compositeValue {
	if c.missing {
		if (words[0] == 1) == c.nullLast {
			return compositeValue{null: true}
		}
		words = words[1:]
	}
	code := words[0]
	if c.desc {
		code = ^code
	}
	if c.terms != nil {
		return compositeValue{s: c.terms.Term(uint32(code / 2))}
	}
	return compositeValue{n: int64(code ^ 1<<63)}
}

// read makes the codes of a selection's documents.
func (s *compositeSource) read(x *collector, sel *selection, after *compositeValue) *compositeColumn {
	c := &compositeColumn{compositeSource: s}
	docs := sel.docs()
	c.off = make([]int32, 1, len(docs)+1)
	switch {
	case s.numeric():
		c.readNumbers(x, sel)
	default:
		c.terms = s.v.keyword(sel.seg)
		c.readTerms(docs)
	}
	if after != nil {
		c.after = c.codeOf(*after)
	}
	return c
}

// end closes a document's list.
func (c *compositeColumn) end() {
	if n := len(c.codes); c.missing && int32(n) == c.off[len(c.off)-1] {
		c.codes = append(c.codes, compositeCode{null: true})
	}
	c.off = append(c.off, int32(len(c.codes)))
}

func (c *compositeColumn) readTerms(docs []uint32) {
	for _, d := range docs {
		if c.terms != nil {
			for _, ord := range c.terms.Ords(d) {
				c.codes = append(c.codes, compositeCode{code: 2*uint64(ord) + 1})
			}
		}
		c.end()
	}
}

func (c *compositeColumn) readNumbers(x *collector, sel *selection) {
	var of []uint32
	var vals []int64
	if c.doubles() {
		var doubles []float64
		of, doubles = x.readDoubles(c.v, sel)
		vals = make([]int64, len(doubles))
		for i, v := range doubles {
			if c.interval > 0 {
				v = math.Floor(v/c.interval) * c.interval // -0.0 has a bucket of its own
			}
			vals[i] = sortable(v)
		}
	} else {
		of, vals = x.readLongs(c.v, sel)
		if c.rounding != nil && len(vals) > 0 {
			(&dateHistogram{rounding: c.rounding}).round(vals)
		}
	}
	at := 0
	for _, d := range sel.docs() {
		for from := at; at < len(of) && of[at] == d; at++ {
			if at > from && c.doubles() && unsortable(vals[at]) == unsortable(vals[at-1]) {
				continue // 0.0 after -0.0, which Elasticsearch takes for a repetition here
			}
			c.codes = append(c.codes, compositeCode{code: uint64(vals[at]) ^ 1<<63})
		}
		c.end()
	}
}

func (c *compositeColumn) codeOf(v compositeValue) compositeCode {
	switch {
	case v.null:
		return compositeCode{null: true}
	case c.numeric():
		return compositeCode{code: uint64(v.n) ^ 1<<63}
	case c.terms == nil:
		return compositeCode{}
	}
	ord := c.terms.LowerBound(v.s)
	if _, ok := c.terms.Lookup(v.s); ok {
		return compositeCode{code: 2*uint64(ord) + 1}
	}
	return compositeCode{code: 2 * uint64(ord)}
}
