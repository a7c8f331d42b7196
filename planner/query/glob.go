package query

import (
	"strings"
	"unicode/utf8"
)

// glob is a compiled wildcard pattern: * stands for any text, ? for one character.
type glob struct {
	source string
	fold   bool // letters of ASCII match in either case, as in Lucene
	ops    []globOp
}

// globOp is a literal, or a run of wildcards: at least min characters, and any number
// more if star is set.
type globOp struct {
	lit  string
	min  int
	star bool
}

// compileGlob reads a wildcard pattern; a backslash takes the next character literally.
func compileGlob(source string, fold bool) glob {
	g := glob{source: source, fold: fold}
	var lit strings.Builder
	flush := func() {
		if lit.Len() > 0 {
			g.ops = append(g.ops, globOp{lit: lit.String()})
			lit.Reset()
		}
	}
	wild := func() *globOp {
		flush()
		if n := len(g.ops); n > 0 && g.ops[n-1].lit == "" {
			return &g.ops[n-1]
		}
		g.ops = append(g.ops, globOp{})
		return &g.ops[len(g.ops)-1]
	}
	for i := 0; i < len(source); i++ {
		switch c := source[i]; c {
		case '*':
			wild().star = true
		case '?':
			wild().min++
		case '\\':
			if i+1 < len(source) {
				i++
			}
			lit.WriteByte(source[i])
		default:
			lit.WriteByte(c)
		}
	}
	flush()
	return g
}

// MatchesPattern tells whether a name matches a pattern with wildcards.
func MatchesPattern(pattern, name string) bool { return compileGlob(pattern, false).matches(name) }

// literal returns the text of a glob without wildcards.
func (g glob) literal() (string, bool) {
	switch {
	case len(g.ops) == 0:
		return "", true
	case len(g.ops) == 1 && g.ops[0].lit != "":
		return g.ops[0].lit, true
	}
	return "", false
}

// prefix is the text every match begins with.
func (g glob) prefix() string {
	if g.fold || len(g.ops) == 0 {
		return ""
	}
	return g.ops[0].lit
}

// matches tests a text, with one point to come back to: the last star.
func (g glob) matches(text string) bool {
	at, op := 0, 0
	backAt, backOp := -1, 0
	for {
		if op == len(g.ops) {
			if at == len(text) {
				return true
			}
		} else if o := &g.ops[op]; o.lit != "" {
			if g.begins(text[at:], o.lit) {
				at += len(o.lit)
				op++
				continue
			}
		} else if next, ok := skip(text, at, o.min); ok {
			at = next
			op++
			if o.star {
				if op == len(g.ops) {
					return true
				}
				backAt, backOp = at, op
			}
			continue
		} else {
			return false
		}
		if backAt < 0 || backAt >= len(text) {
			return false
		}
		_, size := utf8.DecodeRuneInString(text[backAt:])
		backAt += size
		at, op = backAt, backOp
	}
}

func (g glob) begins(text, lit string) bool {
	if !g.fold {
		return strings.HasPrefix(text, lit)
	}
	if len(text) < len(lit) {
		return false
	}
	for i := range len(lit) {
		if lowerASCII(text[i]) != lowerASCII(lit[i]) {
			return false
		}
	}
	return true
}

func lowerASCII(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// skip steps over n characters.
func skip(text string, at, n int) (int, bool) {
	for ; n > 0; n-- {
		if at == len(text) {
			return at, false
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return at, true
}
