package handlers

import (
	"strconv"

	"postern/internal/jsonx"
)

// members is an object written as it stands here, for the parts of answers that the
// specification leaves open.
type members []member

type member struct {
	name  string
	value any // string, bool, int, int64, []string or members
}

func (o members) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	for i, m := range o {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsonx.AppendString(dst, m.name), ':')
		switch v := m.value.(type) {
		case string:
			dst = jsonx.AppendString(dst, v)
		case bool:
			dst = jsonx.AppendBool(dst, v)
		case int:
			dst = strconv.AppendInt(dst, int64(v), 10)
		case int64:
			dst = strconv.AppendInt(dst, v, 10)
		case members:
			dst = v.AppendJSON(dst)
		case []string:
			dst = append(dst, '[')
			for j, s := range v {
				if j > 0 {
					dst = append(dst, ',')
				}
				dst = jsonx.AppendString(dst, s)
			}
			dst = append(dst, ']')
		}
	}
	return append(dst, '}')
}
