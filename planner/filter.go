package planner

import (
	"time"

	genquery "postern/generated/query"
	"postern/internal/jsonx"
	"postern/internal/metadata"
	"postern/planner/query"
)

// CheckFilter reads the filter of an alias as a query on an index and says what is
// wrong with it.
func CheckFilter(ix *metadata.Index, filter []byte) error {
	v, err := jsonx.Parse(filter)
	if err != nil {
		return err
	}
	q, err := genquery.DecodeQueryContainer(v)
	if err != nil {
		return err
	}
	_, err = query.Parse(contextOf(ix, time.Now()), q)
	return err
}
