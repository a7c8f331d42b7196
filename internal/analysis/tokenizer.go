package analysis

import (
	"unicode"
	"unicode/utf8"
)

// tokenizer appends the raw tokens of a text. Tokens longer than limit UTF-16 units are
// cut into pieces; 0 is no limit.
type tokenizer func(dst []Token, text string, limit int) []Token

// cutter appends tokens one after the other and keeps track of offsets in UTF-16 units.
type cutter struct {
	dst      []Token
	text     string
	limit    int
	position int
	// units is the UTF-16 length of text[:at].
	at, units int
}

func (c *cutter) offset(at int) int {
	for c.at < at {
		if b := c.text[c.at]; b < utf8.RuneSelf {
			c.at++
			c.units++
			continue
		}
		r, size := utf8.DecodeRuneInString(c.text[c.at:])
		c.at += size
		c.units++
		if r > 0xFFFF {
			c.units++
		}
	}
	return c.units
}

func (c *cutter) add(from, to int, class string) {
	start := c.offset(from)
	for c.limit > 0 {
		// A byte is at least a UTF-16 unit only for ASCII, so count when it may be too long.
		if to-from <= c.limit {
			break
		}
		cut, units := from, 0
		for cut < to && units < c.limit {
			r, size := utf8.DecodeRuneInString(c.text[cut:])
			if r > 0xFFFF {
				units++
			}
			units++
			cut += size
		}
		if cut == to {
			break
		}
		end := c.offset(cut)
		c.dst = append(c.dst, Token{c.text[from:cut], c.position, start, end, class})
		c.position++
		from, start = cut, end
	}
	c.dst = append(c.dst, Token{c.text[from:to], c.position, start, c.offset(to), class})
	c.position++
}

const word = "word"

// whole makes one token of the text.
func whole(dst []Token, text string, limit int) []Token {
	c := cutter{dst: dst, text: text, limit: limit}
	if text != "" {
		c.add(0, len(text), word)
	}
	return c.dst
}

// letters makes tokens of runs of letters.
func letters(dst []Token, text string, limit int) []Token {
	return runs(dst, text, limit, unicode.IsLetter)
}

// whitespace makes tokens of what stands between white space, by Java's notion of it:
// no-break spaces are none.
func whitespace(dst []Token, text string, limit int) []Token {
	return runs(dst, text, limit, func(r rune) bool {
		switch {
		case r == 0xA0 || r == 0x2007 || r == 0x202F:
			return true
		case r <= 0x20:
			return !(r >= 0x09 && r <= 0x0D || r >= 0x1C)
		}
		return !unicode.In(r, unicode.Zs, unicode.Zl, unicode.Zp)
	})
}

func runs(dst []Token, text string, limit int, inside func(rune) bool) []Token {
	c := cutter{dst: dst, text: text, limit: limit}
	from := -1
	for i, r := range text {
		if inside(r) {
			if from < 0 {
				from = i
			}
		} else if from >= 0 {
			c.add(from, i, word)
			from = -1
		}
	}
	if from >= 0 {
		c.add(from, len(text), word)
	}
	return c.dst
}
