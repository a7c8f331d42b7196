package query

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
)

// boolean combines clauses as Lucene's BooleanQuery does.
type boolean struct {
	must, filter, should, mustNot []Node
	// need is how many should clauses must match; it is 1 where nothing else is
	// required, and may exceed their number, when nothing matches.
	need int
}

// newBoolean builds the smallest node that means the same. need is the asked number of
// should clauses; 0 leaves it to Lucene's rule, one when nothing else is required.
func newBoolean(must, filter, should, mustNot []Node, need int) Node {
	if len(must)+len(filter)+len(should)+len(mustNot) == 0 {
		return matchAll{}
	}
	if need == 0 && len(should) > 0 && len(must) == 0 && len(filter) == 0 {
		need = 1
	}
	if need > len(should) || slices.ContainsFunc(must, IsMatchNone) || slices.ContainsFunc(filter, IsMatchNone) {
		return matchNone{}
	}
	mustNot = slices.DeleteFunc(slices.Clone(mustNot), IsMatchNone)
	should = slices.DeleteFunc(slices.Clone(should), IsMatchNone)
	if need > len(should) || slices.ContainsFunc(mustNot, IsMatchAll) {
		return matchNone{}
	}
	if len(mustNot) == 0 && len(filter) == 0 {
		switch {
		case len(must) == 1 && len(should) == 0:
			return must[0]
		case len(must) == 0 && len(should) == 1:
			return should[0]
		}
	}
	return &boolean{must, filter, should, mustNot, need}
}

func (n *boolean) AppendKey(dst []byte) []byte {
	dst = appendNodes(append(dst, "bool("...), n.must)
	dst = appendNodeSet(append(dst, ','), n.filter)
	dst = appendNodes(append(dst, ','), n.should)
	dst = appendNodeSet(append(dst, ','), n.mustNot)
	return append(strconv.AppendInt(append(dst, ','), int64(n.need), 10), ')')
}

func (n *boolean) match(x *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	var required []*roaring.Bitmap
	var tests []test
	for _, clauses := range [][]Node{n.filter, n.must} {
		for _, c := range clauses {
			if t := testOf(c, s); t != nil {
				tests = append(tests, test{c, t})
				continue
			}
			docs, err := x.match(c, s)
			if err != nil {
				return nil, err
			}
			if docs.IsEmpty() {
				return nothing, nil
			}
			if !IsMatchAll(c) {
				required = append(required, docs)
			}
		}
	}
	if n.need > 0 {
		docs, err := n.matchShould(x, s)
		if err != nil {
			return nil, err
		}
		if docs.IsEmpty() {
			return nothing, nil
		}
		required = append(required, docs)
	}
	var excluded []*roaring.Bitmap
	for _, c := range n.mustNot {
		docs, err := x.match(c, s)
		if err != nil {
			return nil, err
		}
		if !docs.IsEmpty() {
			excluded = append(excluded, docs)
		}
	}
	docs, err := withTests(x, s, intersect(required), tests)
	if err != nil {
		return nil, err
	}
	return without(docs, excluded), nil
}

// test is a clause that can also be asked of single documents.
type test struct {
	node Node
	ask  func(doc uint32) bool
}

// testOf is the test of a range on a column with at most one value a document, which
// costs a look at every document as a bitmap.
func testOf(n Node, s *segment.Segment) func(doc uint32) bool {
	switch n := n.(type) {
	case *longRange:
		return n.test(s)
	case *doubleRange:
		return n.test(s)
	case *constantScore:
		return testOf(n.inner, s)
	case *boosted:
		return testOf(n.inner, s)
	}
	return nil
}

// withTests restricts docs, nil for all, by further clauses: one document at a time when
// few are left, as bitmaps otherwise.
func withTests(x *Exec, s *segment.Segment, docs *roaring.Bitmap, tests []test) (*roaring.Bitmap, error) {
	if len(tests) == 0 && docs == nil {
		return x.every(s), nil
	}
	if docs != nil && len(tests) > 0 && docs.GetCardinality()*16 < uint64(s.Len()) {
		kept := make([]uint32, 0, docs.GetCardinality())
		each(docs, func(doc uint32) {
			for i := range tests {
				if !tests[i].ask(doc) {
					return
				}
			}
			kept = append(kept, doc)
		})
		return roaring.BitmapOf(kept...), nil
	}
	var sets []*roaring.Bitmap
	if docs != nil {
		sets = append(sets, docs)
	}
	for _, t := range tests {
		more, err := x.match(t.node, s)
		if err != nil {
			return nil, err
		}
		sets = append(sets, more)
	}
	return intersect(sets), nil
}

func (n *boolean) matchShould(x *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	sets := make([]*roaring.Bitmap, 0, len(n.should))
	for _, c := range n.should {
		docs, err := x.match(c, s)
		if err != nil {
			return nil, err
		}
		if !docs.IsEmpty() {
			sets = append(sets, docs)
		}
	}
	return atLeast(n.need, sets, s.Len()), nil
}

// intersect returns the documents in all sets, nil for no sets. Small sets come first,
// so that the work is bounded by the most selective clause.
func intersect(sets []*roaring.Bitmap) *roaring.Bitmap {
	switch len(sets) {
	case 0:
		return nil
	case 1:
		return sets[0]
	}
	slices.SortFunc(sets, func(a, b *roaring.Bitmap) int {
		return cmp.Compare(a.GetCardinality(), b.GetCardinality())
	})
	docs := roaring.And(sets[0], sets[1])
	for _, s := range sets[2:] {
		docs.And(s)
	}
	return docs
}

// without returns docs less every excluded set.
func without(docs *roaring.Bitmap, excluded []*roaring.Bitmap) *roaring.Bitmap {
	if len(excluded) == 0 {
		return docs
	}
	docs = roaring.AndNot(docs, excluded[0])
	for _, e := range excluded[1:] {
		docs.AndNot(e)
	}
	return docs
}

// atLeast returns the documents that lie in at least need (≥ 1) of the sets.
func atLeast(need int, sets []*roaring.Bitmap, n int) *roaring.Bitmap {
	switch {
	case need > len(sets):
		return nothing
	case need == 1:
		return union(sets)
	case need == len(sets):
		return intersect(sets)
	}
	counts := make([]uint16, n)
	for _, set := range sets {
		each(set, func(doc uint32) { counts[doc]++ })
	}
	docs := make([]uint32, 0, 64)
	for doc, c := range counts {
		if int(c) >= need {
			docs = append(docs, uint32(doc))
		}
	}
	return roaring.BitmapOf(docs...)
}

// union returns the documents in any of the sets; one set alone is returned itself.
func union(sets []*roaring.Bitmap) *roaring.Bitmap {
	switch len(sets) {
	case 0:
		return nothing
	case 1:
		return sets[0]
	case 2:
		return roaring.Or(sets[0], sets[1])
	}
	return roaring.FastOr(sets...)
}

func (n *boolean) scorer(x *Exec, boost float32) (scorer, error) {
	req, err := scorers(x, n.must, boost)
	if err != nil {
		return nil, err
	}
	opt, err := scorers(x, n.should, boost)
	if err != nil {
		return nil, err
	}
	for i, c := range n.should {
		opt[i] = optional(c, opt[i])
	}
	switch {
	case len(req) == 0 && len(opt) == 0:
		return zeroScorer{}, nil
	case len(opt) == 0:
		return sum(req, n), nil
	case len(req) == 0:
		return sum(opt, n), nil
	case n.need > 0:
		// Lucene then runs the should clauses as one more required scorer.
		return sumScorer{sumScorer(req), sumScorer(opt)}, nil
	}
	return reqOptScorer{sumScorer(req), sumScorer(opt)}, nil
}

// sum adds up scorers; clauses that always give the same score keep that property
// where every match has all of them.
func sum(subs []scorer, n *boolean) scorer {
	if len(subs) == 1 && (len(n.must) == 1 || len(n.should) == 1 && n.need == 1) {
		if c, ok := subs[0].constant(); ok {
			return constScorer{n, c}
		}
	}
	return sumScorer(subs)
}

func scorers(x *Exec, nodes []Node, boost float32) ([]scorer, error) {
	list := make([]scorer, 0, len(nodes))
	for _, c := range nodes {
		s, err := c.scorer(x, boost)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// Within restricts a node to what any of some filters matches; its scores stay.
func Within(n Node, filters []Node) Node {
	return newBoolean([]Node{n}, []Node{AnyOf(filters)}, nil, nil, 0)
}

// AnyOf matches what any of some nodes matches.
func AnyOf(nodes []Node) Node { return newBoolean(nil, nil, nodes, nil, 1) }

func (n *boolean) push(inObject bool) Pushed {
	list := append(pushAll(n.filter, inObject), pushAll(n.must, inObject)...)
	should := pushAll(n.should, inObject)
	switch {
	case n.need == len(n.should):
		list = append(list, should...)
	case n.need == 1:
		list = append(list, pushedAny(should))
	case n.need > 1: // at least one
		some := pushedAny(should)
		if some.Exactness == Exact {
			some.Exactness, some.Why = Superset, "minimum_should_match between one and all"
		}
		list = append(list, some)
	}
	for _, p := range pushAll(n.mustNot, inObject) {
		list = append(list, pushedNot(p))
	}
	return pushedAll(list)
}

func (n *boolean) reads(r *Reading) {
	for _, list := range [...][]Node{n.must, n.filter, n.should, n.mustNot} {
		r.nodes(list)
	}
}
