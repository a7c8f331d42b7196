package aggs

import (
	"math"

	gen "postern/generated/aggs"
	"postern/internal/eserr"
	"postern/internal/mapping"
)

// rareTerms is the terms that few documents have, the rarest first.
type rareTerms struct {
	*terms
	most int64
}

type rareTermsResult struct {
	*termsResult
	most int64
}

// maxRare bounds max_doc_count.
const maxRare = 100

func parseRareTerms(c *source) (aggregator, error) {
	a := c.a.RareTerms
	v, err := c.values(wanted{field: a.Field, missing: a.Missing, unmapped: mapping.KindKeyword, valueType: a.ValueType})
	if err != nil {
		return nil, err
	}
	if v.as == mapping.KindDouble {
		return nil, eserr.IllegalArgument("RareTerms aggregation does not support floating point fields.")
	}
	t := &terms{v: v, size: math.MaxInt, minCount: 1, order: order{{by: byCount}}}
	if t.include, err = parseInclusion(c, &gen.TermsAggregation{Include: a.Include, Exclude: a.Exclude}, v); err != nil {
		return nil, err
	}
	out := &rareTerms{terms: t, most: 1}
	if a.MaxDocCount != nil {
		out.most = *a.MaxDocCount
	}
	return out, nil
}

func checkRareTerms(name string, a *gen.RareTermsAggregation) error {
	if a.MaxDocCount != nil && *a.MaxDocCount > maxRare {
		return eserr.IllegalArgument("[max_doc_count] must be smallerthan %din [%s]", maxRare, name)
	}
	return nil
}

func (a *rareTerms) empty(n *node) result {
	return &rareTermsResult{a.terms.empty(n).(*termsResult), a.most}
}

func (r *rareTermsResult) merge(other result) {
	r.termsResult.merge(other.(*rareTermsResult).termsResult)
}

func (r *rareTermsResult) reduce() {
	if r.reduced {
		return
	}
	dropFrequent(r.texts, r.most)
	dropFrequent(r.longs, r.most)
	r.termsResult.reduce()
}

func dropFrequent[K comparable](m map[K]*bucket, most int64) {
	for k, b := range m {
		if b.count > most {
			delete(m, k)
		}
	}
}

func (r *rareTermsResult) appendBody(w *writer) {
	r.checkMixed(w)
	r.reduce()
	w.bucketList(len(r.buckets), nil, func(i int) {
		b := &r.buckets[i]
		r.appendKey(w, b)
		w.bucket(r.n, b.bucket)
	})
}

func (r *rareTermsResult) prefix() string {
	switch {
	case r.longs != nil && r.v.field != nil:
		return "lrareterms"
	case r.v.hasNothing():
		return "sterms"
	}
	return "srareterms"
}
