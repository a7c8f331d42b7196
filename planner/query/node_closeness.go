package query

import (
	"math"
	"strconv"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/geodesy"
	"postern/internal/segment"
)

// closeness matches the documents that have a field and scores how near the nearest of
// its values is: pivot / (pivot + distance), as Lucene's distance feature queries.
type closeness struct {
	field  string
	geo    bool
	at     geodesy.Point
	origin int64
	pivot  float64
}

func (n *closeness) AppendKey(dst []byte) []byte {
	dst = appendQuoted(append(dst, "closeness("...), n.field)
	dst = strconv.AppendInt(append(dst, ','), n.origin, 10)
	return append(appendDoubles(dst, n.at.Lat, n.at.Lon, n.pivot), ')')
}

func (n *closeness) match(_ *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	if docs := s.Exists(n.field); docs != nil {
		return docs, nil
	}
	return nothing, nil
}

func (n *closeness) scorer(_ *Exec, boost float32) (scorer, error) {
	return closenessScorer{n, float64(boost)}, nil
}

type closenessScorer struct {
	*closeness
	weight float64
}

func (c closenessScorer) constant() (float32, bool) { return 0, false }

func (c closenessScorer) add(x *Exec, s *segment.Segment, docs *roaring.Bitmap, acc []float64) error {
	m, err := x.match(c.closeness, s)
	if err != nil {
		return err
	}
	distance := c.distance(s)
	each(roaring.And(m, docs), func(doc uint32) {
		acc[doc] += float64(float32(c.weight * (c.pivot / (c.pivot + distance(doc)))))
	})
	return nil
}

// distance is that of a document's nearest value, in metres or in the field's resolution.
func (n *closeness) distance(s *segment.Segment) func(doc uint32) float64 {
	if n.geo {
		g := s.Geo(n.field)
		return func(doc uint32) float64 {
			least := math.Inf(1)
			lat, lon := g.Points(doc)
			for i := range lat {
				least = min(least, geodesy.Arc(n.at, geodesy.Point{Lat: lat[i], Lon: lon[i]}))
			}
			return least
		}
	}
	c := s.Long(n.field)
	return func(doc uint32) float64 {
		least := uint64(math.MaxInt64)
		for _, v := range c.Values(doc) {
			least = min(least, gap(v, n.origin))
		}
		return float64(least)
	}
}

// gap is the distance of two whole numbers, which an int64 may not hold.
func gap(a, b int64) uint64 {
	if a < b {
		a, b = b, a
	}
	return uint64(a) - uint64(b)
}

func (n *closeness) push(bool) Pushed { return never("a distance") }

func (n *closeness) reads(r *Reading) { r.Field(n.field) }
