package query

import (
	"strconv"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
)

// intervals matches the documents in which a source finds spans, and scores them by how
// many and how short they are.
type intervals struct{ source intervalSource }

// intervalSource is what an intervals query is made of.
type intervalSource interface {
	appendKey(dst []byte) []byte
	// least is the width of the shortest span that it can find.
	least() int
	open(x *Exec, s *segment.Segment) (intervalReader, error)
	reads(r *Reading)
}

// intervalReader finds the spans of a source in one segment.
type intervalReader interface {
	// docs has every document with a span, and perhaps more.
	docs() *roaring.Bitmap
	// spans finds those of a document, minimal ones in ascending order. Documents are
	// asked for in ascending order.
	spans(doc uint32) []span
}

func (n *intervals) AppendKey(dst []byte) []byte {
	return append(n.source.appendKey(append(dst, "intervals("...)), ')')
}

func (n *intervals) match(x *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	found, err := n.find(x, s)
	if err != nil {
		return nil, err
	}
	return bitmapOf(found.docs, s.Len()), nil
}

// find keeps what it found for the scorer, as phrases do.
func (n *intervals) find(x *Exec, s *segment.Segment) (*phraseDocs, error) {
	key := memoKey{n, s}
	if found, ok := x.phrase[key]; ok {
		return found, nil
	}
	r, err := n.source.open(x, s)
	if err != nil {
		return nil, err
	}
	found := &phraseDocs{}
	least := n.source.least()
	asked := 0
	each(r.docs(), func(doc uint32) {
		if asked++; err == nil && asked&0xFFF == 0 {
			err = x.Alive()
		}
		if err != nil {
			return
		}
		var freq float32
		for _, sp := range r.spans(doc) {
			freq += 1 / float32(max(1, sp.width()-least+1))
		}
		if freq > 0 {
			found.docs, found.freqs = append(found.docs, doc), append(found.freqs, freq)
		}
	})
	if err != nil {
		return nil, err
	}
	if x.phrase == nil {
		x.phrase = make(map[memoKey]*phraseDocs)
	}
	x.phrase[key] = found
	return found, nil
}

func (n *intervals) scorer(_ *Exec, boost float32) (scorer, error) {
	return &intervalsScorer{n, boost}, nil
}

type intervalsScorer struct {
	*intervals
	boost float32
}

func (c *intervalsScorer) constant() (float32, bool) { return 0, false }

func (c *intervalsScorer) add(x *Exec, s *segment.Segment, _ *roaring.Bitmap, acc []float64) error {
	found, err := c.find(x, s)
	if err != nil {
		return err
	}
	for i, doc := range found.docs {
		acc[doc] += float64(c.boost * (1 - 1/(1+found.freqs[i])))
	}
	return nil
}

func (n *intervals) push(bool) Pushed { return never("the places of words") }

func (n *intervals) reads(r *Reading) { n.source.reads(r) }

// termSpans finds the places of any of some terms.
type termSpans struct {
	column
	values []string
	from   finder // in place of values: those that it finds
}

func (t *termSpans) appendKey(dst []byte) []byte {
	dst = t.column.appendKey(dst)
	for _, v := range t.values {
		dst = appendQuoted(append(dst, ':'), v)
	}
	if t.from != nil {
		dst = t.from.appendKey(append(dst, '/'))
	}
	return dst
}

func (t *termSpans) least() int { return 1 }

func (t *termSpans) reads(r *Reading) { r.Field(t.field) }

func (t *termSpans) open(x *Exec, s *segment.Segment) (intervalReader, error) {
	col := s.Text(t.field)
	if col == nil {
		return &termReader{all: nothing}, nil
	}
	values := t.values
	if t.from != nil {
		if err := t.from.find(x, col, func(o uint32, _ float32) { values = append(values, col.Term(o)) }); err != nil {
			return nil, err
		}
	}
	o := occurrencesOf(col, values)
	return &termReader{o: o, all: bitmapOf(o.docs, s.Len())}, nil
}

type termReader struct {
	o   occurrences
	all *roaring.Bitmap
	at  int
}

func (r *termReader) docs() *roaring.Bitmap { return r.all }

func (r *termReader) spans(doc uint32) []span {
	at, ok := gallop(r.o.docs, r.at, doc)
	if r.at = at; !ok {
		return nil
	}
	places := r.o.positions(at)
	list := make([]span, len(places))
	for i, p := range places {
		list[i] = span{start: int(p), end: int(p)}
	}
	return list
}

// combinedSpans puts the spans of several sources together.
type combinedSpans struct {
	how   spanRule
	parts []intervalSource
	times int // of spanRepeat
}

type spanRule uint8

const (
	spanAny spanRule = iota
	spanAdjacent
	spanOrdered
	spanUnordered
	spanRepeat
)

func (c *combinedSpans) appendKey(dst []byte) []byte {
	dst = append(dst, '0'+byte(c.how))
	dst = append(strconv.AppendInt(dst, int64(c.times), 10), '[')
	for _, p := range c.parts {
		dst = append(p.appendKey(dst), ',')
	}
	return append(dst, ']')
}

func (c *combinedSpans) least() int {
	width := c.parts[0].least()
	for _, p := range c.parts[1:] {
		if c.how == spanAny {
			width = min(width, p.least())
		} else {
			width += p.least()
		}
	}
	return width
}

func (c *combinedSpans) reads(r *Reading) {
	for _, p := range c.parts {
		p.reads(r)
	}
}

func (c *combinedSpans) open(x *Exec, s *segment.Segment) (intervalReader, error) {
	r := &combinedReader{rule: c, parts: make([]intervalReader, len(c.parts))}
	sets := make([]*roaring.Bitmap, len(c.parts))
	for i, p := range c.parts {
		var err error
		if r.parts[i], err = p.open(x, s); err != nil {
			return nil, err
		}
		sets[i] = r.parts[i].docs()
	}
	if c.how == spanAny {
		r.all = union(sets)
	} else {
		r.all = intersect(sets)
	}
	return r, nil
}

type combinedReader struct {
	rule  *combinedSpans
	parts []intervalReader
	all   *roaring.Bitmap
}

func (r *combinedReader) docs() *roaring.Bitmap { return r.all }

func (r *combinedReader) spans(doc uint32) []span {
	lists := make([][]span, 0, len(r.parts))
	for _, p := range r.parts {
		list := p.spans(doc)
		if len(list) == 0 && r.rule.how != spanAny {
			return nil
		}
		lists = append(lists, list)
	}
	switch r.rule.how {
	case spanAny:
		var all []span
		for _, l := range lists {
			all = append(all, l...)
		}
		return minimal(all)
	case spanAdjacent:
		return inOrder(lists, true)
	case spanOrdered:
		return inOrder(lists, false)
	case spanRepeat:
		return repeated(lists[0], r.rule.times)
	}
	return together(lists)
}

// keptSpans are those spans of a source that a condition keeps.
type keptSpans struct {
	source intervalSource
	name   string // of the condition, for the key
	than   intervalSource
	before int // positions that a span is taken to begin earlier
	limit  int // gaps it may have, -1 for any
	// keep judges a span by those of than; nil keeps all.
	keep func(s span, others []span) bool
}

func (k *keptSpans) appendKey(dst []byte) []byte {
	dst = k.source.appendKey(append(append(dst, k.name...), '('))
	if k.than != nil {
		dst = k.than.appendKey(append(dst, ';'))
	}
	dst = strconv.AppendInt(append(dst, ';'), int64(k.before), 10)
	return append(strconv.AppendInt(append(dst, ';'), int64(k.limit), 10), ')')
}

func (k *keptSpans) least() int { return k.source.least() + k.before }

func (k *keptSpans) reads(r *Reading) {
	k.source.reads(r)
	if k.than != nil {
		k.than.reads(r)
	}
}

func (k *keptSpans) open(x *Exec, s *segment.Segment) (intervalReader, error) {
	source, err := k.source.open(x, s)
	if err != nil {
		return nil, err
	}
	r := &keptReader{rule: k, source: source}
	if k.than != nil {
		r.than, err = k.than.open(x, s)
	}
	return r, err
}

type keptReader struct {
	rule         *keptSpans
	source, than intervalReader
}

func (r *keptReader) docs() *roaring.Bitmap { return r.source.docs() }

func (r *keptReader) spans(doc uint32) []span {
	var others []span
	if r.than != nil {
		others = r.than.spans(doc)
	}
	var kept []span
	for _, s := range r.source.spans(doc) {
		s.start = max(0, s.start-r.rule.before)
		if r.rule.limit >= 0 && s.gaps > r.rule.limit || r.rule.keep != nil && !r.rule.keep(s, others) {
			continue
		}
		kept = append(kept, s)
	}
	return kept
}
