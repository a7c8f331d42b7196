package xcontent

import (
	"postern/internal/datemath"
	"postern/internal/jsonx"
)

// Zone reads the name or offset of a time zone, which must be one, and keeps its text.
func Zone(x *string, v jsonx.Value) error {
	if err := Text(x, v); err != nil {
		return err
	}
	if v.Kind() == jsonx.Number { // hours
		return nil
	}
	if _, err := datemath.Zone(*x); err != nil {
		return standing(v, err)
	}
	return nil
}
