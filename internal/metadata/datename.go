package metadata

import (
	"strings"
	"time"

	"postern/internal/datemath"
	"postern/internal/eserr"
)

// ResolveDateName gives the name that a date math name such as <logs-{now/d}> stands for;
// other names are given back as they are.
func ResolveDateName(name string, now time.Time) (string, error) {
	if len(name) < 2 || name[0] != '<' || name[len(name)-1] != '>' {
		return name, nil
	}
	r := dateName{whole: name, now: now}
	return r.resolve([]rune(name))
}

func resolveDateMath(exprs []string, opt IndicesOptions) ([]string, error) {
	resolved := exprs
	for i, x := range exprs {
		if !strings.HasPrefix(strings.TrimPrefix(x, "-"), "<") {
			continue
		}
		if i == 0 || &resolved[0] == &exprs[0] {
			resolved = append([]string(nil), exprs...)
		}
		minus := ""
		if opt.wildcards() && strings.HasPrefix(x, "-") && i > 0 {
			minus, x = "-", x[1:]
		}
		name, err := ResolveDateName(x, opt.now())
		if err != nil {
			return nil, err
		}
		resolved[i] = minus + name
	}
	return resolved, nil
}

// dateName walks over one name: outside of braces, inside (the date math), and inside of
// braces in braces (the format).
type dateName struct {
	whole string
	now   time.Time
	out   strings.Builder
	math  []rune
}

func (r *dateName) resolve(text []rune) (string, error) {
	const reserved = "invalid character at position [%d]. `{` and `}` are reserved characters and should be escaped when used as part of the index name using `\\` (e.g. `\\{text\\}`)"
	inside, inFormat, escape := false, false, false
	last := len(text) - 1
	for i := 1; i < last; i++ {
		c := text[i]
		if c == '\\' && !escape {
			escape = true
			continue
		}
		escaped := escape
		escape = false
		if !inside {
			switch {
			case escaped:
				r.out.WriteRune(c)
			case c == '{':
				inside, inFormat = true, false
				r.math = r.math[:0]
			case c == '}':
				return "", r.invalid(string(text[1:]), reserved, i)
			default:
				r.out.WriteRune(c)
			}
			continue
		}
		switch {
		case !escaped && c == '{' && inFormat:
			return "", r.invalid(string(text[1:]), "invalid character in placeholder at position [%d]", i)
		case !escaped && c == '{':
			inFormat = true
			r.math = append(r.math, c)
		case !escaped && c == '}' && inFormat:
			inFormat = false
			r.math = append(r.math, c)
		case !escaped && c == '}':
			if err := r.placeholder(string(r.math)); err != nil {
				return "", err
			}
			inside = false
		default:
			r.math = append(r.math, c)
		}
	}
	if inside {
		return "", r.invalid(string(text[1:]), "date math placeholder is open ended")
	}
	if r.out.Len() == 0 {
		return "", eserr.ParseError("nothing captured")
	}
	return r.out.String(), nil
}

// invalid is Elasticsearch's complaint; it names what stands behind the opening angle.
func (r *dateName) invalid(what, format string, a ...any) error {
	return eserr.ParseError("invalid dynamic name expression ["+escapePercent(what)+"]. "+format, a...)
}

func escapePercent(s string) string { return strings.ReplaceAll(s, "%", "%%") }

// placeholder appends what date math with an optional format and zone stands for:
// now/d{uuuu.MM.dd|+01:00}.
func (r *dateName) placeholder(text string) error {
	math, pattern, zone := text, "uuuu.MM.dd", time.UTC
	if open := strings.IndexByte(text, '{'); open >= 0 {
		if !strings.HasSuffix(text, "}") {
			return r.invalid(text, "missing closing `}` for date math format")
		}
		if open == len(text)-2 {
			return r.invalid(text, "missing date format")
		}
		math = text[:open]
		pattern = text[open+1 : len(text)-1]
		if bar := strings.IndexByte(pattern, '|'); bar >= 0 {
			z, err := datemath.Zone(pattern[bar+1:])
			if err != nil {
				return err
			}
			pattern, zone = pattern[:bar], z
		}
	}
	format, err := datemath.ParseFormat(pattern)
	if err != nil {
		return err
	}
	at, err := format.ParseMath(math, r.now, false, zone)
	if err != nil {
		return err
	}
	r.out.Write(format.AppendFormat(nil, at, zone))
	return nil
}
