package ir

import (
	"strings"
	"unicode"
)

// initialisms are the words that Go writes in capitals.
var initialisms = map[string]string{
	"id": "ID", "ids": "IDs", "ip": "IP", "url": "URL", "uuid": "UUID", "json": "JSON", "http": "HTTP",
}

// GoName is the exported Go name of a wire name: minimum_should_match is
// MinimumShouldMatch, _id is ID, routing.index is RoutingIndex.
func GoName(wire string) string {
	var b strings.Builder
	for _, w := range strings.FieldsFunc(wire, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if s, ok := initialisms[strings.ToLower(w)]; ok {
			b.WriteString(s)
			continue
		}
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	return b.String()
}
