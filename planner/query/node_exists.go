package query

import (
	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
	"postern/internal/store"
)

// exists matches the documents in which a leaf field has a value.
type exists struct{ field string }

func (n *exists) AppendKey(dst []byte) []byte {
	return append(appendQuoted(append(dst, "exists("...), n.field), ')')
}

func (n *exists) match(_ *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	if docs := s.Exists(n.field); docs != nil {
		return docs, nil
	}
	return nothing, nil
}

func (n *exists) scorer(_ *Exec, boost float32) (scorer, error) { return constScorer{n, boost}, nil }

func (n *exists) push(bool) Pushed { return exactly(store.Exists{Field: n.field}) }

func (n *exists) reads(r *Reading) { r.Field(n.field) }
