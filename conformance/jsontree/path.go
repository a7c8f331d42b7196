package jsontree

import (
	"fmt"
	"strconv"
	"strings"
)

// Path names places in a value: names joined by dots, `*` for any member or element,
// a number for an element, `**` for any depth; a name that holds a dot is quoted. A dot
// alone is the whole value.
type Path []string

// ParsePath reads a path such as hits.hits.*._id or items.0."a.b".
func ParsePath(text string) (Path, error) {
	var p Path
	if text == "." {
		return p, nil
	}
	rest := text
	for {
		var step string
		if strings.HasPrefix(rest, `"`) {
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil {
				return nil, fmt.Errorf("path %q: %v", text, err)
			}
			step, _ = strconv.Unquote(quoted)
			rest = rest[len(quoted):]
			if rest != "" && rest[0] != '.' {
				return nil, fmt.Errorf("path %q: a dot must follow %s", text, quoted)
			}
		} else if dot := strings.IndexByte(rest, '.'); dot >= 0 {
			step, rest = rest[:dot], rest[dot:]
		} else {
			step, rest = rest, ""
		}
		if step == "" {
			return nil, fmt.Errorf("path %q has an empty step", text)
		}
		p = append(p, step)
		if rest == "" {
			return p, nil
		}
		rest = rest[1:]
	}
}

// String writes the path as ParsePath reads it.
func (p Path) String() string {
	steps := make([]string, len(p))
	for i, s := range p {
		if strings.ContainsAny(s, `."`) {
			s = strconv.Quote(s)
		}
		steps[i] = s
	}
	if len(p) == 0 {
		return "."
	}
	return strings.Join(steps, ".")
}

// Wild says that the path names everything: such a path would hide a whole body.
func (p Path) Wild() bool {
	for _, s := range p {
		if s != "*" && s != "**" {
			return false
		}
	}
	return true
}

// Matches says whether the place at, written as plain steps, is one the path names.
func (p Path) Matches(at []string) bool {
	if len(p) == 0 {
		return len(at) == 0
	}
	if p[0] == "**" {
		for i := 0; i <= len(at); i++ {
			if p[1:].Matches(at[i:]) {
				return true
			}
		}
		return false
	}
	return len(at) > 0 && (p[0] == "*" || p[0] == at[0]) && p[1:].Matches(at[1:])
}

// Find returns the first value that the path names.
func (p Path) Find(v Value) (Value, bool) {
	if len(p) == 0 {
		return v, true
	}
	if p[0] == "**" {
		if found, ok := p[1:].Find(v); ok {
			return found, true
		}
	}
	for step, child := range children(v) {
		rest := p[1:]
		switch p[0] {
		case "**":
			rest = p
		case "*", step:
		default:
			continue
		}
		if found, ok := rest.Find(child); ok {
			return found, true
		}
	}
	return nil, false
}

func children(v Value) func(yield func(string, Value) bool) {
	return func(yield func(string, Value) bool) {
		switch v := v.(type) {
		case Object:
			for _, m := range v {
				if !yield(m.Name, m.Value) {
					return
				}
			}
		case Array:
			for i, e := range v {
				if !yield(strconv.Itoa(i), e) {
					return
				}
			}
		}
	}
}

// Map returns v with each place replaced by what change says, the inner places first.
// change must not keep at.
func Map(v Value, change func(at []string, v Value) Value) Value {
	return mapAt(nil, v, change)
}

func mapAt(at []string, v Value, change func([]string, Value) Value) Value {
	switch t := v.(type) {
	case Object:
		o := make(Object, len(t))
		for i, m := range t {
			o[i] = Member{Name: m.Name, Value: mapAt(append(at, m.Name), m.Value, change)}
		}
		v = o
	case Array:
		a := make(Array, len(t))
		for i, e := range t {
			a[i] = mapAt(append(at, strconv.Itoa(i)), e, change)
		}
		v = a
	}
	return change(at, v)
}
