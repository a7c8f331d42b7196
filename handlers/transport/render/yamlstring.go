package render

import (
	"fmt"
	"unicode/utf8"
)

// doubleQuoted writes a string in double quotes and folds it at its blanks when it
// grows wider than a line; a negative indent says not to fold. It follows SnakeYAML's
// emitter, which works on UTF-16, step by step.
func (w *yamlWriter) doubleQuoted(s string, indent int) {
	w.write(`"`)
	start, pending := 0, 0 // what was not written yet, in bytes and in UTF-16 units
	for end := 0; end <= len(s); {
		c, size := rune(-1), 1
		if end < len(s) {
			c, size = utf8.DecodeRuneInString(s[end:])
		}
		if c < ' ' || c > '~' || c == '"' || c == '\\' {
			if start < end {
				w.out = append(w.out, s[start:end]...)
				w.column += pending
				start, pending = end, 0
			}
			if c >= 0 {
				text := escapeYAML(c, s[end:end+size])
				w.out = append(w.out, text...)
				w.column += units(text)
				start = end + size
			}
		}
		width := w.column + pending
		if start > end {
			width-- // SnakeYAML has stepped beyond an escape by one already
		}
		if end > 0 && end+size < len(s) && (c == ' ' || start >= end) && width > yamlWidth && indent >= 0 {
			w.out = append(w.out, s[start:max(start, end)]...)
			start, pending = max(start, end), 0
			w.out = append(w.out, '\\')
			w.newline(indent)
			if s[start] == ' ' {
				w.out = append(w.out, '\\')
				w.column++
			}
		}
		if start <= end {
			pending++
		}
		end += size
	}
	w.write(`"`)
}

func units(s string) (n int) {
	for _, c := range s {
		n++
		if c > 0xFFFF {
			n++
		}
	}
	return n
}

// escapeYAML is how a character stands in double quotes; raw is its own form.
func escapeYAML(c rune, raw string) string {
	switch c {
	case 0:
		return `\0`
	case '\a':
		return `\a`
	case '\b':
		return `\b`
	case '\t':
		return `\t`
	case '\n':
		return `\n`
	case '\v':
		return `\v`
	case '\f':
		return `\f`
	case '\r':
		return `\r`
	case 0x1B:
		return `\e`
	case '"':
		return `\"`
	case '\\':
		return `\\`
	case 0x85:
		return `\N`
	case 0xA0:
		return `\_`
	case 0x2028:
		return `\L`
	case 0x2029:
		return `\P`
	}
	switch {
	case printable(c):
		return raw
	case c <= 0xFF:
		return fmt.Sprintf(`\x%02x`, c)
	case c <= 0xFFFF:
		return fmt.Sprintf(`\u%04x`, c)
	}
	return fmt.Sprintf(`\U%08x`, c)
}

// printable is YAML's set of characters that may stand for themselves.
func printable(c rune) bool {
	return c >= ' ' && c <= '~' || c == '\t' || c == '\n' || c == '\r' || c == 0x85 ||
		c >= 0xA0 && c <= 0xD7FF || c >= 0xE000 && c <= 0xFFFD || c >= 0x10000
}
