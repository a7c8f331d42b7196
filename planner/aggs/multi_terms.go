package aggs

import (
	"encoding/binary"
	"strings"

	gen "postern/generated/aggs"
	"postern/internal/eserr"
	"postern/internal/mapping"
	"postern/internal/segment"
)

// multiTerms is buckets of combinations of several fields' values, ordered like terms.
type multiTerms struct {
	sources   []*values
	size      int
	minCount  int64
	order     order
	showError bool
}

// multiTermsResult holds buckets by their combination, written so that its bytes sort
// like the values.
type multiTermsResult struct {
	*multiTerms
	answered
	n     *node
	cells map[string]*bucket
	rest  int64
	mixed *eserr.Error // another index has keys that can't be compared with these
}

func parseMultiTerms(c *source) (aggregator, error) {
	a := c.a.MultiTerms
	m := &multiTerms{size: defaultSize, minCount: 1, showError: a.ShowTermDocCountError != nil && *a.ShowTermDocCountError}
	if a.Size != nil {
		m.size = *a.Size
	}
	if a.MinDocCount != nil {
		m.minCount = max(1, *a.MinDocCount) // a combination that no document has is none
	}
	for i := range a.Terms {
		t := &a.Terms[i]
		v, err := c.values(wanted{field: &t.Field, missing: t.Missing, format: t.Format, unmapped: mapping.KindKeyword, valueType: t.ValueType})
		if err != nil {
			return nil, err
		}
		m.sources = append(m.sources, v)
	}
	subs, err := c.subs()
	if err != nil {
		return nil, err
	}
	m.order, err = parseOrder(a.Order, subs, order{{by: byCount, desc: true}})
	return m, err
}

// checkMultiTerms finds what is wrong with a request whatever the index.
func checkMultiTerms(name string, a *gen.MultiTermsAggregation) error {
	if len(a.Terms) < 2 {
		return eserr.IllegalArgument("The [terms] parameter in the aggregation [%s] must be present and have at least 2 fields or scripts.", name)
	}
	return nil
}

func (a *multiTerms) empty(n *node) result {
	return &multiTermsResult{multiTerms: a, n: n, cells: map[string]*bucket{}}
}

// multiColumn is one field's values in the selected documents: numbers in their sortable
// form, or ordinals, of which the one after the last stands for the missing term.
type multiColumn struct {
	v     *values
	terms *segment.KeywordColumn
	off   []int32 // the codes of the i-th document are off[i] to off[i+1]
	codes []int64
}

func (v *values) numbers() bool { return v.as == mapping.KindLong || v.as == mapping.KindDouble }

func (x *collector) multiColumn(v *values, s *selection) *multiColumn {
	c := &multiColumn{v: v, off: make([]int32, 1, s.len()+1)}
	if v.numbers() {
		var docs []uint32
		var vals []int64
		if v.as == mapping.KindDouble {
			docs, vals = x.readSortable(v, s)
		} else {
			docs, vals = x.readLongs(v, s)
		}
		at := 0
		for _, d := range s.docs() {
			for ; at < len(docs) && docs[at] == d; at++ {
				c.codes = append(c.codes, vals[at])
			}
			c.off = append(c.off, int32(len(c.codes)))
		}
		return c
	}
	if c.terms = v.keyword(s.seg); c.terms == nil {
		c.terms = &segment.KeywordColumn{}
	}
	has := v.keyword(s.seg) != nil
	for _, d := range s.docs() {
		var ords []uint32
		if has {
			ords = c.terms.Ords(d)
		}
		for _, o := range ords {
			c.codes = append(c.codes, int64(o))
		}
		if len(ords) == 0 && v.hasMissing() {
			c.codes = append(c.codes, int64(c.terms.NumTerms()))
		}
		c.off = append(c.off, int32(len(c.codes)))
	}
	return c
}

// appendKey writes a code as the value that it stands for.
func (c *multiColumn) appendKey(dst []byte, code int64) []byte {
	switch {
	case c.v.numbers():
		return binary.BigEndian.AppendUint64(dst, uint64(code)^1<<63)
	case int(code) == c.terms.NumTerms():
		return appendTerm(dst, c.v.missingText)
	}
	return appendTerm(dst, c.terms.Term(uint32(code)))
}

// appendTerm ends a text with what sorts before any other byte; a zero in it is followed
// by one that sorts after.
func appendTerm(dst []byte, term string) []byte {
	dst = append(dst, strings.ReplaceAll(term, "\x00", "\x00\xff")...)
	return append(dst, 0, 0)
}

func (r *multiTermsResult) collect(x *collector, s *selection) error {
	columns := make([]*multiColumn, len(r.sources))
	for i, v := range r.sources {
		columns[i] = x.multiColumn(v, s)
	}
	t := combinations{numbers: map[string]int32{}}
	t.fill(s.docs(), columns)
	return x.collectGroups(s, t.docs, t.group, len(t.keys), len(r.n.subs) > 0, func(g int) *bucket {
		var key []byte
		for i, c := range columns {
			key = c.appendKey(key, int64(binary.LittleEndian.Uint64([]byte(t.keys[g][8*i:]))))
		}
		b := r.cells[string(key)]
		if b == nil {
			b = newBucket(r.n.subs)
			r.cells[string(key)] = b
		}
		return b
	})
}

// combinations numbers the combinations of one segment's codes.
type combinations struct {
	numbers map[string]int32
	keys    []string
	docs    []uint32
	group   []int32
}

func (t *combinations) fill(docs []uint32, columns []*multiColumn) {
	key := make([]byte, 8*len(columns))
	var each func(i, level int)
	each = func(i, level int) {
		if level == len(columns) {
			n, ok := t.numbers[string(key)]
			if !ok {
				n = int32(len(t.keys))
				t.keys = append(t.keys, string(key))
				t.numbers[t.keys[n]] = n
			}
			t.docs, t.group = append(t.docs, docs[i]), append(t.group, n)
			return
		}
		c := columns[level]
		for _, code := range c.codes[c.off[i]:c.off[i+1]] {
			binary.LittleEndian.PutUint64(key[8*level:], uint64(code))
			each(i, level+1)
		}
	}
	for i := range docs {
		each(i, 0)
	}
}

func (r *multiTermsResult) merge(other result) {
	o := other.(*multiTermsResult)
	if len(r.cells) == 0 {
		r.multiTerms = o.multiTerms // an index without a field knows no formats
	}
	if len(r.cells) > 0 && len(o.cells) > 0 && r.mixed == nil {
		for i, v := range r.sources {
			if r.mixed = incomparable(v, o.sources[i]); r.mixed != nil {
				return
			}
		}
	}
	mergeMaps(r.cells, o.cells, r.n.subs)
}

func (r *multiTermsResult) reduce() {
	if r.begin() {
		var list []keyed[string]
		list, r.rest = best(r.cells, r.order, r.minCount, r.size)
		r.texts(list)
	}
}

// parts are the values of a key: each as text, and as JSON.
func (r *multiTermsResult) parts(key string, visit func(v *values, text string, n int64)) {
	for _, v := range r.sources {
		if v.numbers() {
			n := int64(binary.BigEndian.Uint64([]byte(key[:8])) ^ 1<<63)
			key = key[8:]
			text := v.format.long(n)
			if v.as == mapping.KindDouble {
				text = v.format.double(unsortable(n))
			}
			visit(v, text, n)
			continue
		}
		end := 0
		for ; key[end] != 0 || key[end+1] != 0; end++ {
			if key[end] == 0 {
				end++
			}
		}
		text := strings.ReplaceAll(key[:end], "\x00\xff", "\x00")
		if v.as == mapping.KindIP {
			text = ipText([]byte(text))
		}
		visit(v, text, 0)
		key = key[end+2:]
	}
}

func (r *multiTermsResult) keyText(b *answerBucket) string {
	var texts []string
	r.parts(b.text, func(_ *values, text string, _ int64) { texts = append(texts, text) })
	return strings.Join(texts, "|")
}

func (r *multiTermsResult) appendKey(w *writer, b *answerBucket) {
	w.name("key")
	w.braces('[', ']', func() {
		r.parts(b.text, func(v *values, text string, n int64) {
			switch {
			case v.numbers() && v.format.boolean:
				w.elementBool(n != 0)
			case v.numbers() && v.format.shown() || !v.numbers():
				w.elementString(text)
			case v.as == mapping.KindDouble:
				w.elementFloat(unsortable(n))
			default:
				w.elementInt(n)
			}
		})
	})
}

func (r *multiTermsResult) appendBody(w *writer) {
	w.fail(r.mixed)
	r.reduce()
	w.int("doc_count_error_upper_bound", 0)
	w.int("sum_other_doc_count", r.rest)
	w.bucketList(len(r.buckets), nil, func(i int) {
		b := &r.buckets[i]
		r.appendKey(w, b)
		w.string("key_as_string", r.keyText(b))
		w.int("doc_count", b.count)
		if r.showError {
			w.int("doc_count_error_upper_bound", 0)
		}
		w.bucketSubs(r.n, b.bucket, r.n.hashed)
	})
}

func (r *multiTermsResult) prefix() string { return "multi_terms" }
