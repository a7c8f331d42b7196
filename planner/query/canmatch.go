package query

import (
	"slices"

	gen "postern/generated/query"
)

// Reach tells whether an index has dates of a field that are at most hi, and dates that are
// at least lo.
type Reach func(field string, lo, hi int64) bool

// CanMatch tells whether Elasticsearch, asking an index before it searches it, would take
// q for one that may match there. It looks no further than Elasticsearch does: for fields
// that are not mapped, and for ranges of dates beyond all dates of the index. The clause
// must have been parsed in c without an error.
func CanMatch(c *Context, q *gen.QueryContainer, reach Reach) bool {
	none := func(q gen.QueryContainer) bool { return !CanMatch(c, &q, reach) }
	switch q.Kind {
	case gen.KindMatchNone:
		return false
	case gen.KindIDs:
		return len(q.IDs.Values) > 0
	case gen.KindTerm:
		return c.known(q, q.Term.Key)
	case gen.KindPrefix:
		return c.known(q, q.Prefix.Key)
	case gen.KindWildcard:
		return c.known(q, q.Wildcard.Key)
	case gen.KindExists:
		return c.known(q, q.Exists.Field)
	case gen.KindTerms:
		f := q.Terms.Field
		return (f.Value.TermsLookup != nil || len(f.Value.List) > 0) && c.known(q, f.Key)
	case gen.KindRange:
		return c.known(q, q.Range.Key) && c.dateInReach(q, reach)
	case gen.KindConstantScore:
		return CanMatch(c, q.ConstantScore.Filter, reach)
	case gen.KindBool:
		b := q.Bool
		if slices.ContainsFunc(b.Must, none) || slices.ContainsFunc(b.Filter, none) {
			return false
		}
		if slices.ContainsFunc(b.MustNot, func(q gen.QueryContainer) bool { return q.Kind == gen.KindMatchAll }) {
			return false
		}
		optional := len(b.Must) == 0 && len(b.Filter) == 0 && len(b.Should) > 0
		return !optional || slices.ContainsFunc(b.Should, func(q gen.QueryContainer) bool { return !none(q) })
	}
	return true
}

// known tells that a clause has a field to look into: one that is mapped, or a metadata
// field that does not decide the clause by itself.
func (c *Context) known(q *gen.QueryContainer, field string) bool {
	if c.field(field) != nil {
		return true
	}
	n, err := Parse(c, q)
	return err != nil || !IsMatchNone(n)
}

// dateInReach tells that a range is none of dates, or one that some date of the index may
// lie in.
func (c *Context) dateInReach(q *gen.QueryContainer, reach Reach) bool {
	f := c.field(q.Range.Key)
	if f == nil || f.Type != "date" && f.Type != "date_nanos" || !f.Index {
		return true
	}
	n, err := Parse(c, q)
	if b, ok := n.(*boosted); ok {
		n = b.inner
	}
	r, ok := n.(*longRange)
	if err != nil || !ok {
		return err != nil || !IsMatchNone(n)
	}
	return reach(f.Name, r.lo, r.hi)
}
