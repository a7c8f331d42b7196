package planner

import (
	"time"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// now0 is the moment dates in cursors are read at: they are absolute.
var now0 = time.Unix(0, 0).UTC()

// parseCursor reads search_after: one value for each sort field, as a page before gave
// them.
func parseCursor(fields []*sortField, values []jsonx.Value) ([]sortValue, error) {
	if len(values) != len(fields) {
		return nil, eserr.IllegalArgument("search_after has %d value(s) but sort has %d.", len(values), len(fields))
	}
	after := make([]sortValue, len(fields))
	for i, f := range fields {
		v := values[i]
		if v.Kind() == jsonx.Null {
			if f.out == stringValue {
				continue
			}
			// Elasticsearch trips over the null pointer here, with a 500.
			return nil, eserr.IllegalArgument("Failed to parse search_after value for field [%s].", f.name)
		}
		parsed, err := f.parseValue(v, f.parse)
		if err != nil {
			return nil, eserr.IllegalArgument("Failed to parse search_after value for field [%s].", f.name).Cause(err)
		}
		after[i] = parsed
	}
	return after, nil
}
