package transport

import (
	"strings"

	"postern/internal/eserr"
	"postern/internal/rest"
)

// options are the URL parameters that every endpoint has.
type options struct {
	pretty     bool
	human      bool
	errorTrace bool
	filterPath string
	format     string
	source     string
	sourceType string
	hasSource  bool // one of source and source_content_type stands in the URL
}

// parseQuery decodes the URL's parameters as Elasticsearch does: they are separated by
// & or ;, a + is a blank, and of several with one name the last counts.
func parseQuery(raw string) ([]rest.Param, error) {
	if raw == "" {
		return nil, nil
	}
	params := make([]rest.Param, 0, 4)
	for raw != "" {
		part := raw
		if i := strings.IndexAny(raw, "&;"); i >= 0 {
			part, raw = raw[:i], raw[i+1:]
		} else {
			raw = ""
		}
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		var err error
		if name, err = unescape(name); err != nil {
			return nil, err
		}
		if value, err = unescape(value); err != nil {
			return nil, err
		}
		params = append(params, rest.Param{Name: name, Value: value})
	}
	return params, nil
}

// unescape decodes a name or a value. It gives s itself when nothing is escaped.
func unescape(s string) (string, error) {
	i := strings.IndexAny(s, "%+")
	if i < 0 {
		return s, nil
	}
	out := append(make([]byte, 0, len(s)), s[:i]...)
	for ; i < len(s); i++ {
		switch s[i] {
		case '+':
			out = append(out, ' ')
		case '%':
			if i+2 >= len(s) {
				return "", eserr.BadParameter(eserr.IllegalArgument("partial escape sequence at end of string: %s", s))
			}
			high, low := fromHex(s[i+1]), fromHex(s[i+2])
			if high < 0 || low < 0 {
				return "", eserr.BadParameter(eserr.IllegalArgument("invalid escape sequence `%s' at index %d of: %s", s[i:i+3], i, s))
			}
			out = append(out, byte(high<<4|low))
			i += 2
		default:
			out = append(out, s[i])
		}
	}
	return strings.ToValidUTF8(string(out), "\uFFFD"), nil
}

func fromHex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// readOptions reads what belongs to every endpoint.
func readOptions(params []rest.Param) (options, error) {
	var o options
	for _, p := range params {
		var err error
		switch p.Name {
		case "pretty":
			err = readFlag(&o.pretty, p)
		case "human":
			err = readFlag(&o.human, p)
		case "error_trace":
			err = readFlag(&o.errorTrace, p)
		case "filter_path":
			o.filterPath = p.Value
		case "format":
			o.format = p.Value
		case "source":
			o.source, o.hasSource = p.Value, true
		case "source_content_type":
			o.sourceType, o.hasSource = p.Value, true
		}
		if err != nil {
			return o, err
		}
	}
	return o, nil
}

func readFlag(flag *bool, p rest.Param) error { return rest.Bool(flag, p) }
