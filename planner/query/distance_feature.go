package query

import (
	"time"

	gen "postern/generated/query"
	"postern/internal/eserr"
	"postern/internal/geodesy"
	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/internal/xcontent"
)

func parseDistanceFeature(c *Context, q *gen.QueryContainer) (Node, error) {
	d := q.DistanceFeature
	f := c.field(d.Field)
	if f == nil {
		return c.finish(matchNone{}, d.Boost, d.Name)
	}
	n := &closeness{field: f.Name}
	var err *eserr.Error
	switch f.Type {
	case "date", "date_nanos":
		err = n.fromDate(c, f, d.Origin, d.Pivot.Text())
	case "geo_point":
		err = n.fromPoint(d.Origin, d.Pivot.Text())
	default:
		err = eserr.IllegalArgument("Illegal data type of [%s]![distance_feature] query can only be run on a date, date_nanos or geo_point field type!", f.Type)
	}
	if err == nil {
		err = searchable(f)
	}
	if err != nil {
		return nil, err
	}
	return c.finish(n, d.Boost, d.Name)
}

func (n *closeness) fromDate(c *Context, f *mapping.Field, origin jsonx.Value, pivot string) *eserr.Error {
	if origin.Kind() == jsonx.Object || origin.Kind() == jsonx.Array {
		return eserr.IllegalArgument("Illegal data type of origin for a date field")
	}
	at, err := c.instant(f, f.Format, origin.Text(), true, time.UTC)
	if err != nil {
		return err
	}
	var d xcontent.Duration
	if err := xcontent.ParseDuration(&d, pivot, "distance_feature.pivot"); err != nil {
		return asError(err)
	}
	n.origin = at
	width := d.D.Milliseconds()
	if f.Type == "date_nanos" {
		width = int64(d.D)
	}
	if width <= 0 {
		return eserr.IllegalArgument("pivotDistance must be > 0, got %d", width)
	}
	n.pivot = float64(width)
	return nil
}

func (n *closeness) fromPoint(origin jsonx.Value, pivot string) *eserr.Error {
	lat, lon, err := mapping.ParsePoint(origin)
	if err != nil {
		return err
	}
	metres, perr := geodesy.ParseDistance(pivot)
	if perr != nil {
		return asError(perr)
	}
	if metres <= 0 {
		return eserr.IllegalArgument("pivotDistance must be > 0, got %s", doubleText(metres))
	}
	n.geo, n.at, n.pivot = true, geodesy.Point{Lat: lat, Lon: lon}, metres
	return nil
}
