package query

import (
	"strconv"
	"strings"

	"postern/internal/eserr"
)

// neededOf is the number of optional clauses that must match, of a minimum_should_match
// in any of its forms: 2, -1, 75%, -25%, 2<75% 9<-3. An empty one asks for none.
func neededOf(optional int, spec string) (int, *eserr.Error) {
	spec = strings.TrimSpace(spec)
	if spec == "" {
		return 0, nil
	}
	return needed(optional, spec)
}

func needed(optional int, spec string) (int, *eserr.Error) {
	result := optional
	if strings.Contains(spec, "<") {
		for _, part := range strings.Fields(tightenLess(spec)) {
			limit, rest, _ := strings.Cut(part, "<")
			above, err := javaInt(limit)
			if err != nil {
				return 0, err
			}
			if optional <= above {
				return result, nil
			}
			if result, err = needed(optional, rest); err != nil {
				return 0, err
			}
		}
		return result, nil
	}
	if i := strings.IndexByte(spec, '%'); i >= 0 {
		percent, err := javaInt(spec[:len(spec)-1])
		if err != nil {
			return 0, err
		}
		part := int(float32(result*percent) * (1 / float32(100)))
		if part < 0 {
			part += result
		}
		return max(part, 0), nil
	}
	n, err := javaInt(spec)
	if err != nil {
		return 0, err
	}
	if n < 0 {
		n += result
	}
	return max(n, 0), nil
}

// tightenLess removes the spaces around every "<".
func tightenLess(spec string) string {
	parts := strings.Split(spec, "<")
	for i := range parts {
		if i > 0 {
			parts[i] = strings.TrimLeft(parts[i], " ")
		}
		if i < len(parts)-1 {
			parts[i] = strings.TrimRight(parts[i], " ")
		}
	}
	return strings.Join(parts, "<")
}

// javaInt reads what Integer.parseInt reads.
func javaInt(s string) (int, *eserr.Error) {
	n, err := strconv.ParseInt(s, 10, 32)
	if err != nil {
		return 0, eserr.NumberFormat("For input string: \"" + s + "\"")
	}
	return int(n), nil
}
