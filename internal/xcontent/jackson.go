package xcontent

import (
	"bytes"
	"fmt"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// inputCoercion is Jackson's complaint about a scalar of the wrong kind, which stands
// behind the token.
func inputCoercion(v jsonx.Value, format string, a ...any) error {
	line, col := v.Pos()
	switch v.Kind() {
	case jsonx.Object, jsonx.Array:
		col++
	default:
		col += len(v.Raw())
	}
	reason := fmt.Sprintf(format, a...)
	inner := &eserr.Error{Status: 400, Type: "json_parse_exception", Reason: reason}
	if bytes.HasPrefix([]byte(reason), []byte("Numeric value")) {
		inner.Type = "input_coercion_exception"
	}
	return eserr.XContentParse(line, col, "%s", reason).Cause(inner)
}

// jacksonToken is the token in Jackson's own, finer words.
func jacksonToken(v jsonx.Value) string {
	switch v.Kind() {
	case jsonx.True:
		return "VALUE_TRUE"
	case jsonx.False:
		return "VALUE_FALSE"
	case jsonx.Number:
		if bytes.ContainsAny(v.Raw(), ".eE") {
			return "VALUE_NUMBER_FLOAT"
		}
		return "VALUE_NUMBER_INT"
	}
	return TokenOf(v).String()
}
