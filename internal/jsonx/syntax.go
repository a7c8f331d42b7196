package jsonx

import "fmt"

// SyntaxError tells why a body is not the JSON that Elasticsearch takes, in
// Jackson's words.
type SyntaxError struct {
	// Line and Col are Jackson's: where its reader stood when it noticed.
	Line, Col int
	Msg       string
	// EOF says that the body ended too early; Elasticsearch answers 500 to that.
	EOF bool
	// Trailing says that a second value follows the first; Msg then is its token.
	Trailing bool
	// Empty says that the body holds no value at all.
	Empty bool
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("[%d:%d] %s", e.Line, e.Col, e.Msg) }
