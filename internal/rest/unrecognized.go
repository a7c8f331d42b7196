package rest

import (
	"sort"
	"strings"

	"postern/internal/eserr"
	"postern/internal/xcontent"
)

// Unrecognized is the complaint about parameters that the endpoint does not have.
func Unrecognized(in *Input, unknown, known []string) error {
	unknown = append([]string(nil), unknown...)
	sort.Strings(unknown)
	var b strings.Builder
	b.WriteString("request [" + in.Target + "] contains unrecognized parameter")
	if len(unknown) > 1 {
		b.WriteByte('s')
	}
	b.WriteString(": ")
	for i, u := range unknown {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("[" + u + "]")
		switch near := xcontent.Near(u, append(known[:len(known):len(known)], "pretty", "human", "error_trace", "filter_path", "format"), 0.5); len(near) {
		case 0:
		case 1:
			b.WriteString(" -> did you mean [" + near[0] + "]?")
		default:
			b.WriteString(" -> did you mean any of [" + strings.Join(near, ", ") + "]?")
		}
	}
	return eserr.IllegalArgument("%s", b.String())
}
