package aggs

import (
	"cmp"
	"slices"

	"postern/internal/eserr"
	"postern/internal/mapping"
	"postern/internal/segment"
)

type terms struct {
	v    *values
	size int
	// shard is how many buckets one of Elasticsearch's shards gives.
	shard     int
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
	// unsure says that Elasticsearch would not know how wrong its counts may be.
	unsure bool
	mixed  bool // another index has keys that can't be compared with these
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
	if t.order, err = parseOrder(a.Order, subs, order{{by: byCount, desc: true}}); err != nil {
		return nil, err
	}
	t.shard = shardSize(a.ShardSize, t.size, t.order)
	return t, nil
}

// shardSize is how many buckets a shard gives for so many: more where those that it gives
// may not be the right ones.
func shardSize(asked *int, size int, o order) int {
	switch {
	case asked != nil:
		return max(*asked, size)
	case o[0].by == byKey:
		return size
	}
	return size + size/2 + 10
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
		if err := r.collectZeros(x, s); err != nil {
			return err
		}
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
func (r *termsResult) collectZeros(x *collector, s *selection) error {
	all := x.live(s.seg)
	into, allowed := r.longs, r.include.long
	var keys []int64
	if r.longs != nil {
		_, keys = x.readLongs(r.v, all)
	} else {
		_, keys = x.readSortable(r.v, all)
		into, allowed = r.doubles, r.include.double
	}
	var made []*bucket
	for _, k := range keys {
		if into[k] == nil && allowed(k) {
			into[k] = newBucket(r.n.subs)
			made = append(made, into[k])
		}
	}
	return x.collectNothing(s, made)
}

// collectNothing lets sub-aggregations list what they list without documents.
func (x *collector) collectNothing(s *selection, buckets []*bucket) error {
	for _, b := range buckets {
		if err := b.collectSubs(x, &selection{seg: s.seg, list: []uint32{}}); err != nil {
			return err
		}
	}
	return nil
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
		var made []*bucket
		for ord := range k.NumTerms() {
			if (allowed == nil || allowed[ord]) && (live.whole() || slices.ContainsFunc(k.DocsOf(uint32(ord)), live.bits.Contains)) {
				made = append(made, bucketOf(ord))
			}
		}
		if r.v.hasMissing() && r.include.text([]byte(r.v.missingText)) {
			made = append(made, r.text(r.v.missingText))
		}
		if err := x.collectNothing(s, made); err != nil {
			return err
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
		list, rest := pick(r.terms, r.texts)
		r.unsure = r.terms.unsure(len(r.texts))
		r.answered.texts(list)
		r.rest = rest
		return
	}
	numbers := r.longs
	if numbers == nil {
		numbers = r.doubles
	}
	list, rest := pick(r.terms, numbers)
	r.unsure = r.terms.unsure(len(numbers))
	r.answered.longs(list)
	r.rest = rest
}

// pick lists the buckets of the answer: of those that a shard gives, the first with
// documents enough. The documents of those that it does not give are counted.
func pick[K cmp.Ordered](t *terms, m map[K]*bucket) ([]keyed[K], int64) {
	list, rest := best(m, t.order, min(t.minCount, 1), max(t.shard, t.size))
	list = slices.DeleteFunc(list, func(b keyed[K]) bool { return b.count < t.minCount })
	for _, b := range list[min(len(list), t.size):] {
		rest += b.count
	}
	return list[:min(len(list), t.size)], rest
}

// unsure tells that of so many terms a shard does not give all, and not those with the
// most documents.
func (t *terms) unsure(n int) bool {
	return n > 0 && t.shard > 0 && n >= t.shard && t.order[0].by != byKey && !(t.order[0].by == byCount && t.order[0].desc)
}

// bound is by how much a count may be wrong.
func (r *termsResult) bound() int64 {
	if r.unsure {
		return -1
	}
	return 0 // every bucket is counted exactly, on one shard or many
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
	w.int("doc_count_error_upper_bound", r.bound())
	w.int("sum_other_doc_count", r.rest)
	w.bucketList(len(r.buckets), nil, func(i int) {
		b := &r.buckets[i]
		r.appendKey(w, b)
		w.int("doc_count", b.count)
		if r.showError {
			w.int("doc_count_error_upper_bound", r.bound())
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
