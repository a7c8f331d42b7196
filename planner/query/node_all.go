package query

import (
	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
	"postern/internal/store"
)

// matchAll matches every document with score 1.
type matchAll struct{}

// MatchAll is the node that matches every document.
func MatchAll() Node { return matchAll{} }

// IsMatchAll tells whether n matches every document.
func IsMatchAll(n Node) bool {
	switch n := n.(type) {
	case matchAll:
		return true
	case *constantScore:
		return IsMatchAll(n.inner)
	case *boosted:
		return IsMatchAll(n.inner)
	}
	return false
}

func (matchAll) AppendKey(dst []byte) []byte { return append(dst, "all"...) }

func (matchAll) match(x *Exec, s *segment.Segment) (*roaring.Bitmap, error) { return x.every(s), nil }

func (n matchAll) scorer(_ *Exec, boost float32) (scorer, error) {
	return constScorer{n, boost}, nil
}

// matchNone matches no document.
type matchNone struct{}

// MatchNone is the node that matches no document.
func MatchNone() Node { return matchNone{} }

// IsMatchNone tells whether n was seen to match nothing when it was parsed.
func IsMatchNone(n Node) bool { _, none := n.(matchNone); return none }

func (matchNone) AppendKey(dst []byte) []byte { return append(dst, "none"...) }

func (matchNone) match(*Exec, *segment.Segment) (*roaring.Bitmap, error) { return nothing, nil }

func (matchNone) scorer(*Exec, float32) (scorer, error) { return zeroScorer{}, nil }

func (matchAll) push(bool) Pushed { return exactly(store.All{}) }

func (matchAll) reads(*Reading) {}

func (matchNone) push(bool) Pushed { return none() }

func (matchNone) reads(*Reading) {}
