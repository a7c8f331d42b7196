package aggs

import (
	"slices"

	gen "postern/generated/aggs"
	"postern/internal/decimalformat"
	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// pipe is one named pipeline aggregation, which computes on the results of others once
// all is collected; it is immutable.
type pipe struct {
	name string
	meta []byte
	key  []byte
	// paths are what it reads, as they were written.
	paths []string
	gap   gen.GapPolicy
	// format shows its values as text, if asked for.
	format format
	// Exactly one of these is set: a sibling reads aggregations beside it, a parent the
	// buckets that it stands in.
	sibling siblingPipeline
	parent  parentPipeline
}

// siblingPipeline makes one result of the values of other aggregations' buckets.
type siblingPipeline interface {
	combine(p *pipe, keys []string, vals []float64) appender
}

// parentPipeline adds a result to each bucket of an aggregation, or rearranges them.
type parentPipeline interface {
	apply(p *pipe, n *node, r bucketed) error
}

// addition is the result of a pipeline.
type addition struct {
	pipe   *pipe
	result appender
}

// pipeOf gives the pipeline of a request, nil for an aggregation that collects documents:
// one line a pipeline aggregation.
func pipeOf(a *gen.AggregationContainer) (p *pipe, path *gen.BucketsPath, pattern *string) {
	switch a.Kind {
	case gen.KindAvgBucket:
		x := a.AvgBucket
		return &pipe{gap: x.GapPolicy, sibling: avgBucket{}}, x.BucketsPath, x.Format
	case gen.KindSumBucket:
		x := a.SumBucket
		return &pipe{gap: x.GapPolicy, sibling: sumBucket{}}, x.BucketsPath, x.Format
	case gen.KindMinBucket:
		x := a.MinBucket
		return &pipe{gap: x.GapPolicy, sibling: extremeBucket{}}, x.BucketsPath, x.Format
	case gen.KindMaxBucket:
		x := a.MaxBucket
		return &pipe{gap: x.GapPolicy, sibling: extremeBucket{greatest: true}}, x.BucketsPath, x.Format
	case gen.KindStatsBucket:
		x := a.StatsBucket
		return &pipe{gap: x.GapPolicy, sibling: statsBucket{}}, x.BucketsPath, x.Format
	case gen.KindExtendedStatsBucket:
		x := a.ExtendedStatsBucket
		return &pipe{gap: x.GapPolicy, sibling: newExtendedStatsBucket(x)}, x.BucketsPath, x.Format
	case gen.KindPercentilesBucket:
		x := a.PercentilesBucket
		return &pipe{gap: x.GapPolicy, sibling: newPercentilesBucket(x)}, x.BucketsPath, x.Format
	case gen.KindCumulativeSum:
		x := a.CumulativeSum
		return &pipe{parent: cumulativeSum{}}, x.BucketsPath, x.Format
	case gen.KindCumulativeCardinality:
		x := a.CumulativeCardinality
		return &pipe{gap: x.GapPolicy, parent: cumulativeCardinality{}}, x.BucketsPath, x.Format
	case gen.KindDerivative:
		x := a.Derivative
		return &pipe{gap: x.GapPolicy, parent: newDerivative(x)}, x.BucketsPath, x.Format
	case gen.KindSerialDiff:
		x := a.SerialDiff
		return &pipe{gap: x.GapPolicy, parent: newSerialDiff(x)}, x.BucketsPath, x.Format
	case gen.KindNormalize:
		x := a.Normalize
		return &pipe{gap: x.GapPolicy, parent: normalize{x.Method}}, x.BucketsPath, x.Format
	case gen.KindMovingPercentiles:
		x := a.MovingPercentiles
		return &pipe{parent: newMovingPercentiles(x)}, x.BucketsPath, nil
	case gen.KindBucketCorrelation:
		x := a.BucketCorrelation
		return &pipe{sibling: newBucketCorrelation(x)}, x.BucketsPath, nil
	case gen.KindBucketSort:
		x := a.BucketSort
		return &pipe{gap: x.GapPolicy, parent: newBucketSort(x)}, nil, nil
	}
	return nil, nil, nil
}

// parsePipe reads a pipeline aggregation; nil for another one.
func parsePipe(name string, a *gen.AggregationContainer) (*pipe, error) {
	p, path, pattern := pipeOf(a)
	if p == nil {
		return nil, nil
	}
	p.name, p.key = name, keyOf(name, a)
	if a.Meta.Exists() {
		p.meta = jsonx.Compact(nil, a.Meta)
	}
	if p.gap == 0 {
		p.gap = gen.GapPolicySkip
	}
	if pattern != nil {
		f, err := decimalformat.Parse(*pattern)
		if err != nil {
			return nil, eserr.IllegalArgument("%s", err.Error())
		}
		p.format.decimal = f
	}
	p.paths = pathsOf(a, path)
	return p, nil
}

// pathsOf lists what a pipeline reads.
func pathsOf(a *gen.AggregationContainer, path *gen.BucketsPath) []string {
	if a.Kind == gen.KindBucketSort {
		var paths []string
		for i := range a.BucketSort.Sort {
			paths = append(paths, sortPath(&a.BucketSort.Sort[i]))
		}
		return paths
	}
	switch {
	case path == nil:
		return nil
	case path.Text != nil:
		return []string{*path.Text}
	}
	return path.List
}

// inOrder puts each pipeline after those that it reads. There are no cycles: Check has
// refused them.
func inOrder(pipes []*pipe) []*pipe {
	out := make([]*pipe, 0, len(pipes))
	var visit func(p *pipe)
	visit = func(p *pipe) {
		if slices.Contains(out, p) {
			return
		}
		for _, text := range p.paths {
			path, err := parsePath(text)
			if err != nil {
				continue
			}
			for _, q := range pipes {
				if q != p && q.name == path[0].name {
					visit(q)
				}
			}
		}
		out = append(out, p)
	}
	for _, p := range pipes {
		visit(p)
	}
	return out
}

// reduce fixes the buckets of all results and runs the pipelines, from inside out.
func (t *Tree) reduce() error {
	for _, r := range t.results {
		if s, ok := r.(*randomSamplerResult); ok {
			s.scale()
		}
	}
	if !hasPipes(t.plan, t.pipes) {
		return nil
	}
	b := &bucket{subs: t.results}
	if err := reduceBucket(t.plan, t.pipes, b); err != nil {
		return err
	}
	t.added = b.added
	return nil
}

func hasPipes(nodes []*node, pipes []*pipe) bool {
	return len(pipes) > 0 || slices.ContainsFunc(nodes, func(n *node) bool { return hasPipes(n.subs, n.pipes) })
}

func reduceBucket(nodes []*node, pipes []*pipe, b *bucket) error {
	for i, n := range nodes {
		if err := reduceResult(n, b.subs[i]); err != nil {
			return err
		}
	}
	for _, p := range pipes {
		if p.sibling == nil {
			continue // runs on the buckets as a whole
		}
		keys, vals, err := p.collect(&scope{nodes, b})
		if err != nil {
			return err
		}
		b.added = append(b.added, addition{p, p.sibling.combine(p, keys, vals)})
	}
	return nil
}

func reduceResult(n *node, r result) error {
	if s, ok := r.(holder); ok {
		return reduceBucket(n.subs, n.pipes, s.holds())
	}
	list, ok := r.(bucketed)
	if !ok {
		return nil
	}
	list.reduce()
	buckets := list.list().buckets
	// Bucket by bucket first what lies within, then pipeline by pipeline what is here.
	var siblings []*pipe
	for _, p := range n.pipes {
		if p.sibling != nil {
			siblings = append(siblings, p)
		}
	}
	for i := range buckets {
		if err := reduceBucket(n.subs, siblings, buckets[i].bucket); err != nil {
			return err
		}
	}
	for _, p := range n.pipes {
		if p.parent == nil {
			continue
		}
		if err := p.parent.apply(p, n, list); err != nil {
			return err
		}
	}
	return nil
}
