package query

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/eserr"
	"postern/internal/segment"
)

// expansion is a multi-term query that becomes a query of the terms it finds in the
// snapshot, scored as its rewrite method says.
type expansion struct {
	column
	terms  finder
	method rewriteMethod
	size   int // terms kept, the best of them; 0: all
	limit  int // of clauses
}

func (n *expansion) AppendKey(dst []byte) []byte {
	dst = n.appendKey(append(dst, "expand("...))
	dst = n.terms.appendKey(append(dst, ','))
	dst = append(dst, ',', '0'+byte(n.method), ',')
	return append(strconv.AppendInt(dst, int64(n.size), 10), ')')
}

// weighedTerm is a term with its part in the score.
type weighedTerm struct {
	text   string
	weight float32
}

// found lists the terms in the order of their bytes.
func (n *expansion) found(x *Exec) ([]weighedTerm, error) {
	weights := make(map[string]float32)
	for _, p := range x.scope(n.steps) {
		d := n.column.terms(p.Segment)
		if d == nil {
			continue
		}
		err := n.terms.find(x, d, func(o uint32, w float32) { weights[d.Term(o)] = w })
		if err != nil {
			return nil, err
		}
	}
	list := make([]weighedTerm, 0, len(weights))
	for text, w := range weights {
		list = append(list, weighedTerm{text, w})
	}
	if n.size > 0 && len(list) > n.size {
		slices.SortFunc(list, func(a, b weighedTerm) int {
			return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.text, b.text))
		})
		list = list[:n.size]
	}
	if len(list) > n.limit {
		return nil, eserr.TooManyClauses("maxClauseCount is set to %d", n.limit)
	}
	slices.SortFunc(list, func(a, b weighedTerm) int { return cmp.Compare(a.text, b.text) })
	return list, nil
}

func (n *expansion) become(x *Exec) (Node, error) {
	list, err := n.found(x)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return matchNone{}, nil
	}
	var docs int64
	if n.method == rewriteBlended {
		for _, t := range list {
			docs = max(docs, x.docFreq(n.column, t.text))
		}
	}
	nodes := make([]Node, len(list))
	for i, t := range list {
		one := &term{column: n.column, value: t.text, docs: docs}
		nodes[i] = boost(one, t.weight)
		if n.method == rewriteBoosts {
			nodes[i] = boost(Filter(one), t.weight)
		}
	}
	made := newBoolean(nil, nil, nodes, nil, 1)
	if n.method == rewriteClauses {
		made = Filter(made)
	}
	return made, nil
}

func (n *expansion) match(x *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	return matchMade(x, n, s)
}

func (n *expansion) scorer(x *Exec, boost float32) (scorer, error) { return scorerMade(x, n, boost) }

func (n *expansion) push(bool) Pushed { return never(ofPatterns) }

func (n *expansion) reads(r *Reading) { r.Field(n.field) }
