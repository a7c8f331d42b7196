package query

import (
	"slices"
	"sort"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
	"postern/internal/store"
)

// ids matches documents by their _id.
type ids struct{ values []string } // sorted, distinct

func newIDs(values []string) Node {
	values = slices.Clone(values)
	slices.Sort(values)
	values = slices.Compact(values)
	if len(values) == 0 {
		return matchNone{}
	}
	return &ids{values}
}

func (n *ids) AppendKey(dst []byte) []byte {
	dst = append(dst, "ids("...)
	for i, v := range n.values {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendQuoted(dst, v)
	}
	return append(dst, ')')
}

func (n *ids) match(x *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	if docs, ok, err := x.inherited(n, s); ok {
		return docs, err
	}
	var found []uint32
	for _, v := range n.values {
		found = s.DocsOfID(found, []byte(v))
	}
	slices.Sort(found)
	return roaring.BitmapOf(found...), nil
}

func (n *ids) scorer(_ *Exec, boost float32) (scorer, error) { return constScorer{n, boost}, nil }

// seqNos matches the documents whose _seq_no lies in [lo, hi].
type seqNos struct{ lo, hi int64 }

func (n *seqNos) AppendKey(dst []byte) []byte {
	return (&longRange{"_seq_no", n.lo, n.hi}).AppendKey(dst)
}

func (n *seqNos) match(x *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	if docs, ok, err := x.inherited(n, s); ok {
		return docs, err
	}
	from := sort.Search(s.Len(), func(i int) bool { return s.SeqNo(uint32(i)) >= n.lo })
	to := sort.Search(s.Len(), func(i int) bool { return s.SeqNo(uint32(i)) > n.hi })
	docs := roaring.New()
	if from < to {
		docs.AddRange(uint64(from), uint64(to))
	}
	return docs, nil
}

func (n *seqNos) scorer(_ *Exec, boost float32) (scorer, error) { return constScorer{n, boost}, nil }

// ofDocument is why a node about the document as a whole is not pushed in an object.
const ofDocument = "a property of the document, asked of its objects"

func (n *ids) push(inObject bool) Pushed {
	if inObject {
		return never(ofDocument)
	}
	return exactly(store.IDs{IDs: n.values})
}

func (n *ids) reads(*Reading) {}

func (n *seqNos) push(inObject bool) Pushed {
	if inObject {
		return never(ofDocument)
	}
	return PushLongs("_seq_no", n.lo, n.hi)
}

func (n *seqNos) reads(*Reading) {}
