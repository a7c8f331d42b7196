package query

import (
	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// RequestError is what is wrong with a clause wherever it is asked: Elasticsearch finds it
// before it looks at any index.
type RequestError struct{ fault *eserr.Error }

func (e *RequestError) Error() string { return e.fault.Error() }
func (e *RequestError) Unwrap() error { return e.fault }

func negativeBoost(f float64) error {
	return &RequestError{eserr.IllegalArgument("negative [boost] are not allowed in [%s], use a value between 0 and 1 to deboost", jsonx.AppendFloat32(nil, float32(f)))}
}

func negativeSlop() error {
	return &RequestError{eserr.IllegalArgument("No negative slop allowed.")}
}

func negativeExpansions() error {
	return &RequestError{eserr.IllegalArgument("No negative maxExpansions allowed.")}
}
