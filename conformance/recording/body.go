package recording

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lineEnded says whether a body of this exchange ends with a newline when it stands in
// plain lines: newline-delimited requests and texts do, JSON does not.
func lineEnded(target string, headers []Header, answer bool) bool {
	if answer {
		for _, h := range headers {
			if strings.EqualFold(h.Name, "content-type") {
				return !strings.Contains(h.Value, "json")
			}
		}
		return false
	}
	return NewlineDelimited(target)
}

// NewlineDelimited says whether requests to target carry newline-delimited JSON.
func NewlineDelimited(target string) bool {
	path, _, _ := strings.Cut(target, "?")
	return strings.HasSuffix(path, "/_bulk") || strings.HasSuffix(path, "/_msearch")
}

// DefaultContentType is what a replay says of a body if no header says otherwise.
func DefaultContentType(target string) string {
	if NewlineDelimited(target) {
		return "application/x-ndjson"
	}
	return "application/json"
}

// decodeBody turns the lines of a body into its bytes.
func decodeBody(lines []line, ended bool) ([]byte, error) {
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1].text) == "" {
		lines = lines[:len(lines)-1]
	}
	if len(lines) == 0 {
		return nil, nil
	}
	if strings.HasPrefix(lines[0].text, "= ") {
		body := []byte{}
		for _, l := range lines {
			s, err := strconv.Unquote(strings.TrimPrefix(l.text, "= "))
			if err != nil || !strings.HasPrefix(l.text, "= \"") {
				return nil, fmt.Errorf("line %d: a quoted body line is = and a string in double quotes", l.number)
			}
			body = append(body, s...)
		}
		return body, nil
	}
	var body []byte
	for i, l := range lines {
		if i > 0 {
			body = append(body, '\n')
		}
		body = append(body, l.text...)
	}
	if ended {
		body = append(body, '\n')
	}
	return body, nil
}

// encodeBody is the inverse of decodeBody.
func encodeBody(b *bytes.Buffer, body []byte, ended bool) {
	if body == nil {
		return
	}
	if text, ok := plain(body, ended); ok {
		b.WriteString(text)
		b.WriteByte('\n')
		return
	}
	for _, part := range bytes.SplitAfter(body, []byte("\n")) {
		if len(part) > 0 || len(body) == 0 {
			fmt.Fprintf(b, "= %s\n", strconv.Quote(string(part)))
		}
	}
}

// plain returns body as lines of the file, if they can be told apart from the rest of it.
func plain(body []byte, ended bool) (string, bool) {
	text := string(body)
	if ended {
		if !strings.HasSuffix(text, "\n") {
			return "", false
		}
		text = text[:len(text)-1]
	}
	if !utf8.ValidString(text) {
		return "", false
	}
	lines := strings.Split(text, "\n")
	if strings.TrimSpace(lines[0]) == "" || strings.TrimSpace(lines[len(lines)-1]) == "" {
		return "", false
	}
	for _, l := range lines {
		if l != "" && strings.ContainsRune(markers, rune(l[0])) {
			return "", false
		}
		for _, r := range l {
			if r != '\t' && !unicode.IsPrint(r) {
				return "", false
			}
		}
	}
	return text, true
}
