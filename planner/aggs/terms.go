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
// and dates, the bits of doubles.
type termsResult struct {
	*terms
	n       *node
	texts   map[string]*bucket
	longs   map[int64]*bucket
	doubles map[float64]*bucket
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
		r.doubles = map[float64]*bucket{}
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
		return collectNumbers(x, s, docs, vals, r.longs, r.n.subs, r.include.long)
	case r.doubles != nil:
		docs, vals := x.readDoubles(r.v, s)
		return collectNumbers(x, s, docs, vals, r.doubles, r.n.subs, r.include.double)
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
	_, vals := x.readDoubles(r.v, all)
	makeEach(r.doubles, vals, r.n.subs, r.include.double)
}

func makeEach[T comparable](into map[T]*bucket, vals []T, subs []*node, allowed func(T) bool) {
	for _, v := range vals {
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

// maxDense is how far apart the least and the greatest whole number may lie for counting
// in an array.
const maxDense = 1 << 16

// collectNumbers groups documents by value.
func collectNumbers[T int64 | float64](x *collector, s *selection, docs []uint32, vals []T, into map[T]*bucket, subs []*node, allowed func(T) bool) error {
	if len(vals) == 0 {
		return nil
	}
	group := make([]int32, len(vals))
	var keys []T
	index := map[T]int32{}
	last, lastGroup := T(0), int32(-2)
	low, high := vals[0], vals[0]
	for _, v := range vals {
		low, high = min(low, v), max(high, v)
	}
	var dense []int32
	if _, whole := any(low).(int64); whole && float64(high)-float64(low) < maxDense {
		dense = make([]int32, int(high-low)+1) // group + 1
	}
	for i, v := range vals {
		if v == last && lastGroup != -2 {
			group[i] = lastGroup
			continue
		}
		g := int32(-1)
		if dense != nil {
			g = dense[int(v-low)] - 1
		} else if known, ok := index[v]; ok {
			g = known
		}
		if g < 0 && allowed(v) {
			g = int32(len(keys))
			keys = append(keys, v)
			if dense != nil {
				dense[int(v-low)] = g + 1
			} else {
				index[v] = g
			}
		}
		group[i], last, lastGroup = g, v, g
	}
	return x.collectGroups(s, docs, group, len(keys), len(subs) > 0, func(g int) *bucket {
		b := into[keys[g]]
		if b == nil {
			b = newBucket(subs)
			into[keys[g]] = b
		}
		return b
	})
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
		r.doubles = make(map[float64]*bucket, len(r.longs))
		for k, b := range r.longs {
			r.doubles[float64(k)] = b
		}
		r.longs = nil
		mergeMaps(r.doubles, o.doubles, r.n.subs)
	case r.doubles != nil && o.longs != nil:
		for k, b := range o.longs {
			mergeMaps(r.doubles, map[float64]*bucket{float64(k): b}, r.n.subs)
		}
	}
}

func (r *termsResult) appendBody(w *writer) {
	switch {
	case r.longs != nil:
		appendTerms(w, r, sorted(r.longs, r.order, r.minCount), func(k int64) {
			w.int("key", k)
			if r.v.format.shown() {
				w.string("key_as_string", r.v.format.long(k))
			}
		})
	case r.doubles != nil:
		appendTerms(w, r, sorted(r.doubles, r.order, r.minCount), func(k float64) {
			w.float("key", k)
			if r.v.format.shown() {
				w.string("key_as_string", r.v.format.double(k))
			}
		})
	default:
		ip := r.v.as == mapping.KindIP
		appendTerms(w, r, sorted(r.texts, r.order, r.minCount), func(k string) {
			if ip {
				k = ipText([]byte(k))
			}
			w.string("key", k)
		})
	}
}

func appendTerms[K int64 | float64 | string](w *writer, r *termsResult, list []keyed[K], key func(K)) {
	var rest int64
	if len(list) > r.size {
		for _, b := range list[r.size:] {
			rest += b.count
		}
		list = list[:r.size]
	}
	// Every bucket is counted exactly, on one shard or many.
	w.int("doc_count_error_upper_bound", 0)
	w.int("sum_other_doc_count", rest)
	w.bucketList(len(list), nil, func(i int) {
		key(list[i].key)
		w.int("doc_count", list[i].count)
		if r.showError {
			w.int("doc_count_error_upper_bound", 0)
		}
		var order []int
		if list[i].merged {
			order = r.n.hashed
		}
		w.subs(r.n.subs, list[i].subs, order)
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
