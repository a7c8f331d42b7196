package aggs

import (
	"slices"

	"postern/internal/eserr"
	"postern/internal/mapping"
	"postern/internal/segment"
)

type terms struct {
	v         *values
	size      int
	minCount  int64
	order     order
	include   *inclusion
	showError bool
}

// termsResult holds buckets by term: by the text of keywords, the value of whole numbers
// and dates, the sortable form of doubles, which tells -0.0 from 0.0.
type termsResult struct {
	*terms
	answered
	n       *node
	rest    int64 // documents of the buckets that the answer leaves out
	texts   map[string]*bucket
	longs   map[int64]*bucket
	doubles map[int64]*bucket
	mixed   bool // another index has keys that can't be compared with these
}

const defaultSize = 10

func parseTerms(c *source) (aggregator, error) {
	a := c.a.Terms
	v, err := c.values(wanted{field: a.Field, missing: a.Missing, format: a.Format, unmapped: mapping.KindKeyword, valueType: a.ValueType})
	if err != nil {
		return nil, err
	}
	if v.as == mapping.KindLong && v.hasMissing() && v.missingDouble != float64(v.missingLong) {
		v.as = mapping.KindDouble // as Elasticsearch does for a missing value with a fraction
	}
	t := &terms{v: v, size: defaultSize, minCount: 1, showError: a.ShowTermDocCountError != nil && *a.ShowTermDocCountError}
	if a.Size != nil {
		if *a.Size <= 0 {
			return nil, eserr.IllegalArgument("[size] must be greater than 0. Found [%d] in [%s]", *a.Size, c.name)
		}
		t.size = *a.Size
	}
	if a.MinDocCount != nil {
		t.minCount = *a.MinDocCount
	}
	if t.include, err = parseInclusion(c, a, v); err != nil {
		return nil, err
	}
	subs, err := c.subs()
	if err != nil {
		return nil, err
	}
	t.order, err = parseOrder(a.Order, subs, order{{by: byCount, desc: true}})
	return t, err
}

func (t *terms) empty(n *node) result {
	r := &termsResult{terms: t, n: n}
	switch t.v.as {
	case mapping.KindLong:
		r.longs = map[int64]*bucket{}
	case mapping.KindDouble:
		r.doubles = map[int64]*bucket{}
	default:
		r.texts = map[string]*bucket{}
	}
	return r
}

func (r *termsResult) collect(x *collector, s *selection) error {
	if r.minCount == 0 && r.texts == nil {
		r.collectZeros(x, s)
	}
	switch {
	case r.longs != nil:
		docs, vals := x.readLongs(r.v, s)
		return x.collectKeys(s, docs, vals, r.longs, r.n.subs, r.include.long)
	case r.doubles != nil:
		docs, keys := x.readSortable(r.v, s)
		return x.collectKeys(s, docs, keys, r.doubles, r.n.subs, r.include.double)
	}
	return r.collectTexts(x, s)
}

// collectZeros makes a bucket for each number that any live document has.
func (r *termsResult) collectZeros(x *collector, s *selection) {
	all := x.live(s.seg)
	if r.longs != nil {
		_, vals := x.readLongs(r.v, all)
		makeEach(r.longs, vals, r.n.subs, r.include.long)
		return
	}
	_, keys := x.readSortable(r.v, all)
	makeEach(r.doubles, keys, r.n.subs, r.include.double)
}

func makeEach(into map[int64]*bucket, keys []int64, subs []*node, allowed func(int64) bool) {
	for _, v := range keys {
		if into[v] == nil && allowed(v) {
			into[v] = newBucket(subs)
		}
	}
}

func (r *termsResult) text(term string) *bucket {
	b := r.texts[term]
	if b == nil {
		b = newBucket(r.n.subs)
		r.texts[term] = b
	}
	return b
}

// collectTexts counts by ordinal and goes from ordinals to terms once a segment.
func (r *termsResult) collectTexts(x *collector, s *selection) error {
	k := r.v.keyword(s.seg)
	if k == nil {
		return r.collectMissing(x, s, nil)
	}
	allowed := r.include.ordinals(k)
	bucketOf := func(ord int) *bucket { return r.text(k.Term(uint32(ord))) }
	if r.minCount == 0 {
		live := x.live(s.seg)
		for ord := range k.NumTerms() {
			if (allowed == nil || allowed[ord]) && (live.whole() || slices.ContainsFunc(k.DocsOf(uint32(ord)), live.bits.Contains)) {
				bucketOf(ord)
			}
		}
	}
	if len(r.n.subs) == 0 && s.whole() {
		for ord := range k.NumTerms() {
			if n := len(k.DocsOf(uint32(ord))); n > 0 && (allowed == nil || allowed[ord]) {
				bucketOf(ord).count += int64(n)
			}
		}
		return r.collectMissing(x, s, k)
	}
	docs := s.docs()
	if k.Single() && len(r.n.subs) == 0 {
		counts := make([]int64, k.NumTerms()+1)
		ordOf := k.OrdOf()
		for _, d := range docs {
			counts[ordOf[d]+1]++ // NoOrd is counted at 0
		}
		for ord, n := range counts[1:] {
			if n > 0 && (allowed == nil || allowed[ord]) {
				bucketOf(ord).count += n
			}
		}
		return r.collectMissing(x, s, k)
	}
	entries := make([]uint32, 0, len(docs))
	group := make([]int32, 0, len(docs))
	for _, d := range docs {
		for _, ord := range k.Ords(d) {
			if allowed == nil || allowed[ord] {
				entries = append(entries, d)
				group = append(group, int32(ord))
			}
		}
	}
	if err := x.collectGroups(s, entries, group, k.NumTerms(), len(r.n.subs) > 0, bucketOf); err != nil {
		return err
	}
	return r.collectMissing(x, s, k)
}

// collectMissing puts documents without a term under the missing one.
func (r *termsResult) collectMissing(x *collector, s *selection, k *segment.KeywordColumn) error {
	if !r.v.hasMissing() || !r.include.text([]byte(r.v.missingText)) {
		return nil
	}
	without := s
	if k != nil {
		without = r.v.without(s)
	}
	if without.len() == 0 {
		return nil
	}
	return r.text(r.v.missingText).collect(x, without)
}

func (r *termsResult) merge(other result) {
	o := other.(*termsResult)
	switch {
	case r.longs != nil && o.longs != nil:
		mergeMaps(r.longs, o.longs, r.n.subs)
	case r.doubles != nil && o.doubles != nil:
		mergeMaps(r.doubles, o.doubles, r.n.subs)
	case r.texts != nil && o.texts != nil:
		mergeMaps(r.texts, o.texts, r.n.subs)
	case o.v.hasNothing():
		// An index without the field has nothing to add.
	case r.v.hasNothing():
		r.terms, r.texts, r.longs, r.doubles = o.terms, o.texts, o.longs, o.doubles
	case r.longs != nil && o.doubles != nil:
		r.doubles, r.longs = asDoubles(r.longs), nil
		mergeMaps(r.doubles, o.doubles, r.n.subs)
	case r.doubles != nil && o.longs != nil:
		mergeMaps(r.doubles, asDoubles(o.longs), r.n.subs)
	default:
		r.mixed = true
	}
	r.mixed = r.mixed || o.mixed
}

func asDoubles(longs map[int64]*bucket) map[int64]*bucket {
	doubles := make(map[int64]*bucket, len(longs))
	for k, b := range longs {
		doubles[sortable(float64(k))] = b
	}
	return doubles
}

func (r *termsResult) reduce() {
	if !r.begin() {
		return
	}
	if r.texts != nil {
		list, rest := best(r.texts, r.order, r.minCount, r.size)
		r.answered.texts(list)
		r.rest = rest
		return
	}
	numbers := r.longs
	if numbers == nil {
		numbers = r.doubles
	}
	list, rest := best(numbers, r.order, r.minCount, r.size)
	r.answered.longs(list)
	r.rest = rest
}

func (r *termsResult) keyText(b *answerBucket) string {
	switch {
	case r.longs != nil:
		return r.v.format.long(b.long)
	case r.doubles != nil:
		return r.v.format.double(unsortable(b.long))
	case r.v.as == mapping.KindIP:
		return ipText([]byte(b.text))
	}
	return b.text
}

func (r *termsResult) appendKey(w *writer, b *answerBucket) {
	switch {
	case r.longs != nil:
		w.int("key", b.long)
	case r.doubles != nil:
		w.float("key", unsortable(b.long))
	default:
		w.string("key", r.keyText(b))
		return
	}
	if r.v.format.shown() {
		w.string("key_as_string", r.keyText(b))
	}
}

// checkMixed makes the answer fail where keys can't be compared.
func (r *termsResult) checkMixed(w *writer) {
	if r.mixed {
		w.fail(mixedTypes(r.n.name))
	}
}

func (r *termsResult) appendBody(w *writer) {
	r.checkMixed(w)
	r.reduce()
	// Every bucket is counted exactly, on one shard or many.
	w.int("doc_count_error_upper_bound", 0)
	w.int("sum_other_doc_count", r.rest)
	w.bucketList(len(r.buckets), nil, func(i int) {
		b := &r.buckets[i]
		r.appendKey(w, b)
		w.int("doc_count", b.count)
		if r.showError {
			w.int("doc_count_error_upper_bound", 0)
		}
		var order []int
		if b.merged {
			order = r.n.hashed
		}
		w.bucketSubs(r.n, b.bucket, order)
	})
}

func (r *termsResult) prefix() string {
	switch {
	case r.longs != nil:
		return "lterms"
	case r.doubles != nil:
		return "dterms"
	}
	return "sterms"
}
