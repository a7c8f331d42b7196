package mapping

import (
	"fmt"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// checkBase64 reads a JSON string as base64 the way Jackson does, and gives its
// complaint; left is what of the string it had not read by then, ok is false when it had
// read beyond the end.
func checkBase64(v jsonx.Value) (why *eserr.Error, left string, ok bool) {
	raw := v.Raw()
	line, col := v.Pos()
	at := 1
	fail := func(reason string) (*eserr.Error, string, bool) {
		why := jacksonAt(v, line, col+at, reason)
		if at >= len(raw) {
			return why, "", false
		}
		return why, string(raw[at : len(raw)-1]), true
	}
	bad := func(c byte, unit int) (*eserr.Error, string, bool) {
		const start = "Failed to decode VALUE_STRING as base64 (MIME-NO-LINEFEEDS): "
		switch {
		case c <= ' ':
			return fail(start + fmt.Sprintf("Illegal white space character (code 0x%x) as character #%d of 4-char base64 unit: can only used between units", c, unit+1))
		case c == '=':
			return fail(start + fmt.Sprintf("Unexpected padding character ('=') as character #%d of 4-char base64 unit: padding only legal as 3rd or 4th character", unit+1))
		}
		return fail(start + fmt.Sprintf("Illegal character '%c' (code 0x%x) in base64 content", c, c))
	}
	for {
		for raw[at] <= ' ' {
			at++
		}
		for unit := range 4 {
			c := raw[at]
			at++
			switch {
			case base64Digit(c):
				continue
			case c == '"' && unit == 0:
				return nil, "", true
			case c == '"' && unit > 1:
				at--
				return fail("Unexpected end of base64-encoded String: base64 variant 'MIME-NO-LINEFEEDS' expects padding (one or more '=' characters) at the end. This Base64Variant might have been incorrectly configured")
			case c != '=' || unit < 2:
				return bad(c, unit)
			}
			if unit == 2 {
				if c = raw[at]; c != '=' {
					at++
					return fail(fmt.Sprintf("Failed to decode VALUE_STRING as base64 (MIME-NO-LINEFEEDS): Illegal character '%c' (code 0x%x) in base64 content: expected padding character '='", c, c))
				}
				at++
			}
			break
		}
	}
}

func base64Digit(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '/'
}
