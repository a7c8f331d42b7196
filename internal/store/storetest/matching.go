package storetest

import (
	"fmt"
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
	"postern/internal/store"
)

// Matching is the meaning of filters, one document at a time. What a filter leaves open is
// decided by its members.
type Matching struct {
	// WholeBounds compares whole numbers with the whole number that a bound becomes;
	// else they are compared as float64.
	WholeBounds bool
}

// Of gives the documents of a segment that match.
func (m Matching) Of(f store.Filter, s *segment.Segment) *roaring.Bitmap {
	docs := roaring.New()
	matches := m.filter(f, s)
	for doc := range uint32(s.Len()) {
		if matches(doc) {
			docs.Add(doc)
		}
	}
	return docs
}

func (m Matching) filter(f store.Filter, s *segment.Segment) func(doc uint32) bool {
	switch f := f.(type) {
	case store.All:
		return func(uint32) bool { return true }
	case store.And:
		list := m.filters(f, s)
		return func(doc uint32) bool {
			return !slices.ContainsFunc(list, func(is func(uint32) bool) bool { return !is(doc) })
		}
	case store.Or:
		list := m.filters(f, s)
		return func(doc uint32) bool {
			return slices.ContainsFunc(list, func(is func(uint32) bool) bool { return is(doc) })
		}
	case store.Not:
		is := m.filter(f.Filter, s)
		return func(doc uint32) bool { return !is(doc) }
	case store.IDs:
		return func(doc uint32) bool { return slices.Contains(f.IDs, s.ID(doc)) }
	case store.Exists:
		docs := s.Exists(f.Field)
		return func(doc uint32) bool { return docs != nil && docs.Contains(doc) }
	case store.Terms:
		docs := termDocs(f, s)
		return docs.Contains
	case store.Longs:
		return func(doc uint32) bool {
			return slices.ContainsFunc(longsOf(s, f.Field, doc), func(v int64) bool { return slices.Contains(f.Values, v) })
		}
	case store.Range:
		return func(doc uint32) bool {
			return slices.ContainsFunc(longsOf(s, f.Field, doc), func(v int64) bool { return m.within(f, v) }) ||
				slices.ContainsFunc(doublesOf(s, f.Field, doc), func(v float64) bool { return f.From <= v && v <= f.To })
		}
	case store.Nested:
		return m.nested(f, s)
	case store.Uncovered:
		return func(doc uint32) bool { return uncovered(s, f.Field, doc) }
	}
	panic(fmt.Sprintf("filter %T", f))
}

func (m Matching) filters(list []store.Filter, s *segment.Segment) []func(uint32) bool {
	out := make([]func(uint32) bool, len(list))
	for i, f := range list {
		out[i] = m.filter(f, s)
	}
	return out
}

func (m Matching) nested(f store.Nested, s *segment.Segment) func(uint32) bool {
	docs := roaring.New()
	if c := s.Children(f.Path); c != nil {
		is := m.filter(f.Filter, c.Segment)
		for child, parent := range c.Parent {
			if is(uint32(child)) {
				docs.Add(parent)
			}
		}
	}
	return docs.Contains
}

func (m Matching) within(f store.Range, v int64) bool {
	if m.WholeBounds {
		return whole(f.From) <= v && v <= whole(f.To)
	}
	return f.From <= float64(v) && float64(v) <= f.To
}

// whole is a bound as a whole number; one beyond is the last there is.
func whole(f float64) int64 {
	switch {
	case f >= math.MaxInt64:
		return math.MaxInt64
	case f <= math.MinInt64:
		return math.MinInt64
	}
	return int64(f)
}

func termDocs(f store.Terms, s *segment.Segment) *roaring.Bitmap {
	docs := roaring.New()
	for _, term := range f.Terms {
		if k := s.Keyword(f.Field); k != nil {
			if ord, ok := k.Lookup(term); ok {
				docs.AddMany(k.DocsOf(ord))
			}
		}
		if t := s.Text(f.Field); t != nil {
			if ord, ok := t.Lookup(term); ok {
				docs.AddMany(t.Postings(ord).Docs)
			}
		}
	}
	return docs
}

func longsOf(s *segment.Segment, field string, doc uint32) []int64 {
	if c := s.Long(field); c != nil {
		return c.Values(doc)
	}
	return nil
}

func doublesOf(s *segment.Segment, field string, doc uint32) []float64 {
	if c := s.Double(field); c != nil {
		return c.Values(doc)
	}
	return nil
}

// uncovered tells the documents that an order may have several times or elsewhere.
func uncovered(s *segment.Segment, field string, doc uint32) bool {
	doubles := doublesOf(s, field, doc)
	return len(longsOf(s, field, doc)) > 1 || len(doubles) > 1 || len(doubles) == 1 && doubles[0] == 0 && math.Signbit(doubles[0])
}
