package analysis

import (
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

// The classes of Lucene's StandardTokenizer.
const (
	alphanum       = "<ALPHANUM>"
	num            = "<NUM>"
	southeastAsian = "<SOUTHEAST_ASIAN>"
	ideographic    = "<IDEOGRAPHIC>"
	hiragana       = "<HIRAGANA>"
	katakana       = "<KATAKANA>"
	hangul         = "<HANGUL>"
	emoji          = "<EMOJI>"
)

// standard is Lucene's StandardTokenizer: Unicode's word boundaries (UAX #29), keeping
// what has a letter, a digit or an emoji.
func standard(dst []Token, text string, limit int) []Token {
	c := cutter{dst: dst, text: text, limit: limit}
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			return unicodeWords(dst, text, limit)
		}
	}
	for i := 0; i < len(text); {
		if !wordByte(text[i]) {
			i++
			continue
		}
		from, class := i, num
		solid := false
		for i < len(text) {
			b := text[i]
			switch {
			case letter(b):
				class, solid = alphanum, true
			case digit(b):
				solid = true
			case b == '_':
			case joins(text, i):
			default:
				goto end
			}
			i++
		}
	end:
		if solid {
			c.add(from, i, class)
		}
	}
	return c.dst
}

func letter(b byte) bool   { return b|0x20 >= 'a' && b|0x20 <= 'z' }
func digit(b byte) bool    { return b >= '0' && b <= '9' }
func wordByte(b byte) bool { return letter(b) || digit(b) || b == '_' }

// joins reports whether the punctuation at i stands inside a word: between two letters
// or between two digits, by the character's class.
func joins(text string, i int) bool {
	if i == 0 || i+1 == len(text) {
		return false
	}
	before, after := text[i-1], text[i+1]
	switch text[i] {
	case '.', '\'':
		return letter(before) && letter(after) || digit(before) && digit(after)
	case ':':
		return letter(before) && letter(after)
	case ',', ';':
		return digit(before) && digit(after)
	}
	return false
}

// unicodeWords is standard for text beyond ASCII.
func unicodeWords(dst []Token, text string, limit int) []Token {
	c := cutter{dst: dst, text: text, limit: limit}
	at := 0
	from, class := 0, "" // the token being gathered
	flush := func(to int) {
		if class == emoji {
			head, tail := trimEmoji(text[from:to])
			c.add(from+head, from+tail, class)
		} else if class != "" {
			c.add(from, to, class)
		}
		class = ""
	}
	for w := words.FromString(text); w.Next(); {
		piece := w.Value()
		next := classOf(piece)
		switch {
		case next == southeastAsian && class == southeastAsian:
			// Scripts without spaces stay together, as Lucene leaves them.
		case next == "" && piece == ":" && class == alphanum && letterFollows(text[at+1:]):
			at += len(piece)
			continue
		case next == alphanum && class == alphanum && at > 0 && text[at-1] == ':' && from < at-1:
		default:
			flush(at)
			from, class = at, next
		}
		at += len(piece)
		if class != southeastAsian && class != alphanum {
			flush(at)
		}
	}
	if class == alphanum && at > from && text[at-1] == ':' {
		at--
	}
	flush(at)
	return c.dst
}

func letterFollows(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(r)
}

// classOf is the class of a piece between two word boundaries; empty when no token is
// made of it.
func classOf(piece string) string {
	var seen uint8 // of the classes below, those that the piece has characters of
	const (
		letters = 1 << iota
		digits
		hangulLetters
		katakanaLetters
		extenders // underscores and their like, which stand in any word
		pictures
		flags
	)
	regional := 0
	for _, r := range piece {
		switch {
		case r < utf8.RuneSelf:
			switch b := byte(r); {
			case letter(b):
				return alphanum
			case digit(b):
				seen |= digits
			case b == '_':
				seen |= extenders
			}
		case r == 0x20E3:
			if seen&^digits == 0 && keycap(piece) {
				return emoji
			}
		case r >= 0x1F1E6 && r <= 0x1F1FF:
			if regional++; regional == 2 {
				seen |= flags
			}
		case unicode.Is(unicode.Han, r) && !unicode.Is(unicode.Lm, r):
			return ideographic
		case unicode.Is(unicode.Hiragana, r):
			return hiragana
		case katakanaLetter(r):
			seen |= katakanaLetters
		case unicode.Is(unicode.Hangul, r):
			seen |= hangulLetters
		case unicode.In(r, unicode.Thai, unicode.Lao, unicode.Myanmar, unicode.Khmer) && !unicode.IsDigit(r):
			return southeastAsian
		case unicode.IsLetter(r), unicode.Is(unicode.Nl, r), unicode.Is(unicode.Other_Alphabetic, r) && !unicode.IsMark(r):
			seen |= letters
		case unicode.IsDigit(r), r == 0x066B:
			seen |= digits
		case unicode.Is(unicode.Pc, r):
			seen |= extenders
		case pictographic(r):
			seen |= pictures
		}
	}
	switch words := seen &^ (pictures | flags); {
	case words == hangulLetters:
		return hangul
	case words == katakanaLetters:
		return katakana
	case seen&(letters|hangulLetters|katakanaLetters) != 0:
		return alphanum
	case seen&digits != 0:
		return num
	case seen&(pictures|flags) != 0:
		return emoji
	}
	return ""
}

// keycap tells whether the piece is one of the emoji made of a digit, # or * and a key's frame.
func keycap(piece string) bool {
	switch piece[1:] {
	case "\ufe0f\u20e3", "\u20e3":
		return piece[0] == '#' || piece[0] == '*' || digit(piece[0])
	}
	return false
}

// katakanaLetter is Unicode's class Katakana of word boundaries: the script and the marks that it shares.
func katakanaLetter(r rune) bool {
	return unicode.Is(unicode.Katakana, r) || r == 0x30FC || r == 0xFF70 || r == 0x30A0 || r == 0x309B || r == 0x309C || r >= 0x3031 && r <= 0x3035
}

// trimEmoji drops what stands around the emoji of a piece: blanks before a modifier, joiners at its end.
func trimEmoji(piece string) (from, to int) {
	for from < len(piece) {
		r, size := utf8.DecodeRuneInString(piece[from:])
		if r < utf8.RuneSelf && r > ' ' || pictographic(r) || r >= 0x1F1E6 && r <= 0x1F1FF {
			break
		}
		from += size
	}
	to = len(piece)
	for to > from+3 && piece[to-3:to] == "\u200d" {
		to -= 3
	}
	return from, to
}

// pictographic covers the blocks in which Unicode keeps its emoji.
func pictographic(r rune) bool {
	return r >= 0x1F000 && r <= 0x1FAFF && !(r >= 0x1F1E6 && r <= 0x1F1FF) || r >= 0x2600 && r <= 0x27BF || r >= 0x2B05 && r <= 0x2B55 ||
		r == 0x00A9 || r == 0x00AE || r == 0x203C || r == 0x2049 || r == 0x2122 || r == 0x2139 ||
		r >= 0x2194 && r <= 0x21AA || r >= 0x231A && r <= 0x23FF || r >= 0x25AA && r <= 0x25FE
}
