package jsonx

import "fmt"

// SyntaxError tells why a body is not the JSON that Elasticsearch takes.
type SyntaxError struct {
	// Line and Col are Jackson's: where its reader stood when it noticed.
	Line, Col int
	// Msg is Jackson's message without its source.
	Msg string
	// EOF says that the body ended too early; Elasticsearch answers 500 to that.
	EOF bool
	// Trailing is the token, by Elasticsearch's name, that follows the value; "" when
	// that is not what is wrong.
	Trailing string
	// Behind says that a whole value stands before it.
	Behind bool
	// InString says that it was found inside a string value.
	InString bool
	// Limit says that a limit of Jackson's is passed, not a rule of JSON.
	Limit bool

	src  []byte
	last int
	// tape is what was read before; at is where the parser stands.
	tape       *Tape
	at         int
	duplicated bool
}

// Standing is where a parser stands that has met the error.
func (e *SyntaxError) Standing() (line, col int) { return position(e.src, e.at) }

// LastToken is where the last whole token before the error begins.
func (e *SyntaxError) LastToken() (line, col int) { return position(e.src, e.last) }

func (e *SyntaxError) Error() string { return fmt.Sprintf("[%d:%d] %s", e.Line, e.Col, e.Msg) }

// Jackson is the message with the source and the position behind it, as Jackson
// writes it.
func (e *SyntaxError) Jackson() string {
	return fmt.Sprintf("%s\n at %s", e.Msg, location(e.src, e.Line, e.Col))
}

// location is a place in a body as Jackson writes it.
func location(src []byte, line, col int) string {
	return fmt.Sprintf("[Source: (byte[])%s; line: %d, column: %d]", excerpt(src), line, col)
}

// maxExcerpt is how much of a body Jackson's messages show.
const maxExcerpt = 500

// excerpt is the body as Jackson's messages show it: quoted, cut, and with control
// characters other than line ends escaped.
func excerpt(src []byte) string {
	cut := src[:min(len(src), maxExcerpt)]
	out := append(make([]byte, 0, len(cut)+32), '"')
	for _, c := range cut {
		if c < ' ' && c != '\n' && c != '\r' {
			out = append(out, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
			continue
		}
		out = append(out, c)
	}
	out = append(out, '"')
	if n := len(src) - len(cut); n > 0 {
		out = fmt.Appendf(out, "[truncated %d bytes]", n)
	}
	return string(out)
}
