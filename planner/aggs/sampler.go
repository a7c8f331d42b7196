package aggs

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/cespare/xxhash/v2"

	"postern/internal/eserr"
	"postern/internal/mapping"
)

// sampler gives its sub-aggregations the documents with the best scores only. With a
// field it takes no more than some of each value.
type sampler struct {
	typ      string
	hits     HitsPlanner
	size     int
	v        *values // nil: any documents
	perValue int
}

const (
	defaultSample   = 100
	defaultPerValue = 1
)

// samplerResult keeps candidates until all documents have been seen.
type samplerResult struct {
	*sampler
	n *node
	*bucket
	found   []candidate
	places  []samplePlace
	waiting bool
	taken   map[int64]int // of each value
}

type candidate struct {
	score float32
	place int32
	doc   uint32
	key   int64
}

// samplePlace is where candidates lie.
type samplePlace struct {
	x *collector
	s selection
}

func parseSampler(c *source) (aggregator, error) {
	a := &sampler{typ: "sampler", hits: c.hits, size: defaultSample}
	if n := c.a.Sampler.ShardSize; n != nil {
		a.size = *n
	}
	return a, a.check(c)
}

func parseDiversifiedSampler(c *source) (aggregator, error) {
	r := c.a.DiversifiedSampler
	a := &sampler{typ: "diversified_sampler", hits: c.hits, size: defaultSample, perValue: defaultPerValue}
	if r.ShardSize != nil {
		a.size = *r.ShardSize
	}
	if r.MaxDocsPerValue != nil {
		a.perValue = *r.MaxDocsPerValue
	}
	var err error
	if a.v, err = c.values(wanted{field: r.Field, unmapped: mapping.KindKeyword}); err != nil {
		return nil, err
	}
	if a.v.as == mapping.KindIP {
		return nil, eserr.IllegalArgument("Field [%s] of type [%s] is not supported for aggregation [diversified_sampler]", a.v.field.Name, a.v.field.Type)
	}
	if h := r.ExecutionHint; h != nil && *h != "map" && *h != "bytes_hash" && *h != "global_ordinals" {
		return nil, eserr.IllegalArgument("Unknown `execution_hint`: [%s], expected any of [map, bytes_hash, global_ordinals]", *h)
	}
	return a, a.check(c)
}

func (a *sampler) check(c *source) error {
	if len(c.a.Aggregations) == 0 {
		return eserr.IllegalArgument("Sampler aggregation must be used with child aggregations.")
	}
	if c.hits == nil {
		return eserr.Refused("[%s] aggregation is not supported here", a.typ)
	}
	return nil
}

func (a *sampler) unmapped() bool { return a.v != nil && a.v.field == nil }

func (a *sampler) empty(n *node) result {
	return &samplerResult{sampler: a, n: n, bucket: newBucket(n.subs)}
}

func (r *samplerResult) collect(x *collector, s *selection) error {
	if r.unmapped() {
		return nil
	}
	if s.len() == 0 {
		return r.collectSubs(x, s) // which may list terms all the same
	}
	scores, err := r.hits.Scores(x.exec, x.place(s.seg), s.docs())
	if err != nil {
		return err
	}
	if !r.waiting {
		r.waiting = true
		x.tree.postponed = append(x.tree.postponed, r)
	}
	place := int32(len(r.places))
	r.places = append(r.places, samplePlace{x.kept(), selection{seg: s.seg}})
	if r.v != nil {
		return r.diversify(x, s, scores, place)
	}
	for _, d := range s.docs() {
		if r.found = append(r.found, candidate{score: scores[d], place: place, doc: d}); len(r.found) >= 2*r.size+1024 {
			r.prune()
		}
	}
	return nil
}

// diversify keeps the sample as it would be if there were no more documents. A document
// that is no match for it is not asked for its value.
func (r *samplerResult) diversify(x *collector, s *selection, scores []float32, place int32) error {
	keys := r.keys(x, s)
	if r.taken == nil {
		r.taken = map[int64]int{}
	}
	for i, d := range s.docs() {
		c := candidate{score: scores[d], place: place, doc: d, key: keys[i].key}
		at, _ := slices.BinarySearchFunc(r.found, c, compareCandidates)
		if at >= r.size {
			continue
		}
		if keys[i].several {
			return eserr.IllegalArgument("Sample diversifying key must be a single valued-field")
		}
		if r.taken[c.key] >= r.perValue {
			// The last one of the same value goes, if it is no better.
			last := len(r.found) - 1
			for last >= 0 && r.found[last].key != c.key {
				last--
			}
			if last < at {
				continue
			}
			r.found = slices.Delete(r.found, last, last+1)
			r.taken[c.key]--
		}
		r.found = slices.Insert(r.found, at, c)
		r.taken[c.key]++
		if n := len(r.found) - 1; n >= r.size {
			r.taken[r.found[n].key]--
			r.found = r.found[:n]
		}
	}
	return nil
}

func compareCandidates(a, b candidate) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.place, b.place), cmp.Compare(a.doc, b.doc))
}

// sampleKey is the value of a document that counts against perValue.
type sampleKey struct {
	key     int64
	several bool // it has more than one
}

// keys are those of the selected documents; one without a value counts with the least
// term of the index, or with zero, as in Elasticsearch.
func (r *samplerResult) keys(x *collector, s *selection) []sampleKey {
	keys := make([]sampleKey, 0, s.len())
	if r.v.as == mapping.KindKeyword {
		k, none := r.v.keyword(s.seg), r.v.leastTerm(x)
		for _, d := range s.docs() {
			key := sampleKey{key: none}
			if k != nil {
				if ords := k.Ords(d); len(ords) > 0 {
					key = sampleKey{int64(xxhash.Sum64(k.TermBytes(ords[0]))), len(ords) > 1}
				}
			}
			keys = append(keys, key)
		}
		return keys
	}
	docs, vals := x.readSortable(r.v, s)
	i := 0
	for _, d := range s.docs() {
		var key sampleKey
		for first := i; i < len(docs) && docs[i] == d; i++ {
			key = sampleKey{vals[first], i > first}
		}
		keys = append(keys, key)
	}
	return keys
}

// leastTerm is the hash of the least term that the index has.
func (v *values) leastTerm(x *collector) int64 {
	var least []byte
	for _, p := range x.exec.Parts() {
		if k := v.keyword(p.Segment); k != nil && k.NumTerms() > 0 {
			if t := k.TermBytes(0); least == nil || bytes.Compare(t, least) < 0 {
				least = t
			}
		}
	}
	return int64(xxhash.Sum64(least))
}

// prune leaves those that can still be part of the sample.
func (r *samplerResult) prune() {
	slices.SortFunc(r.found, compareCandidates)
	r.found = r.found[:min(len(r.found), r.size)]
}

func (r *samplerResult) finish() error {
	r.waiting = false
	r.prune()
	for _, c := range r.found {
		s := &r.places[c.place].s
		s.list = append(s.list, c.doc)
	}
	for i := range r.places {
		p := &r.places[i]
		if len(p.s.list) == 0 {
			continue
		}
		slices.Sort(p.s.list)
		if err := r.bucket.collect(p.x, &p.s); err != nil {
			return err
		}
	}
	r.found, r.places = nil, nil
	return nil
}

func (r *samplerResult) holds() *bucket { return r.bucket }

func (r *samplerResult) merge(other result) {
	o := other.(*samplerResult)
	if r.unmapped() {
		r.sampler = o.sampler
	}
	r.bucket.merge(o.bucket)
}

func (r *samplerResult) appendBody(w *writer) {
	if r.unmapped() {
		w.int("doc_count", 0)
		return
	}
	w.bucket(r.n, r.bucket)
}

func (r *samplerResult) prefix() string { return "sampler" }
