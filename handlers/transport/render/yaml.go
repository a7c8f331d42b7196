package render

import (
	"strings"
	"unicode/utf8"

	"postern/internal/jsonx"
)

// YAML appends v as Elasticsearch's YAML generator (Jackson over SnakeYAML) writes a
// document.
func YAML(dst []byte, v jsonx.Value) []byte {
	w := &yamlWriter{out: append(dst, "---"...)}
	w.column = 3
	switch {
	case v.Len() > 0:
		w.newline(0)
	default:
		w.write(" ")
	}
	w.node(v, 0, 2)
	return append(w.out, '\n')
}

// yamlWriter counts columns, for long strings are folded.
type yamlWriter struct {
	out    []byte
	column int // in characters
}

const (
	yamlWidth       = 80
	yamlMaxPlainKey = 128 // longer names are written as "? name"
)

func (w *yamlWriter) write(s string) {
	w.out = append(w.out, s...)
	w.column += utf8.RuneCountInString(s)
}

func (w *yamlWriter) newline(indent int) {
	w.out = append(w.out, '\n')
	for range indent {
		w.out = append(w.out, ' ')
	}
	w.column = indent
}

// node writes a value at an indent, from where the writer stands: behind "- ", behind
// "name: ", or at the line's beginning. A string is folded to the indent fold.
func (w *yamlWriter) node(v jsonx.Value, indent, fold int) {
	first := true
	next := func() {
		if !first {
			w.newline(indent)
		}
		first = false
	}
	switch v.Kind() {
	case jsonx.Object:
		if v.Len() == 0 {
			w.write("{}")
			return
		}
		for k, m := range v.Members() {
			next()
			w.member(k.Text(), m, indent)
		}
	case jsonx.Array:
		if v.Len() == 0 {
			w.write("[]")
			return
		}
		for e := range v.Elements() {
			next()
			w.write("- ")
			w.node(e, indent+2, indent+2)
		}
	case jsonx.String:
		w.doubleQuoted(v.Text(), fold)
	default:
		w.write(string(appendScalar(nil, v)))
	}
}

func (w *yamlWriter) member(name string, v jsonx.Value, indent int) {
	if utf8.RuneCountInString(name) >= yamlMaxPlainKey || strings.ContainsAny(name, "\n\r\u0085\u2028\u2029") {
		w.write("? ")
		w.key(name)
		w.newline(indent)
		w.write(": ")
		w.node(v, w.below(v, indent, true), indent+2)
		return
	}
	w.key(name)
	w.write(":")
	if v.Len() > 0 {
		below := w.below(v, indent, false)
		w.newline(below)
		w.node(v, below, indent+2)
		return
	}
	w.write(" ")
	w.node(v, indent, indent+2)
}

// below is the indent of what a member holds: arrays are not indented under a name.
func (w *yamlWriter) below(v jsonx.Value, indent int, sameLine bool) int {
	if v.Kind() == jsonx.Object || v.Kind() == jsonx.Array && sameLine {
		return indent + 2
	}
	return indent
}

// key writes a name: plain where it can be, quoted where another reader might take it
// for something else.
func (w *yamlWriter) key(name string) {
	switch style := keyStyle(name); style {
	case '"':
		w.doubleQuoted(name, -1)
	case '\'':
		w.write("'" + strings.ReplaceAll(name, "'", "''") + "'")
	default:
		w.write(name)
	}
}

func keyStyle(name string) byte {
	if name == "" || strings.IndexByte("0123456789-+.~", name[0]) >= 0 || yamlWords[name] {
		return '"'
	}
	single := name[0] == ' ' || name[len(name)-1] == ' ' || strings.IndexByte("#,[]{}&*!|>'\"%@`", name[0]) >= 0
	for i, c := range name {
		if c < ' ' || c > '~' && !printable(c) || c == 0x85 || c == 0x2028 || c == 0x2029 {
			return '"'
		}
		space := i+utf8.RuneLen(c) == len(name) || name[i+utf8.RuneLen(c)] == ' '
		switch {
		case c == ':' && space, c == '?' && i == 0 && space, c == '#' && i > 0 && name[i-1] == ' ':
			single = true
		}
	}
	if single {
		return '\''
	}
	return 0
}

var yamlWords = map[string]bool{
	"false": true, "False": true, "FALSE": true, "n": true, "N": true, "no": true, "No": true, "NO": true,
	"null": true, "Null": true, "NULL": true, "on": true, "On": true, "ON": true, "off": true, "Off": true, "OFF": true,
	"true": true, "True": true, "TRUE": true, "y": true, "Y": true, "yes": true, "Yes": true, "YES": true,
}
