package metadata

import "strings"

// MatchWildcard tells that a text matches a pattern in which * stands for any part.
func MatchWildcard(pattern, text string) bool {
	star := strings.IndexByte(pattern, '*')
	if star < 0 {
		return pattern == text
	}
	if !strings.HasPrefix(text, pattern[:star]) {
		return false
	}
	text = text[star:]
	pattern = pattern[star+1:]
	for {
		star = strings.IndexByte(pattern, '*')
		if star < 0 {
			return strings.HasSuffix(text, pattern)
		}
		// The leftmost place is the best one: it leaves most of the text.
		at := strings.Index(text, pattern[:star])
		if at < 0 {
			return false
		}
		text = text[at+star:]
		pattern = pattern[star+1:]
	}
}
