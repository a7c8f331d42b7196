package aggs

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	gen "postern/generated/aggs"
	"postern/internal/eserr"
	"postern/internal/geodesy"
	"postern/internal/jsonx"
)

// geoGrid is geohash_grid and geotile_grid: the cells of a grid that a field's points are
// in.
type geoGrid struct {
	typ       string
	v         *values
	precision int
	size      int
	bounds    *geodesy.Box
	cell      func(p geodesy.Point, precision int) uint64
	box       func(cell uint64, precision int) geodesy.Box
	text      func(cell uint64, precision int) string
}

type geoGridResult struct {
	*geoGrid
	answered
	n     *node
	cells map[int64]*bucket
}

const (
	defaultCells         = 10000
	defaultHashPrecision = 5
	defaultTilePrecision = 7
)

func parseGeohashGrid(c *source) (aggregator, error) {
	a := c.a.GeohashGrid
	g := &geoGrid{precision: defaultHashPrecision, cell: geodesy.Hash, box: geodesy.HashBox, text: geodesy.HashText}
	return g, g.parse(c, a.Field, a.Missing, a.Precision, a.Size, a.Bounds)
}

func parseGeotileGrid(c *source) (aggregator, error) {
	a := c.a.GeotileGrid
	g := &geoGrid{precision: defaultTilePrecision, cell: geodesy.Tile, box: geodesy.TileBox, text: tileText}
	return g, g.parse(c, a.Field, a.Missing, a.Precision, a.Size, a.Bounds)
}

func tileText(tile uint64, zoom int) string {
	x, y := geodesy.TileXY(tile)
	return strconv.Itoa(zoom) + "/" + strconv.FormatUint(x, 10) + "/" + strconv.FormatUint(y, 10)
}

func (g *geoGrid) parse(c *source, field *string, missing jsonx.Value, precision, size *int, bounds jsonx.Value) (err error) {
	g.typ, g.size = c.a.Kind.String(), defaultCells
	if precision != nil {
		g.precision = *precision
	}
	if size != nil {
		g.size = *size
	}
	if bounds.Exists() {
		if g.bounds, err = boxOf(bounds); err != nil {
			return err
		}
	}
	g.v, err = c.pointValues(field, missing)
	return err
}

// boxOf reads a bounding box: two corners, four sides, or WKT.
func boxOf(v jsonx.Value) (*geodesy.Box, error) {
	nan := math.NaN()
	b := &geodesy.Box{Top: nan, Left: nan, Bottom: nan, Right: nan}
	for k, m := range v.Members() {
		switch name := k.Text(); name {
		case "top", "left", "bottom", "right":
			v, err := parseDouble(m.Text())
			if err != nil {
				return nil, err
			}
			*side(b, name) = v
		case "top_left", "bottom_right", "top_right", "bottom_left":
			p, err := pointOf(m)
			if err != nil {
				return nil, err
			}
			if strings.HasPrefix(name, "top") {
				b.Top = p.Lat
			} else {
				b.Bottom = p.Lat
			}
			if strings.HasSuffix(name, "left") {
				b.Left = p.Lon
			} else {
				b.Right = p.Lon
			}
		case "wkt":
			if err := envelope(b, m.Text()); err != nil {
				return nil, err
			}
		default:
			return nil, eserr.ParseError("failed to parse bounding box. unexpected field [%s]", name)
		}
	}
	return b, nil
}

func side(b *geodesy.Box, name string) *float64 {
	switch name {
	case "top":
		return &b.Top
	case "left":
		return &b.Left
	case "bottom":
		return &b.Bottom
	}
	return &b.Right
}

// envelope reads BBOX (left, right, top, bottom).
func envelope(b *geodesy.Box, text string) error {
	name, rest, _ := strings.Cut(text, "(")
	parts := strings.Split(strings.TrimSuffix(strings.TrimSpace(rest), ")"), ",")
	if kind := strings.ToUpper(strings.TrimSpace(name)); kind != "BBOX" && kind != "ENVELOPE" || len(parts) != 4 {
		return eserr.ParseError("failed to parse WKT bounding box")
	}
	for i, side := range []*float64{&b.Left, &b.Right, &b.Top, &b.Bottom} {
		v, err := parseDouble(parts[i])
		if err != nil {
			return err
		}
		*side = v
	}
	return nil
}

// unbounded reports that a side is missing: then the box holds everything.
func unbounded(b *geodesy.Box) bool {
	return b == nil || math.IsNaN(b.Top) || math.IsNaN(b.Bottom) || math.IsNaN(b.Left) || math.IsNaN(b.Right)
}

func (g *geoGrid) empty(n *node) result {
	return &geoGridResult{geoGrid: g, n: n, cells: map[int64]*bucket{}}
}

func (r *geoGridResult) collect(x *collector, s *selection) error {
	docs, points := x.readPoints(r.v, s)
	x.longs = x.longs[:0]
	for _, p := range points {
		x.longs = append(x.longs, int64(r.cell(p, r.precision)))
	}
	return x.collectKeys(s, docs, x.longs, r.cells, r.n.subs, func(cell int64) bool {
		return unbounded(r.bounds) || r.bounds.Touches(r.box(uint64(cell), r.precision))
	})
}

func (r *geoGridResult) merge(other result) {
	mergeMaps(r.cells, other.(*geoGridResult).cells, r.n.subs)
}

// reduce keeps the fullest cells; of equal ones those with the greatest key come first.
func (r *geoGridResult) reduce() {
	if !r.begin() {
		return
	}
	list := sorted(r.cells, order{{by: byCount, desc: true}}, 1)
	slices.SortStableFunc(list, func(a, b keyed[int64]) int { return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(b.key, a.key)) })
	r.longs(list[:min(len(list), r.size)])
}

func (r *geoGridResult) keyText(b *answerBucket) string { return r.text(uint64(b.long), r.precision) }

func (r *geoGridResult) appendBody(w *writer) {
	r.reduce()
	w.bucketList(len(r.buckets), nil, func(i int) {
		b := &r.buckets[i]
		w.string("key", r.keyText(b))
		w.bucket(r.n, b.bucket)
	})
}

func (r *geoGridResult) prefix() string { return r.typ }

// checkGrid finds what is wrong with the bounds of a grid, whatever the index.
func checkGrid(a *gen.AggregationContainer) error {
	bounds := jsonx.Value{}
	switch a.Kind {
	case gen.KindGeohashGrid:
		bounds = a.GeohashGrid.Bounds
	case gen.KindGeotileGrid:
		bounds = a.GeotileGrid.Bounds
	}
	if !bounds.Exists() {
		return nil
	}
	_, err := boxOf(bounds)
	return err
}
