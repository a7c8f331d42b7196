package jsonx

import "bytes"

// blankComments gives src with its comments replaced by blanks, byte for byte, so
// that offsets stay. Without a comment it gives src itself.
func blankComments(src []byte) []byte {
	if bytes.IndexByte(src, '/') < 0 && bytes.IndexByte(src, '#') < 0 {
		return src
	}
	out := src
	for i := 0; i < len(src); {
		switch src[i] {
		case '"':
			i = stringEnd(src, i)
			continue
		case '/', '#':
			end := commentEnd(src, i)
			if end == i {
				return out // no comment: the tokenizer will find it
			}
			if &out[0] == &src[0] {
				out = bytes.Clone(src)
			}
			for j := i; j < end; j++ {
				if out[j] != '\n' && out[j] != '\r' {
					out[j] = ' '
				}
			}
			i = end
			continue
		}
		i++
	}
	return out
}

// stringEnd is the offset after the string that opens at i.
func stringEnd(src []byte, i int) int {
	for i++; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(src)
}

// commentEnd is the offset after the comment that opens at i; i when none does or
// when it is not closed.
func commentEnd(src []byte, i int) int {
	rest := src[i:]
	switch {
	case rest[0] == '#' || bytes.HasPrefix(rest, []byte("//")):
		if n := bytes.IndexAny(rest, "\r\n"); n >= 0 {
			return i + n
		}
		return len(src)
	case bytes.HasPrefix(rest, []byte("/*")):
		if n := bytes.Index(rest[2:], []byte("*/")); n >= 0 {
			return i + 2 + n + 2
		}
	}
	return i
}
