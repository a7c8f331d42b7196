package planner

import (
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
	"postern/planner/query"
)

// gather calls f for the nested objects of a sort field that count, in document order,
// with the document each lies in.
func gather(x *query.Exec, f *sortField, s *segment.Segment, visit func(inner *segment.Segment, child, root uint32)) error {
	var toRoot []uint32
	inner := s
	for _, step := range f.steps {
		c := inner.Children(step)
		if c == nil {
			return nil
		}
		up := c.Parent
		if toRoot != nil {
			up = make([]uint32, len(c.Parent))
			for i, p := range c.Parent {
				up[i] = toRoot[p]
			}
		}
		toRoot, inner = up, c.Segment
	}
	if f.filter == nil {
		for child, root := range toRoot {
			visit(inner, uint32(child), root)
		}
		return nil
	}
	var docs *roaring.Bitmap
	docs, err := query.Match(x, f.filter, segment.Part{Segment: inner})
	if err != nil {
		return err
	}
	for it := docs.Iterator(); it.HasNext(); {
		child := it.Next()
		visit(inner, child, toRoot[child])
	}
	return nil
}

// denseKeys are keys computed for every document beforehand.
type denseKeys struct {
	numeric
	keys []uint64
}

func (k denseKeys) read(docs []uint32, out []uint64, stride int) {
	for i, d := range docs {
		out[i*stride] = k.keys[d]
	}
}

// openNestedNumberKeys gathers the values of each document's nested objects.
func openNestedNumberKeys(x *query.Exec, f *sortField, s *segment.Segment) (keyReader, error) {
	keys := make([]uint64, s.Len())
	missing := f.keyOf(f.missing)
	for i := range keys {
		keys[i] = missing
	}
	var (
		longs   []int64
		doubles []float64
		doc     uint32
	)
	flush := func() {
		if len(longs) > 0 {
			slices.Sort(longs)
			keys[doc] = f.keyOf(f.fromLongs(longs))
		}
		if len(doubles) > 0 {
			slices.Sort(doubles)
			keys[doc] = f.keyOf(f.fromDoubles(doubles))
		}
		longs, doubles = longs[:0], doubles[:0]
	}
	err := gather(x, f, s, func(inner *segment.Segment, child, root uint32) {
		if root != doc {
			flush()
			doc = root
		}
		if f.source == longValue {
			if c := inner.Long(f.field); c != nil {
				longs = append(longs, c.Values(child)...)
			}
		} else if c := inner.Double(f.field); c != nil {
			doubles = append(doubles, c.Values(child)...)
		}
	})
	flush()
	return denseKeys{numeric{f}, keys}, err
}

// nestedTermKeys are ordinals of the nested objects' column.
type nestedTermKeys struct {
	termKeys
	keys []uint64
}

func (k nestedTermKeys) read(docs []uint32, out []uint64, stride int) {
	for i, d := range docs {
		out[i*stride] = k.keys[d]
	}
}

func openNestedTermKeys(x *query.Exec, f *sortField, s *segment.Segment) (keyReader, error) {
	var col *segment.KeywordColumn
	ends := make([]uint32, s.Len())
	for i := range ends {
		ends[i] = segment.NoOrd
	}
	err := gather(x, f, s, func(inner *segment.Segment, child, root uint32) {
		if col == nil {
			if col = inner.Keyword(f.field); col == nil {
				return
			}
		}
		for _, o := range col.Ords(child) {
			if e := ends[root]; e == segment.NoOrd || (o < e) == (f.mode != modeMax) && o != e {
				ends[root] = o
			}
		}
	})
	if err != nil || col == nil {
		return missingKeys{f}, err
	}
	k := nestedTermKeys{termKeys{f: f, c: col}, make([]uint64, len(ends))}
	k.missing = k.missingKey()
	for d, o := range ends {
		if o == segment.NoOrd {
			k.keys[d] = k.missing
		} else {
			k.keys[d] = ordKey(o) ^ f.flip()
		}
	}
	return k, nil
}
