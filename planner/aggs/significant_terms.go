package aggs

import (
	"cmp"
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	gen "postern/generated/aggs"
	genquery "postern/generated/query"
	"postern/internal/eserr"
	"postern/internal/mapping"
	"postern/internal/segment"
	"postern/planner/query"
)

// significance is how terms are compared with the background: all documents, or those
// that a filter matches.
type significance struct {
	score    heuristic
	size     int
	minCount int64
	filter   query.Node
	// all is how many documents the background has; Finish counts them.
	all int64
}

// background counts the documents of terms among all, once the terms are known.
type background struct {
	*significance
	subset, others int64      // documents of the buckets, and of other indices' backgrounds
	x              *collector // of the last part that had documents
	texts          map[string]int64
	longs          map[int64]int64
}

type significantTerms struct {
	*terms
	*significance
}

type significantTermsResult struct {
	*termsResult
	background
	scores []float64
}

const defaultSignificantCount = 3

func (c *source) significance(size *int, minCount *int64, filter *genquery.QueryContainer, h heuristics) (*significance, error) {
	s := &significance{score: h.chosen(), size: defaultSize, minCount: defaultSignificantCount}
	c.backgrounds = append(c.backgrounds, s)
	if size != nil {
		s.size = *size
	}
	if minCount != nil {
		s.minCount = *minCount
	}
	if filter == nil {
		return s, nil
	}
	n, err := query.Parse(c.Context, filter)
	if err != nil {
		return nil, err
	}
	s.filter = query.Filter(n)
	return s, nil
}

func parseSignificantTerms(c *source) (aggregator, error) {
	a := c.a.SignificantTerms
	v, err := c.values(wanted{field: a.Field, unmapped: mapping.KindKeyword})
	if err != nil {
		return nil, err
	}
	if v.as == mapping.KindDouble {
		return nil, &eserr.Error{Status: 500, Type: "unsupported_operation_exception", Reason: "No support for examining floating point numerics"}
	}
	t := &terms{v: v, size: math.MaxInt, minCount: 1}
	if t.include, err = parseInclusion(c, &gen.TermsAggregation{Include: a.Include, Exclude: a.Exclude}, v); err != nil {
		return nil, err
	}
	s, err := c.significance(a.Size, a.MinDocCount, a.BackgroundFilter, heuristics{a.Jlh, a.ChiSquare, a.MutualInformation, a.Gnd, a.Percentage})
	return &significantTerms{t, s}, err
}

func (a *significantTerms) empty(n *node) result {
	return &significantTermsResult{termsResult: a.terms.empty(n).(*termsResult), background: background{significance: a.significance}}
}

// see counts documents and makes the background be counted at the end.
func (b *background) see(x *collector, s *selection, r postponed) {
	b.subset += int64(s.len())
	if b.x == nil {
		x.tree.postponed = append(x.tree.postponed, r)
	}
	b.x = x
}

func (r *significantTermsResult) collect(x *collector, s *selection) error {
	if s.len() == 0 || r.v.hasNothing() {
		return nil
	}
	r.see(x, s, r)
	return r.termsResult.collect(x, s)
}

// finish counts the background, which is whole documents whatever the terms are of.
func (r *significantTermsResult) finish() error {
	r.background.texts, r.background.longs = map[string]int64{}, map[int64]int64{}
	x := r.background.x.exec
	r.background.x = nil
	err := r.each(x, func(s *segment.Segment, among *roaring.Bitmap) {
		if r.v.field == nil || r.v.nested {
			return
		}
		if k := r.v.keyword(s); k != nil {
			for term := range r.termsResult.texts {
				if ord, ok := k.Lookup(term); ok {
					r.background.texts[term] += countAmong(k.DocsOf(ord), among)
				}
			}
			return
		}
		if c := s.Long(r.v.field.Name); c != nil {
			for v := range r.termsResult.longs {
				r.background.longs[v] += int64(among.AndCardinality(c.Range(v, v)))
			}
		}
	})
	if err != nil {
		return err
	}
	if err := scorable(&r.background, r.termsResult.texts, r.background.texts); err != nil {
		return err
	}
	return scorable(&r.background, r.termsResult.longs, r.background.longs)
}

// each goes through the parts with their documents that are of the background.
func (s *significance) each(x *query.Exec, visit func(s *segment.Segment, among *roaring.Bitmap)) error {
	for _, p := range x.Parts() {
		at := &collector{exec: x, root: p}
		among := at.live(p.Segment).bits
		if s.filter != nil {
			docs, err := query.Match(x, s.filter, p)
			if err != nil {
				return err
			}
			among = roaring.And(among, docs)
		}
		visit(p.Segment, among)
	}
	return nil
}

// count counts the documents of the background.
func (s *significance) count(x *query.Exec) error {
	s.all = 0
	return s.each(x, func(_ *segment.Segment, among *roaring.Bitmap) { s.all += int64(among.GetCardinality()) })
}

func (b *background) superset() int64 { return b.all + b.others }

func countAmong(docs []uint32, among *roaring.Bitmap) (n int64) {
	for _, d := range docs {
		if among.Contains(d) {
			n++
		}
	}
	return n
}

func (b *background) mergeBackground(o *background) {
	b.subset, b.others = b.subset+o.subset, b.others+o.superset()
	if b.texts == nil {
		b.texts, b.longs = map[string]int64{}, map[int64]int64{}
	}
	for k, n := range o.texts {
		b.texts[k] += n
	}
	for k, n := range o.longs {
		b.longs[k] += n
	}
}

func (r *significantTermsResult) merge(other result) {
	o := other.(*significantTermsResult)
	r.mergeBackground(&o.background)
	r.termsResult.merge(o.termsResult)
}

func (r *significantTermsResult) of(b *answerBucket) int64 {
	if r.termsResult.longs != nil {
		return r.background.longs[b.long]
	}
	return r.background.texts[b.text]
}

func (r *significantTermsResult) reduce() {
	if !r.begin() {
		return
	}
	r.answered.longs(sorted(r.termsResult.longs, order{{by: byKey}}, 1))
	r.answered.texts(sorted(r.termsResult.texts, order{{by: byKey}}, 1))
	r.scores = r.rank(&r.answered, r.of)
}

// rank leaves the buckets with the best scores; of equal ones those of more documents
// come first, then those with the least key.
func (b *background) rank(a *answered, of func(*answerBucket) int64) []float64 {
	type scored struct {
		at    int
		score float64
	}
	var list []scored
	for i := range a.buckets {
		k := &a.buckets[i]
		if k.count < b.minCount {
			continue
		}
		if score, _ := b.score(b.frequencies(k.count, of(k))); score > 0 { // finish has refused what has none
			list = append(list, scored{i, score})
		}
	}
	slices.SortStableFunc(list, func(x, y scored) int {
		return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(a.buckets[y.at].count, a.buckets[x.at].count))
	})
	list = list[:min(len(list), b.size)]
	at, scores := make([]int, len(list)), make([]float64, len(list))
	for i, s := range list {
		at[i], scores[i] = s.at, s.score
	}
	a.keep(at)
	return scores
}

func (b *background) frequencies(count, among int64) frequencies {
	return frequencies{float64(count), float64(b.subset), float64(among), float64(b.superset())}
}

// scorable refuses a background that the heuristic can't compare with.
func scorable[K comparable](b *background, terms map[K]*bucket, among map[K]int64) error {
	for k, t := range terms {
		if _, err := b.score(b.frequencies(t.count, among[k])); err != nil {
			return err
		}
	}
	return nil
}

// appendHead writes what comes before the buckets; an index without the field has
// nothing to compare.
func (b *background) appendHead(w *writer, nothing bool) {
	if !nothing {
		w.int("doc_count", b.subset)
		w.int("bg_count", b.superset())
	}
}

func (r *significantTermsResult) appendBody(w *writer) {
	r.checkMixed(w)
	r.reduce()
	r.appendHead(w, r.v.hasNothing())
	w.bucketList(len(r.buckets), nil, func(i int) {
		b := &r.buckets[i]
		if r.termsResult.longs != nil {
			w.int("key", b.long)
			if r.v.format.shown() {
				w.bound("key_as_string", &r.v.format, float64(b.long))
			}
		} else {
			w.string("key", r.keyText(b))
		}
		w.int("doc_count", b.count)
		w.float("score", r.scores[i])
		w.int("bg_count", r.of(b))
		w.bucketSubs(r.n, b.bucket, r.n.hashed)
	})
}

func (r *significantTermsResult) prefix() string {
	if r.termsResult.longs != nil {
		return "siglterms"
	}
	return "sigsterms"
}
