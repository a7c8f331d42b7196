package planner

import (
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/eserr"
	"postern/internal/segment"
	"postern/planner/query"
)

// gather calls visit for the nested objects of a sort field that count, in document order,
// with the document each lies in. visit tells whether the object had a value.
func gather(x *query.Exec, f *sortField, s *segment.Segment, visit func(inner *segment.Segment, child, root uint32) bool) error {
	var toRoot []uint32
	var kept *roaring.Bitmap // nil: all
	inner := s
	for _, step := range f.steps {
		c := inner.Children(step.path)
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
		kept = childrenOf(c.Parent, kept)
		toRoot, inner = up, c.Segment
		if step.filter == nil {
			continue
		}
		docs, err := query.Match(x, step.filter, segment.Part{Segment: inner})
		if err != nil {
			return err
		}
		if kept != nil {
			docs = roaring.And(kept, docs)
		}
		kept = docs
	}
	last, count := uint32(math.MaxUint32), 0
	counted := func(child uint32) {
		root := toRoot[child]
		if root != last {
			last, count = root, 0
		}
		if count < f.atMost && visit(inner, child, root) {
			count++
		}
	}
	if kept == nil {
		for child := range toRoot {
			counted(uint32(child))
		}
		return nil
	}
	for it := kept.Iterator(); it.HasNext(); {
		counted(it.Next())
	}
	return nil
}

// childrenOf are the objects whose parent is kept; nil stands for all.
func childrenOf(parents []uint32, kept *roaring.Bitmap) *roaring.Bitmap {
	if kept == nil {
		return nil
	}
	out := roaring.New()
	for child, p := range parents {
		if kept.Contains(p) {
			out.Add(uint32(child))
		}
	}
	return out
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
	if f.mode == modeMedian {
		return nil, eserr.IllegalArgument("Unsupported sort mode: MEDIAN")
	}
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
	err := gather(x, f, s, func(inner *segment.Segment, child, root uint32) bool {
		if root != doc {
			flush()
			doc = root
		}
		before := len(longs) + len(doubles)
		if f.source == longValue {
			if c := inner.Long(f.field); c != nil {
				longs = append(longs, c.Values(child)...)
			}
		} else if c := inner.Double(f.field); c != nil {
			doubles = append(doubles, c.Values(child)...)
		}
		return len(longs)+len(doubles) > before
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
	err := gather(x, f, s, func(inner *segment.Segment, child, root uint32) bool {
		if col == nil {
			if col = inner.Keyword(f.field); col == nil {
				return false
			}
		}
		ords := col.Ords(child)
		for _, o := range ords {
			if e := ends[root]; e == segment.NoOrd || (o < e) == (f.mode != modeMax) && o != e {
				ends[root] = o
			}
		}
		return len(ords) > 0
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
