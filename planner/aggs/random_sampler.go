package aggs

import (
	"math"
	"math/rand/v2"

	gen "postern/generated/aggs"
	"postern/internal/eserr"
	"postern/internal/sketch"
)

// randomSampler gives its sub-aggregations each document with some probability, and
// scales what they count up again.
type randomSampler struct {
	probability float64
	seed        int
	shardSeed   *int
}

type randomSamplerResult struct {
	*randomSampler
	n *node
	*bucket
	rng    *rand.Rand
	gap    int // documents to pass over before the next one of the sample
	scaled bool
}

func parseRandomSampler(c *source) (aggregator, error) {
	r := c.a.RandomSampler
	switch {
	case len(c.within) > 1:
		return nil, eserr.IllegalArgument("[random_sampler] aggregation [%s] cannot have a parent aggregation", c.name)
	case len(c.a.Aggregations) == 0:
		return nil, eserr.IllegalArgument("[random_sampler] aggregation [%s] must have sub-aggregations", c.name)
	case r.Probability == 0:
		return nil, eserr.IllegalArgument("[random_sampler] aggregation [%s] must have [probability] set", c.name)
	}
	if err := onlySampled(c.name, c.a); err != nil {
		return nil, err
	}
	a := &randomSampler{probability: r.Probability, shardSeed: r.ShardSeed}
	if r.Seed != nil {
		a.seed = *r.Seed
		return a, nil
	}
	// Each request without a seed draws another sample.
	c.UsedNow = true
	a.seed = int(int32(sketch.Mix64(uint64(c.Now.UnixNano()))))
	return a, nil
}

// onlySampled refuses sub-aggregations that Elasticsearch can't sample for.
func onlySampled(name string, a *gen.AggregationContainer) error {
	for i := range a.Aggregations {
		sub := &a.Aggregations[i]
		switch sub.Value.Kind {
		case gen.KindNested, gen.KindReverseNested, gen.KindSampler, gen.KindDiversifiedSampler, gen.KindRandomSampler, gen.KindGlobal, gen.KindMissing, gen.KindIPPrefix, gen.KindVariableWidthHistogram:
			return eserr.IllegalArgument("[random_sampler] aggregation [%s] does not support sampling [%s] aggregation [%s]", name, sub.Value.Kind, sub.Key)
		}
		if err := onlySampled(name, &sub.Value); err != nil {
			return err
		}
	}
	return nil
}

func (a *randomSampler) empty(n *node) result {
	seed := uint64(a.seed)
	if a.shardSeed != nil {
		seed ^= sketch.Mix64(uint64(*a.shardSeed))
	}
	r := &randomSamplerResult{randomSampler: a, n: n, bucket: newBucket(n.subs), rng: rand.New(rand.NewPCG(seed, 0))}
	r.gap = r.skip()
	return r
}

// skip draws how many documents lie between two of the sample: their number is
// geometrically distributed.
func (r *randomSamplerResult) skip() int {
	if r.probability == 1 {
		return 0
	}
	return int(math.Log(1-r.rng.Float64()) / math.Log(1-r.probability))
}

func (r *randomSamplerResult) collect(x *collector, s *selection) error {
	if r.probability == 1 {
		return r.bucket.collect(x, s)
	}
	docs := s.docs()
	list := make([]uint32, 0, int(float64(len(docs))*r.probability*1.1)+16)
	for r.gap < len(docs) {
		list = append(list, docs[r.gap])
		r.gap += 1 + r.skip()
	}
	r.gap -= len(docs)
	return r.bucket.collect(x, &selection{seg: s.seg, list: list})
}

func (r *randomSamplerResult) holds() *bucket { return r.bucket }

func (r *randomSamplerResult) merge(other result) {
	r.bucket.merge(other.(*randomSamplerResult).bucket)
}

// scale makes of what the sample has what all documents would have, before pipelines see
// it.
func (r *randomSamplerResult) scale() {
	if r.scaled || r.probability == 1 {
		return
	}
	r.scaled = true
	by := 1 / r.probability
	for i, n := range r.n.subs {
		scaleUp(n, r.subs[i], by)
	}
}

func scaledCount(n int64, by float64) int64 { return int64(math.Floor(float64(n)*by + 0.5)) }

func scaleUp(n *node, r result, by float64) {
	switch x := r.(type) {
	case *sumResult:
		x.sum = kahan{sum: x.sum.sum * by}
	case *valueCountResult:
		x.count = scaledCount(x.count, by)
	case *statsResult:
		x.scale(by)
	case *extendedStatsResult:
		x.scale(by)
		x.squares = kahan{sum: x.squares.sum * by}
	case *geoCentroidResult:
		x.mean() // which is not that of the greater count
		x.count = scaledCount(x.count, by)
	case holder:
		x.holds().scale(n, by)
	case bucketed:
		x.reduce()
		if t, ok := r.(*termsResult); ok {
			t.rest = scaledCount(t.rest, by)
		}
		buckets := x.list().buckets
		for i := range buckets {
			buckets[i].scale(n, by)
		}
	}
}

func (b *bucket) scale(n *node, by float64) {
	b.count = scaledCount(b.count, by)
	for i, sub := range n.subs {
		scaleUp(sub, b.subs[i], by)
	}
}

func (r *statsResult) scale(by float64) {
	r.count, r.sum = scaledCount(r.count, by), kahan{sum: r.sum.sum * by}
}

func (r *randomSamplerResult) appendBody(w *writer) {
	w.int("seed", int64(r.seed))
	if r.shardSeed != nil {
		w.int("shard_seed", int64(*r.shardSeed))
	}
	w.float("probability", r.probability)
	w.bucket(r.n, r.bucket)
}

func (r *randomSamplerResult) prefix() string { return "random_sampler" }
