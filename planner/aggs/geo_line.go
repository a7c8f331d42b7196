package aggs

import (
	"cmp"
	"math"
	"slices"

	gen "postern/generated/aggs"
	"postern/internal/eserr"
	"postern/internal/geodesy"
	"postern/internal/jsonx"
	"postern/internal/mapping"
)

// geoLine is a field's points in the order of another field.
type geoLine struct {
	point, by *values
	size      int
	desc      bool
	shown     bool // the values sorted by, too
}

type geoLineResult struct {
	*geoLine
	found []linePoint
	total int
}

type linePoint struct {
	at geodesy.Point
	by float64
}

const maxLine = 10000

func parseGeoLine(c *source) (aggregator, error) {
	a := c.a.GeoLine
	switch {
	case a.Point == nil:
		return nil, eserr.IllegalArgument("Required [point]")
	case a.Sort == nil:
		return nil, eserr.IllegalArgument("The [sort] parameter is required in the [geo_line] aggregation outside of a time-series")
	}
	out := &geoLine{size: maxLine, desc: a.SortOrder == gen.SortOrderDesc, shown: a.IncludeSort != nil && *a.IncludeSort}
	if a.Size != nil {
		out.size = *a.Size
	}
	if out.size <= 0 || out.size > maxLine {
		return nil, eserr.IllegalArgument("invalid [size] value [%d] must be a positive integer <= %d", out.size, maxLine)
	}
	var err error
	if out.point, err = c.pointValues(&a.Point.Field, jsonx.Value{}); err != nil {
		return nil, err
	}
	out.by, err = c.values(wanted{field: &a.Sort.Field, numeric: true, unmapped: mapping.KindDouble})
	return out, err
}

func (a *geoLine) empty(*node) result { return &geoLineResult{geoLine: a} }

func (r *geoLineResult) collect(x *collector, s *selection) error {
	by := map[uint32]float64{}
	docs, vals := x.readDoubles(r.by, s)
	for i, d := range docs {
		if _, several := by[d]; !several || r.desc {
			by[d] = vals[i]
		}
	}
	docs, points := x.readPoints(r.point, s)
	for i, d := range docs {
		v, ok := by[d]
		if !ok || i > 0 && docs[i-1] == d {
			continue // the first point of a document stands for it
		}
		r.total++
		if r.found = append(r.found, linePoint{points[i], v}); len(r.found) >= 2*r.size+1024 {
			r.prune()
		}
	}
	return nil
}

func (r *geoLineResult) prune() {
	slices.SortStableFunc(r.found, func(a, b linePoint) int {
		c := cmp.Compare(a.by, b.by)
		if r.desc {
			return -c
		}
		return c
	})
	r.found = r.found[:min(len(r.found), r.size)]
}

func (r *geoLineResult) merge(other result) {
	o := other.(*geoLineResult)
	r.total += o.total
	r.found = append(r.found, o.found...)
}

// shownDegrees has seven digits after the point.
func shownDegrees(v float64) float64 { return math.Floor(v*1e7+0.5) / 1e7 }

func (r *geoLineResult) appendBody(w *writer) {
	r.prune()
	w.string("type", "Feature")
	w.object("geometry", func() {
		w.string("type", "LineString")
		w.name("coordinates")
		w.braces('[', ']', func() {
			for _, p := range r.found {
				w.element()
				w.braces('[', ']', func() {
					w.elementFloat(shownDegrees(p.at.Lon))
					w.elementFloat(shownDegrees(p.at.Lat))
				})
			}
		})
	})
	w.object("properties", func() {
		w.bool("complete", r.total <= r.size)
		if r.shown {
			w.name("sort_values")
			w.braces('[', ']', func() {
				for _, p := range r.found {
					w.elementFloat(p.by)
				}
			})
		}
	})
}

func (r *geoLineResult) prefix() string { return "geo_line" }
