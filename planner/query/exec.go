package query

import (
	"context"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
)

// Exec is one evaluation over one snapshot of one index: it holds the collection
// statistics, which are those of the snapshot's live documents, and remembers what
// a node matched. It is not safe for concurrent use.
type Exec struct {
	ctx    context.Context
	base   Node
	parts  []segment.Part
	memo   map[memoKey]*roaring.Bitmap
	phrase map[memoKey]*phraseDocs
	made   map[becoming]Node
	all    map[*segment.Segment]*roaring.Bitmap
	scopes map[string][]segment.Part
	fields map[string]fieldStats
	others []*Exec // other indices whose statistics count, too
	spare  [][]float64
	pool   *Buffers
	outer  map[*segment.Segment]enclosing
}

// enclosing tells where the documents of a nested segment lie.
type enclosing struct {
	segment *segment.Segment
	parent  []uint32
}

type memoKey struct {
	node Node
	seg  *segment.Segment
}

// NewExec starts an evaluation over the parts of a snapshot. The context's end stops
// it with the context's error.
func NewExec(ctx context.Context, parts []segment.Part) *Exec {
	return &Exec{ctx: ctx, parts: parts}
}

// Buffers lends evaluations the memory that scoring takes. It is safe for concurrent use;
// the zero Buffers is ready.
type Buffers struct{ pool sync.Pool }

// NewExec is the package's NewExec with borrowed memory, which Close gives back.
func (b *Buffers) NewExec(ctx context.Context, parts []segment.Part) *Exec {
	return &Exec{ctx: ctx, parts: parts, pool: b}
}

// Close gives borrowed memory back. The evaluation must not score any more.
func (x *Exec) Close() {
	if x.pool != nil {
		for i := range x.spare {
			x.pool.pool.Put(&x.spare[i])
		}
	}
	x.spare = nil
}

// Base is what a search may see at all: everything, or what the filters of the aliases
// let through that its index was reached by.
func (x *Exec) Base() Node {
	if x.base == nil {
		return matchAll{}
	}
	return x.base
}

// SetBase restricts what the search may see.
func (x *Exec) SetBase(n Node) { x.base = n }

// Alive returns the context's error once the evaluation should stop.
func (x *Exec) Alive() error { return x.ctx.Err() }

// Parts are the snapshot's parts, in the order of _seq_no.
func (x *Exec) Parts() []segment.Part { return x.parts }

// match evaluates n on a segment, once.
func (x *Exec) match(n Node, s *segment.Segment) (*roaring.Bitmap, error) {
	switch n.(type) {
	case matchAll:
		return x.every(s), nil
	case matchNone:
		return nothing, nil
	}
	key := memoKey{n, s}
	if docs, ok := x.memo[key]; ok {
		return docs, nil
	}
	if err := x.Alive(); err != nil {
		return nil, err
	}
	docs, err := n.match(x, s)
	if err != nil {
		return nil, err
	}
	if x.memo == nil {
		x.memo = make(map[memoKey]*roaring.Bitmap, 8)
	}
	x.memo[key] = docs
	return docs, nil
}

// nothing is the shared empty bitmap; nobody changes a result of match.
var nothing = roaring.New()

// every is the bitmap of all documents of a segment.
func (x *Exec) every(s *segment.Segment) *roaring.Bitmap {
	if all, ok := x.all[s]; ok {
		return all
	}
	all := roaring.New()
	all.AddRange(0, uint64(s.Len()))
	if x.all == nil {
		x.all = make(map[*segment.Segment]*roaring.Bitmap, len(x.parts))
	}
	x.all[s] = all
	return all
}

// scope lists the segments that hold the documents of a nested path, with those
// alive whose root document is.
func (x *Exec) scope(steps []string) []segment.Part {
	if len(steps) == 0 {
		return x.parts
	}
	path := steps[len(steps)-1]
	if parts, ok := x.scopes[path]; ok {
		return parts
	}
	parts := make([]segment.Part, 0, len(x.parts))
	for _, outer := range x.scope(steps[:len(steps)-1]) {
		c := x.children(outer.Segment, path)
		if c == nil {
			continue
		}
		inner := segment.Part{Segment: c.Segment}
		if outer.Live != nil {
			inner.Live = roaring.New()
			for child, parent := range c.Parent {
				if outer.Live.Contains(parent) {
					inner.Live.Add(uint32(child))
				}
			}
		}
		parts = append(parts, inner)
	}
	if x.scopes == nil {
		x.scopes = make(map[string][]segment.Part)
	}
	x.scopes[path] = parts
	return parts
}

// children are the nested objects of a path in s, nil if it has none.
func (x *Exec) children(s *segment.Segment, path string) *segment.Children {
	c := s.Children(path)
	if c == nil {
		return nil
	}
	if x.outer == nil {
		x.outer = make(map[*segment.Segment]enclosing)
	}
	x.outer[c.Segment] = enclosing{s, c.Parent}
	return c
}

// inherited evaluates a node about the document as a whole on nested objects: they share
// their document's identity. ok is false for a segment of documents.
func (x *Exec) inherited(n Node, s *segment.Segment) (docs *roaring.Bitmap, ok bool, err error) {
	up, ok := x.outer[s]
	if !ok {
		return nil, false, nil
	}
	above, err := x.match(n, up.segment)
	if err != nil {
		return nil, true, err
	}
	docs = roaring.New()
	for child, parent := range up.parent {
		if above.Contains(parent) {
			docs.Add(uint32(child))
		}
	}
	return docs, true, nil
}

// scratch lends a zeroed accumulator for the documents of s; give it back by release.
func (x *Exec) scratch(s *segment.Segment) []float64 {
	n := s.Len()
	for i := len(x.spare) - 1; i >= 0; i-- {
		if acc := x.spare[i]; cap(acc) >= n {
			x.spare = append(x.spare[:i], x.spare[i+1:]...)
			acc = acc[:n]
			clear(acc)
			return acc
		}
	}
	if x.pool != nil {
		if acc, ok := x.pool.pool.Get().(*[]float64); ok && cap(*acc) >= n {
			s := (*acc)[:n]
			clear(s)
			return s
		}
	}
	return make([]float64, n)
}

func (x *Exec) release(acc []float64) { x.spare = append(x.spare, acc) }
