package recording

import (
	"bytes"
	"fmt"
	"strings"
)

// Format writes r as Parse reads it.
func Format(r *Recording) []byte {
	b := &bytes.Buffer{}
	comments(b, r.About)
	b.WriteByte('\n')
	if r.Engine != "" {
		fmt.Fprintf(b, "engine %s\n", r.Engine)
	}
	for _, kind := range Kinds {
		var names []string
		for _, c := range r.Creates {
			if c.Kind == kind.Name {
				names = append(names, c.Name)
			}
		}
		words(b, kind.Name, names, " ")
	}
	words(b, "data", r.Data, " ")
	words(b, "covers", r.Covers, ", ")
	if r.Alone != "" {
		fmt.Fprintf(b, "alone %s\n", r.Alone)
	}
	words(b, "literal", r.Literal, " ")
	for _, rule := range r.Rules {
		fmt.Fprintf(b, "%s\n", rule)
	}
	for i := range r.Exchanges {
		b.WriteByte('\n')
		r.Exchanges[i].format(b)
	}
	return b.Bytes()
}

func comments(b *bytes.Buffer, lines []string) {
	for _, l := range lines {
		b.WriteString(strings.TrimRight("# "+l, " "))
		b.WriteByte('\n')
	}
}

func words(b *bytes.Buffer, directive string, list []string, separator string) {
	if len(list) > 0 {
		fmt.Fprintf(b, "%s %s\n", directive, strings.Join(list, separator))
	}
}

func (x *Exchange) format(b *bytes.Buffer) {
	comments(b, x.Note)
	fmt.Fprintf(b, "> %s %s\n", x.Request.Method, x.Request.Target)
	formatHeaders(b, x.Request.Headers)
	encodeBody(b, x.Request.Body, lineEnded(x.Request.Target, nil, false))
	a := x.Answer
	if a == nil {
		return
	}
	fmt.Fprintf(b, "< %d\n", a.Status)
	formatHeaders(b, a.Headers)
	for _, rule := range a.Rules {
		fmt.Fprintf(b, "~ %s\n", rule)
	}
	encodeBody(b, a.Body, lineEnded("", a.Headers, true))
}

func formatHeaders(b *bytes.Buffer, list []Header) {
	for _, h := range list {
		b.WriteString(strings.TrimRight(fmt.Sprintf("+ %s: %s", h.Name, h.Value), " "))
		b.WriteByte('\n')
	}
}
