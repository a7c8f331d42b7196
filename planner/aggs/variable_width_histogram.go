package aggs

import (
	"cmp"
	"math"
	"slices"

	"postern/internal/eserr"
	"postern/internal/mapping"

	gen "postern/generated/aggs"
)

// variableWidth is a histogram whose buckets are clusters of values: as many as asked
// for, by merging the nearest ones.
type variableWidth struct {
	v                        *values
	target, clusters, buffer int
}

// variableWidthResult keeps values until all documents have been seen. The first ones
// are clustered by their order; later ones join the nearest cluster or, while there is
// room for more clusters, begin one when they are far from it.
type variableWidthResult struct {
	*variableWidth
	answered
	n       *node
	found   []clusterValue
	places  []samplePlace
	waiting bool
	list    []*cluster // by centre
}

type clusterValue struct {
	value float64
	place int32
	doc   uint32
	in    *cluster
}

// cluster is some values that lie together.
type cluster struct {
	centre, min, max float64
	*bucket
	size int64
}

const (
	defaultClusters    = 10
	clustersPerBucket  = 50
	maxClusterBuffer   = 50000
	bufferedPerCluster = 10
)

func parseVariableWidth(c *source) (aggregator, error) {
	a := c.a.VariableWidthHistogram
	v, err := c.values(wanted{field: a.Field, missing: a.Missing, numeric: true, unmapped: mapping.KindDouble})
	if err != nil {
		return nil, err
	}
	if f := v.field; f != nil && (v.format.dates != nil || v.format.boolean) {
		return nil, eserr.IllegalArgument("Field [%s] of type [%s] is not supported for aggregation [variable_width_histogram]", f.Name, f.Type)
	}
	for _, kind := range c.within[:len(c.within)-1] {
		if hasManyBuckets(kind) || kind == gen.KindComposite {
			return nil, eserr.IllegalArgument("[variable_width_histogram] cannot be nested inside an aggregation that collects more than a single bucket.")
		}
	}
	out := &variableWidth{v: v, target: defaultClusters}
	if a.Buckets != nil {
		out.target = *a.Buckets
	}
	out.clusters = out.target * clustersPerBucket
	if a.ShardSize != nil {
		out.clusters = *a.ShardSize
	}
	out.buffer = min(out.clusters*bufferedPerCluster, maxClusterBuffer)
	if a.InitialBuffer != nil {
		out.buffer = *a.InitialBuffer
	}
	return out, nil
}

func (a *variableWidth) empty(n *node) result { return &variableWidthResult{variableWidth: a, n: n} }

func (r *variableWidthResult) collect(x *collector, s *selection) error {
	docs, vals := x.readDoubles(r.v, s)
	if len(vals) == 0 {
		return nil
	}
	if !r.waiting {
		r.waiting = true
		x.tree.postponed = append(x.tree.postponed, r)
	}
	place := int32(len(r.places))
	r.places = append(r.places, samplePlace{x.kept(), selection{seg: s.seg}})
	for i, v := range vals {
		r.found = append(r.found, clusterValue{value: v, place: place, doc: docs[i]})
	}
	return nil
}

func (r *variableWidthResult) finish() error {
	r.waiting = false
	r.cluster()
	for at := 0; at < len(r.found); {
		// The documents of one place, by cluster.
		end := at
		lists := map[*cluster][]uint32{}
		for ; end < len(r.found) && r.found[end].place == r.found[at].place; end++ {
			f := &r.found[end]
			lists[f.in] = append(lists[f.in], f.doc)
		}
		p := &r.places[r.found[at].place]
		for _, c := range r.list {
			if docs := lists[c]; docs != nil {
				c.count += int64(len(docs))
				if err := c.collectSubs(p.x, &selection{seg: p.s.seg, list: slices.Compact(docs)}); err != nil {
					return err
				}
			}
		}
		at = end
	}
	r.found, r.places = nil, nil
	return nil
}

// cluster puts each value into a cluster.
func (r *variableWidthResult) cluster() {
	first := r.found[:min(len(r.found), r.buffer)]
	order := make([]int, len(first))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(first[a].value, first[b].value) })
	most := max(1, r.clusters*3/4) // leaves room for clusters of values far from all
	perCluster := (len(first) + most - 1) / most
	for i, at := range order {
		if i%perCluster == 0 {
			r.list = append(r.list, r.newCluster(first[at].value))
			first[at].in = r.list[len(r.list)-1]
			continue
		}
		first[at].in = r.list[len(r.list)-1]
		first[at].in.add(first[at].value)
	}
	distance := r.distance()
	for i := len(first); i < len(r.found); i++ {
		f := &r.found[i]
		at := r.nearest(f.value)
		c := r.list[at]
		if math.Abs(c.centre-f.value) > 2*distance && len(r.list) < r.clusters {
			f.in = r.newCluster(f.value)
			if f.value > c.centre {
				at++
			}
			r.list = slices.Insert(r.list, at, f.in)
			distance = r.distance()
			continue
		}
		c.add(f.value)
		f.in = c
	}
}

func (r *variableWidthResult) newCluster(v float64) *cluster {
	return &cluster{v, v, v, newBucket(r.n.subs), 1}
}

func (c *cluster) add(v float64) {
	c.size++
	c.centre += (v - c.centre) / float64(c.size)
	c.min, c.max = min(c.min, v), max(c.max, v)
}

// distance is the mean distance between neighbours.
func (r *variableWidthResult) distance() float64 {
	n := len(r.list)
	if n < 2 {
		return 0
	}
	return (r.list[n-1].centre - r.list[0].centre) / float64(n-1)
}

func (r *variableWidthResult) nearest(v float64) int {
	at, found := slices.BinarySearchFunc(r.list, v, func(c *cluster, v float64) int { return cmp.Compare(c.centre, v) })
	switch {
	case found || at == 0:
		return at
	case at == len(r.list), v-r.list[at-1].centre <= r.list[at].centre-v:
		return at - 1
	}
	return at
}

func (r *variableWidthResult) merge(other result) {
	o := other.(*variableWidthResult)
	if r.v.hasNothing() && !o.v.hasNothing() {
		r.variableWidth = o.variableWidth
	}
	r.list = append(r.list, o.list...)
}

func (c *cluster) join(o *cluster) {
	if n := c.count + o.count; n > 0 {
		c.centre = (c.centre*float64(c.count) + o.centre*float64(o.count)) / float64(n)
	}
	c.min, c.max = min(c.min, o.min), max(c.max, o.max)
	c.bucket.merge(o.bucket)
}

// reduce merges clusters with the same centre, then the nearest ones until few enough
// are left.
func (r *variableWidthResult) reduce() {
	if !r.begin() {
		return
	}
	slices.SortStableFunc(r.list, func(a, b *cluster) int { return cmp.Compare(a.centre, b.centre) })
	kept := r.list[:0]
	for _, c := range r.list {
		if n := len(kept); n > 0 && kept[n-1].centre == c.centre {
			kept[n-1].join(c)
			continue
		}
		kept = append(kept, c)
	}
	for len(kept) > r.target {
		at := 0
		for i := 1; i < len(kept)-1; i++ {
			if kept[i+1].centre-kept[i].centre < kept[at+1].centre-kept[at].centre {
				at = i
			}
		}
		kept[at].join(kept[at+1])
		kept = slices.Delete(kept, at+1, at+2)
	}
	r.list = kept
	for i, c := range kept {
		if i > 0 && c.min < kept[i-1].max {
			// Buckets that overlap meet in the middle.
			middle := (c.min + kept[i-1].max) / 2
			kept[i-1].max, c.min = middle, middle
		}
		r.buckets = append(r.buckets, answerBucket{long: int64(i), bucket: c.bucket})
	}
}

func (r *variableWidthResult) appendBody(w *writer) {
	r.reduce()
	w.bucketList(len(r.buckets), nil, func(i int) {
		c := r.list[r.buckets[i].long]
		w.float("min", c.min)
		w.float("key", c.centre)
		w.float("max", c.max)
		w.bucket(r.n, c.bucket)
	})
}

func (r *variableWidthResult) prefix() string { return "variable_width_histogram" }
