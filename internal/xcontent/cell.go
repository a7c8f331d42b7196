package xcontent

import (
	"strconv"

	"postern/internal/eserr"
	"postern/internal/geodesy"
	"postern/internal/jsonx"
)

// GeohashPrecision reads the length of a geohash, or the distance that its cells are at
// most as wide as.
func GeohashPrecision(x *int, v jsonx.Value) error {
	text := v.Text()
	n, err := strconv.Atoi(text)
	if f, ok := v.Float64(); v.Kind() == jsonx.Number && ok {
		n, err = int(f), nil
	}
	if err == nil {
		*x = n
		if bad := hashLength(n); bad != nil {
			return standing(v, bad)
		}
		return nil
	}
	metres, fault := geodesy.ParseDistance(text)
	if fault != nil {
		return standing(v, fault)
	}
	*x = geodesy.HashFor(metres)
	if bad := hashLength(*x); bad != nil {
		return standing(v, eserr.IllegalArgument("precision too high [%s]", text).Cause(bad))
	}
	return nil
}

func hashLength(n int) *eserr.Error {
	if n < 1 || n > geodesy.MaxHash {
		return eserr.IllegalArgument("Invalid geohash aggregation precision of %d. Must be between 1 and 12.", n)
	}
	return nil
}

// TilePrecision reads a zoom.
func TilePrecision(x *int, v jsonx.Value) error {
	if v.Kind() == jsonx.Number {
		if err := Int(x, v); err != nil {
			return err
		}
	} else {
		n, err := strconv.Atoi(v.Text())
		if err != nil {
			return standing(v, eserr.NumberFormat("For input string: \""+v.Text()+"\""))
		}
		*x = n
	}
	if *x < 0 || *x > geodesy.MaxZoom {
		return standing(v, eserr.IllegalArgument("Invalid geotile_grid precision of %d. Must be between 0 and 29.", *x))
	}
	return nil
}

// Probability reads the share of documents that a random sample has.
func Probability(x *float64, v jsonx.Value) error {
	if err := Double(x, v); err != nil {
		return err
	}
	switch p := *x; {
	case p <= 0:
		return standing(v, eserr.IllegalArgument("[probability] must be greater than 0.0, was [%s]", javaDouble(p)))
	case p > 0.5 && p != 1:
		return standing(v, eserr.IllegalArgument("[probability] must be between 0.0 and 0.5 or exactly 1.0, was [%s]", javaDouble(p)))
	}
	return nil
}
