// Package aggs evaluates aggregations on columns. Every aggregation has a file of its own
// that parses it, collects documents, merges what was collected, and writes the answer.
package aggs

import (
	"maps"
	"slices"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	gen "postern/generated/aggs"
	"postern/internal/datemath"
	"postern/internal/eserr"
	"postern/internal/geodesy"
	"postern/internal/javamap"
	"postern/internal/jsonx"
	"postern/internal/segment"
	"postern/planner/query"
)

// Tree is the aggregations of one request on one index, and what they have collected. It
// is not safe for concurrent use.
type Tree struct {
	plan    []*node
	pipes   []*pipe
	results []result
	added   []addition
	took    []time.Duration // collecting, by aggregation
	merged  bool
	// postponed collect when all documents have been seen.
	postponed   []postponed
	backgrounds []*significance
}

// postponed is a result that looks at its documents once it has seen all.
type postponed interface{ finish() error }

// Finish collects what had to wait until all parts have been collected.
func (t *Tree) Finish(x *query.Exec) error {
	for _, b := range t.backgrounds {
		if err := b.count(x); err != nil {
			return err
		}
	}
	for len(t.postponed) > 0 {
		list := t.postponed
		t.postponed = nil // finishing may postpone what lies within
		for _, p := range list {
			if err := p.finish(); err != nil {
				return err
			}
		}
	}
	return nil
}

// node is one named aggregation; it is immutable.
type node struct {
	name string
	typ  string // as the request names it
	meta []byte // compact JSON, nil without
	agg  aggregator
	subs []*node
	// pipes are the pipeline aggregations among the sub-aggregations, each after those
	// that it reads.
	pipes []*pipe
	zeros bool // terms that no document has are listed here or below
	// hashed is the order of subs in buckets that Elasticsearch has reduced: that of a
	// Java map.
	hashed []int
	key    []byte // canonical bytes of what was asked
}

// aggregator is one parsed aggregation.
type aggregator interface {
	// empty is what nothing collected looks like.
	empty(n *node) result
}

// result is what one aggregation has collected for one bucket of its parent.
type result interface {
	// collect adds documents of one segment.
	collect(x *collector, s *selection) error
	// merge adds what the same aggregation collected elsewhere.
	merge(other result)
	appender
}

// appender is a part of the answer.
type appender interface {
	// appendBody appends the members of the answer, without braces.
	appendBody(w *writer)
	// prefix is the name of the result's kind under typed_keys.
	prefix() string
}

// parsing is what all aggregations of a request are parsed with.
type parsing struct {
	*query.Context
	hits HitsPlanner
	// within are the kinds of the aggregations that the one being parsed stands in.
	within []gen.AggregationContainerKind
	// rounding is that of the nearest date histogram around.
	rounding *datemath.Rounding
	// backgrounds are what significant terms are compared with.
	backgrounds []*significance
}

// Parse reads the aggregations of a request for one index. Errors are *eserr.Error. Without
// a planner of hits top_hits is refused.
func Parse(c *query.Context, list []jsonx.Pair[gen.AggregationContainer], hits HitsPlanner) (*Tree, error) {
	p := &parsing{Context: c, hits: hits}
	plan, pipes, err := p.all(list, "")
	if err != nil {
		return nil, err
	}
	t := &Tree{plan: plan, backgrounds: p.backgrounds, pipes: pipes, results: make([]result, len(plan)), took: make([]time.Duration, len(plan))}
	for i, n := range plan {
		t.results[i] = n.agg.empty(n)
	}
	return t, nil
}

func (c *parsing) all(list []jsonx.Pair[gen.AggregationContainer], parent string) ([]*node, []*pipe, error) {
	nodes := make([]*node, 0, len(list))
	var pipes []*pipe
	for i := range list {
		p, err := parsePipe(list[i].Key, &list[i].Value)
		if err != nil {
			return nil, nil, err
		}
		if p != nil {
			pipes = append(pipes, p)
			continue
		}
		n, err := c.one(list[i].Key, &list[i].Value, parent)
		if err != nil {
			return nil, nil, err
		}
		nodes = append(nodes, n)
	}
	return nodes, inOrder(pipes), nil
}

// source is what the parsers of aggregations are given.
type source struct {
	*parsing
	name string
	a    *gen.AggregationContainer
	subs func() ([]*node, error)
}

func (c *parsing) one(name string, a *gen.AggregationContainer, parent string) (*node, error) {
	if a.Kind == gen.KindGlobal && parent != "" {
		return nil, eserr.IllegalArgument("Aggregation [%s] cannot have a global sub-aggregation [%s]. Global aggregations can only be defined as top level aggregations", parent, name)
	}
	parse := parserOf(a.Kind)
	if parse == nil {
		return nil, eserr.Refused("[%s] aggregation is not supported", a.Kind)
	}
	n := &node{name: name, typ: a.Kind.String(), key: keyOf(name, a)}
	if a.Meta.Exists() {
		n.meta = jsonx.Compact(nil, a.Meta)
	}
	src := &source{c, name, a, func() (subs []*node, err error) {
		n.subs, n.pipes, err = c.all(a.Aggregations, name)
		return n.subs, err
	}}
	within := c.within
	c.within = append(within[:len(within):len(within)], a.Kind)
	defer func() { c.within = within }()
	agg, err := parse(src)
	if err != nil {
		return nil, err
	}
	n.agg = agg
	if n.subs == nil && len(a.Aggregations) > 0 {
		if n.subs, n.pipes, err = c.all(a.Aggregations, name); err != nil {
			return nil, err
		}
	}
	n.hashed = hashedOrder(n.subs)
	t, isTerms := agg.(*terms)
	n.zeros = isTerms && t.minCount == 0 || slices.ContainsFunc(n.subs, func(sub *node) bool { return sub.zeros })
	return n, nil
}

func hashedOrder(nodes []*node) []int {
	names := make([]string, len(nodes))
	for i, n := range nodes {
		names[i] = n.name
	}
	return javamap.Order(names)
}

// parserOf is the registry: one line an aggregation.
func parserOf(kind gen.AggregationContainerKind) func(*source) (aggregator, error) {
	switch kind {
	case gen.KindAdjacencyMatrix:
		return parseAdjacencyMatrix
	case gen.KindAutoDateHistogram:
		return parseAutoDateHistogram
	case gen.KindAvg:
		return parseAvg
	case gen.KindBoxplot:
		return parseBoxplot
	case gen.KindCardinality:
		return parseCardinality
	case gen.KindComposite:
		return parseComposite
	case gen.KindDateHistogram:
		return parseDateHistogram
	case gen.KindDateRange:
		return parseDateRange
	case gen.KindDiversifiedSampler:
		return parseDiversifiedSampler
	case gen.KindExtendedStats:
		return parseExtendedStats
	case gen.KindFilter:
		return parseFilter
	case gen.KindFilters:
		return parseFilters
	case gen.KindGeoBounds:
		return parseGeoBounds
	case gen.KindGeoCentroid:
		return parseGeoCentroid
	case gen.KindGeoDistance:
		return parseGeoDistance
	case gen.KindGeohashGrid:
		return parseGeohashGrid
	case gen.KindGeotileGrid:
		return parseGeotileGrid
	case gen.KindGeoLine:
		return parseGeoLine
	case gen.KindGlobal:
		return parseGlobal
	case gen.KindHistogram:
		return parseHistogram
	case gen.KindIPPrefix:
		return parseIPPrefix
	case gen.KindIPRange:
		return parseIPRange
	case gen.KindMatrixStats:
		return parseMatrixStats
	case gen.KindMax:
		return parseMax
	case gen.KindMedianAbsoluteDeviation:
		return parseMedianAbsoluteDeviation
	case gen.KindMin:
		return parseMin
	case gen.KindMissing:
		return parseMissing
	case gen.KindMultiTerms:
		return parseMultiTerms
	case gen.KindNested:
		return parseNested
	case gen.KindPercentileRanks:
		return parsePercentileRanks
	case gen.KindPercentiles:
		return parsePercentiles
	case gen.KindRange:
		return parseRange
	case gen.KindRareTerms:
		return parseRareTerms
	case gen.KindRate:
		return parseRate
	case gen.KindReverseNested:
		return parseReverseNested
	case gen.KindRandomSampler:
		return parseRandomSampler
	case gen.KindSampler:
		return parseSampler
	case gen.KindSignificantTerms:
		return parseSignificantTerms
	case gen.KindSignificantText:
		return parseSignificantText
	case gen.KindStats:
		return parseStats
	case gen.KindStringStats:
		return parseStringStats
	case gen.KindSum:
		return parseSum
	case gen.KindTerms:
		return parseTerms
	case gen.KindTopHits:
		return parseTopHits
	case gen.KindTopMetrics:
		return parseTopMetrics
	case gen.KindTTest:
		return parseTTest
	case gen.KindValueCount:
		return parseValueCount
	case gen.KindVariableWidthHistogram:
		return parseVariableWidth
	case gen.KindWeightedAvg:
		return parseWeightedAvg
	}
	return nil
}

// Collect adds the documents of one part; docs are its live matches.
func (t *Tree) Collect(x *query.Exec, p segment.Part, docs *roaring.Bitmap) error {
	c := &collector{exec: x, root: p, tree: t}
	s := &selection{seg: p.Segment, bits: docs}
	for i, r := range t.results {
		start := time.Now()
		if err := r.collect(c, s); err != nil {
			return err
		}
		t.took[i] += time.Since(start)
	}
	return nil
}

// Timing is how long an aggregation took to collect.
type Timing struct {
	Name, Type string
	Took       time.Duration
}

// Timings are those of the aggregations, in their order.
func (t *Tree) Timings() []Timing {
	list := make([]Timing, len(t.plan))
	for i, n := range t.plan {
		list[i] = Timing{n.name, n.typ, t.took[i]}
	}
	return list
}

// Merge adds what the same request collected on another index.
func (t *Tree) Merge(other *Tree) {
	t.merged = true
	for i, r := range t.results {
		r.merge(other.results[i])
	}
}

// AppendJSON appends the object of all results, keyed by name or, with typed keys, by
// kind and name. It fails when the answer would have too many buckets.
func (t *Tree) AppendJSON(dst []byte, typedKeys bool) ([]byte, error) {
	if err := t.reduce(); err != nil {
		return dst, err
	}
	w := &writer{b: append(dst, '{'), typed: typedKeys, open: true}
	var order []int
	if t.merged {
		order = hashedOrder(t.plan)
	}
	w.subs(t.plan, t.results, order)
	w.added(t.added)
	w.b = append(w.b, '}')
	if w.err != nil {
		return dst, w.err
	}
	if w.buckets > maxBuckets {
		return dst, tooManyBuckets()
	}
	return w.b, nil
}

// maxBuckets is the default of search.max_buckets.
const maxBuckets = 65536

func tooManyBuckets() *eserr.Error {
	return (&eserr.Error{Status: 400, Type: "too_many_buckets_exception",
		Reason: "Trying to create too many buckets. Must be less than or equal to: [65536] but this number of buckets was exceeded. This limit can be set by changing the [search.max_buckets] cluster level setting."}).WithInt("max_buckets", maxBuckets)
}

// collector is the evaluation of one part.
type collector struct {
	exec *query.Exec
	// root is the part, whatever nested documents the aggregation at hand is about.
	root segment.Part
	tree *Tree
	// above tells where nested documents lie that aggregations have gone down to.
	above map[*segment.Segment]enclosing
	// global is set where documents are not those of the query.
	global  bool
	longs   []int64
	doubles []float64
	docs    []uint32
	points  []geodesy.Point
}

// enclosing is where the documents of a nested segment lie.
type enclosing struct {
	seg    *segment.Segment
	parent []uint32
	path   string
}

// kept is a collector for what is collected later, in the same place.
func (x *collector) kept() *collector {
	return &collector{exec: x.exec, root: x.root, tree: x.tree, above: maps.Clone(x.above), global: x.global}
}

func (x *collector) descend(from *segment.Segment, to *segment.Children, path string) {
	if x.above == nil {
		x.above = map[*segment.Segment]enclosing{}
	}
	x.above[to.Segment] = enclosing{from, to.Parent, path}
}

// path is the nested path of a segment's documents, "" for whole ones.
func (x *collector) path(s *segment.Segment) string { return x.above[s].path }

// live selects all live documents of a segment: the part's, or nested ones.
func (x *collector) live(s *segment.Segment) *selection {
	p := segment.Part{Segment: s}
	if s == x.root.Segment {
		p.Live = x.root.Live
	}
	if p.Live != nil {
		return &selection{seg: s, bits: p.Live}
	}
	all := roaring.New()
	all.AddRange(0, uint64(s.Len()))
	return &selection{seg: s, bits: all}
}

// selection is documents of a segment: a bitmap, a list, or both of the same.
type selection struct {
	seg  *segment.Segment
	bits *roaring.Bitmap
	list []uint32
}

func (s *selection) len() int {
	if s.list != nil || s.bits == nil {
		return len(s.list)
	}
	return int(s.bits.GetCardinality())
}

// docs lists the documents, ascending.
func (s *selection) docs() []uint32 {
	if s.list == nil && s.bits != nil {
		s.list = s.bits.ToArray()
	}
	return s.list
}

// whole reports whether the selection is all documents of the segment.
func (s *selection) whole() bool { return s.len() == s.seg.Len() }

// and is the part of the selection that is in a bitmap.
func (s *selection) and(b *roaring.Bitmap) *selection {
	if b == nil {
		return &selection{seg: s.seg, list: []uint32{}}
	}
	if s.bits != nil {
		return &selection{seg: s.seg, bits: roaring.And(s.bits, b)}
	}
	return &selection{seg: s.seg, list: intersect(s.list, b, true)}
}

// andNot is the part that is not in a bitmap.
func (s *selection) andNot(b *roaring.Bitmap) *selection {
	switch {
	case b == nil:
		return s
	case s.bits != nil:
		return &selection{seg: s.seg, bits: roaring.AndNot(s.bits, b)}
	}
	return &selection{seg: s.seg, list: intersect(s.list, b, false)}
}

func intersect(docs []uint32, b *roaring.Bitmap, in bool) []uint32 {
	out := make([]uint32, 0, len(docs))
	for _, d := range docs {
		if b.Contains(d) == in {
			out = append(out, d)
		}
	}
	return out
}

// bucket is a count and the results of the sub-aggregations.
type bucket struct {
	count int64
	subs  []result
	added []addition
	// merged tells of a bucket that several indices had, filled of one that only the
	// answer has, between others.
	merged, filled bool
	// zeros says that sub-aggregations list terms even where there is no document.
	zeros bool
}

func newBucket(subs []*node) *bucket {
	b := &bucket{}
	if len(subs) > 0 {
		b.subs = make([]result, len(subs))
		for i, n := range subs {
			b.subs[i] = n.agg.empty(n)
			b.zeros = b.zeros || n.zeros
		}
	}
	return b
}

func (b *bucket) collect(x *collector, s *selection) error {
	b.count += int64(s.len())
	return b.collectSubs(x, s)
}

func (b *bucket) collectSubs(x *collector, s *selection) error {
	if len(b.subs) == 0 || s.len() == 0 && !b.zeros {
		return nil
	}
	if err := x.exec.Alive(); err != nil {
		return err
	}
	for _, r := range b.subs {
		if err := r.collect(x, s); err != nil {
			return err
		}
	}
	return nil
}

func (b *bucket) merge(o *bucket) {
	b.merged = b.merged || b.count > 0 && o.count > 0
	b.count += o.count
	for i, r := range b.subs {
		r.merge(o.subs[i])
	}
}

func find(subs []*node, name string) int {
	return slices.IndexFunc(subs, func(n *node) bool { return n.name == name })
}
