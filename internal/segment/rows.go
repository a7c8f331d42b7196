package segment

import (
	"math"
	"sort"

	"postern/internal/mapping"
)

// rows collects documents field by field, append only: what stands in a slice before
// its length is never changed, so that a cut of it can be read while more is appended.
type rows struct {
	n        int
	seqNos   []int64
	versions []int64
	oddly    int // documents with a version other than 1
	ids      stringTable
	fields   map[string]*fieldRows
	children map[string]*childRows
	size     int64 // an estimate of the bytes held
}

type childRows struct {
	rows
	parent []uint32
}

// fieldRows holds the values of one field; which member depends on its kind.
type fieldRows struct {
	kind    mapping.Kind
	keyword keywordRows
	text    textRows
	long    numberRows[int64]
	double  numberRows[float64]
	geo     geoRows
	vector  vectorRows
	present []uint32
}

func newRows() *rows { return &rows{ids: newStringTable(0)} }

func (r *rows) field(name string, kind mapping.Kind) *fieldRows {
	f := r.fields[name]
	if f == nil {
		if r.fields == nil {
			r.fields = map[string]*fieldRows{}
		}
		f = &fieldRows{kind: kind}
		r.fields[name] = f
	}
	return f
}

// append adds one document; Document.Values keep the order of the source.
func (r *rows) append(d *mapping.Document) {
	doc := uint32(r.n)
	r.n++
	r.seqNos = append(r.seqNos, d.SeqNo)
	r.versions = append(r.versions, d.Version)
	if d.Version != 1 {
		r.oddly++
	}
	r.ids.add(d.ID)
	r.size += int64(20 + len(d.ID))
	if d.Routing != "" {
		r.field("_routing", mapping.KindKeyword).keyword.add(doc, d.Routing)
	}
	for _, name := range d.Ignored {
		r.field("_ignored", mapping.KindKeyword).keyword.add(doc, name)
	}
	r.values(doc, d.Values)
	if len(d.Children) == 0 {
		return
	}
	// Each nested document becomes one of its path's rows; a child's parent is the row
	// of the enclosing path's.
	at := make([]struct {
		rows *rows
		doc  uint32
	}, len(d.Children))
	for i := range d.Children {
		c := &d.Children[i]
		outer, parent := r, doc
		if c.Parent >= 0 {
			outer, parent = at[c.Parent].rows, at[c.Parent].doc
		}
		inner := outer.childrenOf(c.Path)
		at[i].rows, at[i].doc = &inner.rows, uint32(inner.n)
		inner.parent = append(inner.parent, parent)
		inner.n++
		inner.values(at[i].doc, c.Values)
		r.size += 8
	}
}

func (r *rows) childrenOf(path string) *childRows {
	c := r.children[path]
	if c == nil {
		if r.children == nil {
			r.children = map[string]*childRows{}
		}
		c = &childRows{}
		r.children[path] = c
	}
	return c
}

func (r *rows) values(doc uint32, values []mapping.Value) {
	for i := range values {
		v := &values[i]
		f := r.field(v.Field.Name, v.Field.Kind)
		r.size += 12
		switch f.kind {
		case mapping.KindKeyword, mapping.KindIP:
			f.keyword.add(doc, v.S)
		case mapping.KindLong:
			f.long.add(doc, v.I)
		case mapping.KindDouble:
			f.double.add(doc, v.F)
		case mapping.KindGeoPoint:
			f.geo.add(doc, v.F, math.Float64frombits(uint64(v.I)))
		case mapping.KindVector:
			f.vector.add(doc, v.V)
		case mapping.KindText:
			f.text.value(doc, v)
			r.size += int64(12 * len(v.Tokens))
		default:
			f.present = append(f.present, doc)
		}
	}
}

// value adds the tokens of one text; further values of a document count their positions
// from where the last one ended plus the field's gap, as Lucene does.
func (r *textRows) value(doc uint32, v *mapping.Value) {
	base := r.begin(doc)
	last := base
	for i := range v.Tokens {
		last = base + uint32(v.Tokens[i].Position)
		r.token(doc, r.id(v.Tokens[i].Term), last)
	}
	r.lens[len(r.lens)-1] += uint32(len(v.Tokens))
	if len(v.Tokens) > 0 {
		r.nextGap = last + 1 + uint32(v.Field.PositionIncrementGap)
	} else {
		r.nextGap = base + uint32(v.Field.PositionIncrementGap)
	}
}

// cut gives the rows of the first n documents, sharing memory.
func (f *fieldRows) cut(n uint32) *fieldRows {
	upTo := func(docs []uint32) int { return sort.Search(len(docs), func(i int) bool { return docs[i] >= n }) }
	c := &fieldRows{kind: f.kind}
	i := upTo(f.keyword.docs)
	c.keyword = keywordRows{docs: f.keyword.docs[:i], vals: f.keyword.vals[:i], terms: f.keyword.terms}
	i = upTo(f.text.docs)
	c.text = textRows{docs: f.text.docs[:i], vals: f.text.vals[:i], places: f.text.places[:i], terms: f.text.terms}
	i = upTo(f.text.lenDocs)
	c.text.lenDocs, c.text.lens = f.text.lenDocs[:i], f.text.lens[:i]
	i = upTo(f.long.docs)
	c.long = numberRows[int64]{f.long.docs[:i], f.long.vals[:i]}
	i = upTo(f.double.docs)
	c.double = numberRows[float64]{f.double.docs[:i], f.double.vals[:i]}
	i = upTo(f.geo.docs)
	c.geo = geoRows{f.geo.docs[:i], f.geo.lat[:i], f.geo.lon[:i]}
	i = upTo(f.vector.docs)
	c.vector = vectorRows{docs: f.vector.docs[:i]}
	if len(f.vector.docs) > 0 {
		c.vector.flat = f.vector.flat[:i*(len(f.vector.flat)/len(f.vector.docs))]
	}
	c.present = f.present[:upTo(f.present)]
	return c
}

func (f *fieldRows) empty() bool {
	return len(f.keyword.docs)+len(f.text.lenDocs)+len(f.long.docs)+len(f.double.docs)+len(f.geo.docs)+len(f.vector.docs)+len(f.present) == 0
}

// build makes the column of n documents; nil when it would hold nothing.
func (f *fieldRows) build(n int) column {
	if f.empty() {
		return nil
	}
	switch f.kind {
	case mapping.KindKeyword, mapping.KindIP:
		return f.keyword.build(n)
	case mapping.KindLong:
		c := &LongColumn{}
		f.long.build(n, &c.numbers)
		return c
	case mapping.KindDouble:
		c := &DoubleColumn{}
		f.double.build(n, &c.numbers)
		return c
	case mapping.KindGeoPoint:
		return f.geo.build(n)
	case mapping.KindVector:
		return f.vector.build(n)
	case mapping.KindText:
		return f.text.build(n)
	}
	return buildPresence(f.present, n)
}

// segment makes a segment of the first n rows whose columns are built when asked for.
// It must be called while nobody appends; its columns may be built later all the same.
func (r *rows) segment(n int) *Segment {
	s := &Segment{n: n, seqNos: r.seqNos[:min(n, len(r.seqNos))], fields: make(map[string]*field, len(r.fields))}
	if r.oddly > 0 {
		s.versions = r.versions[:n]
	}
	if len(r.ids.offsets) > 0 {
		s.ids = stringTable{r.ids.offsets[:n+1], r.ids.text[:r.ids.offsets[n]]}
	}
	for name, f := range r.fields {
		if c := f.cut(uint32(n)); !c.empty() {
			s.fields[name] = &field{kind: f.kind, build: func() (column, error) { return c.build(n), nil }}
		}
	}
	for path, c := range r.children {
		m := sort.Search(len(c.parent), func(i int) bool { return c.parent[i] >= uint32(n) })
		if m == 0 {
			continue
		}
		inner, parent := c.rows.segment(m), c.parent[:m]
		if s.children == nil {
			s.children = map[string]*lazyChildren{}
		}
		s.children[path] = &lazyChildren{build: func() (*Children, error) { return &Children{inner, parent}, nil }}
	}
	return s
}
