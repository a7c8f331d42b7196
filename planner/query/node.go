// Package query is the core tree of a search: clauses are parsed into about twenty
// kinds of nodes, which are matched and scored on columns.
//
// Every clause of the request language has a file of its own that parses it; every
// kind of node has one that evaluates it.
package query

import (
	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
)

// Node is one clause of the core tree. Nodes are immutable and safe for concurrent
// use. Sugar, date math, analysis and the mapping are resolved when they are built,
// so a node belongs to the index whose Context parsed it.
type Node interface {
	// AppendKey appends the node's canonical bytes, equal for equal meaning.
	AppendKey(dst []byte) []byte

	// match gives the matching documents of one segment, deleted ones included. The
	// bitmap may be shared and must not be changed.
	match(x *Exec, s *segment.Segment) (*roaring.Bitmap, error)

	// scorer prepares scoring: statistics and weights are computed once, over the
	// whole snapshot. boost is the product of the boosts above this node.
	scorer(x *Exec, boost float32) (scorer, error)
}

// Match gives the live documents of p that match n. The bitmap may be shared with
// the segment or with other calls: the caller must not change it.
func Match(x *Exec, n Node, p segment.Part) (*roaring.Bitmap, error) {
	if err := x.Alive(); err != nil {
		return nil, err
	}
	docs, err := x.match(n, p.Segment)
	if err != nil || p.Live == nil {
		return docs, err
	}
	if _, all := n.(matchAll); all {
		return p.Live, nil
	}
	return roaring.And(docs, p.Live), nil
}
