package jsontree

import "strings"

// width is how long a line may be before its value is broken over several.
const width = 100

// Pretty writes v for a reader: what fits on a line stands on one.
func Pretty(v Value) string {
	var b strings.Builder
	pretty(&b, v, 0, 0)
	return b.String()
}

func pretty(b *strings.Builder, v Value, indent, column int) {
	line := Compact(v)
	if indent*2+column+len(line) <= width {
		b.WriteString(line)
		return
	}
	pad := strings.Repeat("  ", indent+1)
	switch v := v.(type) {
	case Object:
		b.WriteByte('{')
		for i, m := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteByte('\n')
			b.WriteString(pad)
			quote(b, m.Name)
			b.WriteString(": ")
			pretty(b, m.Value, indent+1, len(m.Name)+4)
		}
		b.WriteByte('\n')
		b.WriteString(pad[2:])
		b.WriteByte('}')
	case Array:
		b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteByte('\n')
			b.WriteString(pad)
			pretty(b, e, indent+1, 0)
		}
		b.WriteByte('\n')
		b.WriteString(pad[2:])
		b.WriteByte(']')
	default:
		b.WriteString(line)
	}
}
