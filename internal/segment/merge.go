package segment

import (
	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/mapping"
)

// noDoc stands for a document that a merge leaves out.
const noDoc = ^uint32(0)

// Merge makes one segment of adjacent parts, given in their order; documents that are not
// live are left out, the others keep their order. All columns of the result are built.
func Merge(parts []Part) *Segment {
	r := newRows()
	r.merge(parts)
	for _, p := range parts {
		for doc := range uint32(p.n) {
			if p.Live != nil && !p.Live.Contains(doc) {
				continue
			}
			r.seqNos = append(r.seqNos, p.SeqNo(doc))
			v := p.Version(doc)
			r.versions = append(r.versions, v)
			if v != 1 {
				r.oddly++
			}
			r.ids.text = append(r.ids.text, p.ids.view(doc)...)
			r.ids.offsets = append(r.ids.offsets, uint32(len(r.ids.text)))
		}
	}
	s := r.segment(r.n)
	s.buildAll()
	for _, p := range parts {
		if err := p.Err(); err != nil {
			s.err.CompareAndSwap(nil, &err)
		}
	}
	return s
}

// merge fills the rows with the columns of the parts.
func (r *rows) merge(parts []Part) {
	renamed := make([][]uint32, len(parts))
	for i, p := range parts {
		to := make([]uint32, p.n)
		for doc := range to {
			if p.Live != nil && !p.Live.Contains(uint32(doc)) {
				to[doc] = noDoc
				continue
			}
			to[doc] = uint32(r.n)
			r.n++
		}
		renamed[i] = to
	}
	names := map[string]mapping.Kind{}
	paths := map[string]bool{}
	for _, p := range parts {
		for name, f := range p.fields {
			names[name] = f.kind
		}
		for path := range p.children {
			paths[path] = true
		}
	}
	for name, kind := range names {
		f := r.field(name, kind)
		for i, p := range parts {
			f.take(p.Segment, name, renamed[i])
		}
	}
	for path := range paths {
		c := r.childrenOf(path)
		var inner []Part
		for i, p := range parts {
			children := p.Segment.Children(path)
			if children == nil {
				continue
			}
			live := roaring.New()
			for child, parent := range children.Parent {
				if to := renamed[i][parent]; to != noDoc {
					live.Add(uint32(child))
					c.parent = append(c.parent, to)
				}
			}
			inner = append(inner, Part{children.Segment, live})
		}
		c.rows.merge(inner)
	}
}

// take appends the values that a segment has of a field, under new document numbers.
func (f *fieldRows) take(s *Segment, name string, to []uint32) {
	switch c := s.column(name).(type) {
	case *KeywordColumn:
		ids := make([]uint32, c.NumTerms())
		for ord := range ids {
			ids[ord] = noDoc
		}
		for doc, d := range to {
			if d == noDoc {
				continue
			}
			for _, ord := range c.Ords(uint32(doc)) {
				if ids[ord] == noDoc {
					ids[ord] = f.keyword.id(c.Term(ord))
				}
				f.keyword.docs = append(f.keyword.docs, d)
				f.keyword.vals = append(f.keyword.vals, ids[ord])
			}
		}
	case *LongColumn:
		takeNumbers(&f.long, &c.numbers, to)
	case *DoubleColumn:
		takeNumbers(&f.double, &c.numbers, to)
	case *GeoColumn:
		for doc, d := range to {
			if d == noDoc {
				continue
			}
			lat, lon := c.Points(uint32(doc))
			for i := range lat {
				f.geo.add(d, lat[i], lon[i])
			}
		}
	case *VectorColumn:
		for i, doc := range c.Docs() {
			if d := to[doc]; d != noDoc {
				f.vector.add(d, c.At(i))
			}
		}
	case *TextColumn:
		f.text.take(c, to)
	case *presenceColumn:
		for i := c.exists().Iterator(); i.HasNext(); {
			if d := to[i.Next()]; d != noDoc {
				f.present = append(f.present, d)
			}
		}
	}
}

func takeNumbers[T int64 | float64](r *numberRows[T], c *numbers[T], to []uint32) {
	for doc, d := range to {
		if d == noDoc {
			continue
		}
		for _, v := range c.Values(uint32(doc)) {
			r.add(d, v)
		}
	}
}

func (r *textRows) take(c *TextColumn, to []uint32) {
	for i := c.exists().Iterator(); i.HasNext(); {
		doc := i.Next()
		if d := to[doc]; d != noDoc {
			r.lenDocs = append(r.lenDocs, d)
			r.lens = append(r.lens, c.length(doc))
		}
	}
	for ord := range uint32(c.NumTerms()) {
		p := c.Postings(ord)
		id := noDoc
		for i, doc := range p.Docs {
			d := to[doc]
			if d == noDoc {
				continue
			}
			if id == noDoc {
				id = r.id(c.Term(ord))
			}
			for _, place := range p.Positions(i) {
				r.token(d, id, place)
			}
		}
	}
}
