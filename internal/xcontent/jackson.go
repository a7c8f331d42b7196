package xcontent

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// inputCoercion is Jackson's complaint about a scalar of the wrong kind, which stands
// behind the token.
func inputCoercion(v jsonx.Value, format string, a ...any) error {
	line, col, place := v.Jackson()
	reason := fmt.Sprintf(format, a...)
	inner := &eserr.Error{Status: http.StatusBadRequest, Type: "json_parse_exception", Reason: reason + "\n at " + place}
	if strings.HasPrefix(reason, "Numeric value") {
		inner.Type = "input_coercion_exception"
	}
	return eserr.XContentParse(line, col, "%s", inner.Reason).Cause(inner)
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
