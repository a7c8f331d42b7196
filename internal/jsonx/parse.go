package jsonx

import (
	"bytes"
	"errors"
	"io"
	"math"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// MaxDepth is how deep objects and arrays may nest, as in Elasticsearch.
const MaxDepth = 1000

// Parse reads one JSON value as strictly as Elasticsearch does: comments and a byte
// order mark are taken; duplicate names, anything after the value, invalid UTF-8 and
// nesting beyond MaxDepth are not. The error is a *SyntaxError.
//
// b must stay unchanged while Values of it are in use. An empty body is an error
// with Empty set.
func Parse(b []byte) (Value, error) {
	return ParseReuse(&Tape{nodes: make([]node, 0, 8+len(b)/12)}, b)
}

// ParseReuse is Parse into a tape that was used before, whose earlier Values are
// then void.
func ParseReuse(t *Tape, b []byte) (Value, error) {
	if len(b) > math.MaxInt32 {
		return Value{}, &SyntaxError{Line: 1, Col: 1, Msg: "body is longer than 2 GiB"}
	}
	t.reset(b)
	clean := blankComments(b)
	if bytes.HasPrefix(clean, bom) {
		clean = append([]byte("   "), clean[len(bom):]...)
	}
	if !utf8.Valid(clean) {
		return Value{}, explain(b, nil)
	}
	s := scanners.Get().(*scanner)
	err := s.fill(t, clean)
	s.release()
	if err != nil {
		return Value{}, explain(b, err)
	}
	return Value{t, 0}, nil
}

// MustParse is for values written in code; it panics on bad JSON.
func MustParse(s string) Value {
	v, err := Parse([]byte(s))
	if err != nil {
		panic(err)
	}
	return v
}

var bom = []byte("\xef\xbb\xbf")

// scanner is a reusable tokenizer.
type scanner struct {
	dec jsontext.Decoder
	in  bytes.Buffer
}

var scanners = sync.Pool{New: func() any { return new(scanner) }}

// release gives the scanner back without the body that it has read.
func (s *scanner) release() {
	s.in = bytes.Buffer{}
	s.dec.Reset(&s.in)
	scanners.Put(s)
}

var errTooDeep, errTrailing = errors.New("nested too deep"), errors.New("data after the value")

// fill reads one value and what must be the end after it.
func (s *scanner) fill(t *Tape, src []byte) error {
	s.in = *bytes.NewBuffer(src)
	// Lone surrogate escapes are taken; that raw bytes are UTF-8 was seen before.
	s.dec.Reset(&s.in, jsontext.AllowInvalidUTF8(true))
	end := 0
	for {
		tok, err := s.dec.ReadToken()
		if err != nil {
			return err
		}
		start := tokenStart(src, end)
		end = int(s.dec.InputOffset())
		switch tok.Kind() {
		case '{':
			t.open(Object, start)
		case '[':
			t.open(Array, start)
		case '}', ']':
			t.close(end)
		case '"':
			t.scalar(String, start, end, bytes.IndexByte(src[start:end], '\\') >= 0)
		case '0':
			t.scalar(Number, start, end, false)
		case 't':
			t.scalar(True, start, end, false)
		case 'f':
			t.scalar(False, start, end, false)
		default:
			t.scalar(Null, start, end, false)
		}
		switch depth := len(t.stack); {
		case depth > MaxDepth:
			return errTooDeep
		case depth == 0:
			if _, err := s.dec.ReadToken(); err == nil {
				return errTrailing
			} else if err != io.EOF {
				return err
			}
			return nil
		}
	}
}

// tokenStart steps over what may stand between two tokens.
func tokenStart(src []byte, i int) int {
	for {
		switch src[i] {
		case ' ', '\t', '\n', '\r', ',', ':':
			i++
		default:
			return i
		}
	}
}
