package query

import (
	"postern/internal/eserr"
	"postern/internal/jsonx"
)

func negativeBoost(f float64) *eserr.Error {
	return eserr.IllegalArgument("negative [boost] are not allowed in [%s], use a value between 0 and 1 to deboost", jsonx.AppendFloat32(nil, float32(f)))
}

func illegalSlop(int) *eserr.Error {
	return eserr.IllegalArgument("No negative slop allowed.")
}
