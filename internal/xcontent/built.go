package xcontent

import (
	"math"
	"strings"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// DoubleBounds is what Elasticsearch's DoubleBounds asks of its two numbers. It is asked
// when both have arrived, or at the end of the object.
func DoubleBounds(p *Parser, low, high *float64) error {
	var cause *eserr.Error
	switch {
	case low != nil && notFinite(*low):
		cause = eserr.IllegalArgument("min bound must be finite, got: %s", javaDouble(*low))
	case high != nil && notFinite(*high):
		cause = eserr.IllegalArgument("max bound must be finite, got: %s", javaDouble(*high))
	case low != nil && high != nil && *high < *low:
		cause = eserr.IllegalArgument("max bound [%s] must be greater than min bound [%s]", javaDouble(*high), javaDouble(*low))
	default:
		return nil
	}
	return eserr.NotBuilt(p.Name, "org.elasticsearch.search.aggregations.bucket.histogram.DoubleBounds", cause)
}

func notFinite(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }

// javaDouble is Double.toString.
func javaDouble(v float64) string { return strings.Trim(string(jsonx.AppendFloat(nil, v)), `"`) }

// AtEnd says that an error was met at the end of v.
func AtEnd(v jsonx.Value, err error) error { return standingAtEnd(v, err) }
