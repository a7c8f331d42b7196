package render

import (
	"strings"

	"postern/internal/jsonx"
)

// Filter is a parsed filter_path: the parts of an answer to keep and those to leave
// out. A nil Filter keeps all.
type Filter struct {
	includes, excludes *pathNode
}

// pathNode is one step of all patterns that begin alike.
type pathNode struct {
	name  string
	final bool // a pattern ends here: all below belongs to it
	kids  []*pathNode
}

// ParseFilter reads patterns separated by commas: names joined by dots (a dot of a
// name's own is escaped, \.), * within a name, ** for any number of steps, and a - in
// front to leave out. It gives nil for a filter that keeps all.
func ParseFilter(text string) *Filter {
	f := &Filter{}
	for pattern := range strings.SplitSeq(text, ",") {
		pattern = strings.TrimSpace(pattern)
		root := &f.includes
		if rest, ok := strings.CutPrefix(pattern, "-"); ok {
			root, pattern = &f.excludes, rest
		}
		if pattern == "" {
			continue
		}
		if *root == nil {
			*root = &pathNode{}
		}
		(*root).insert(pattern)
	}
	if f.includes == nil && f.excludes == nil {
		return nil
	}
	return f
}

func (n *pathNode) insert(pattern string) {
	name, rest := pattern, ""
	ends := true
	for i := 0; i < len(pattern); i++ {
		if pattern[i] == '\\' && i+1 < len(pattern) && pattern[i+1] == '.' {
			i++
		} else if pattern[i] == '.' {
			if i > 0 { // a dot in front is part of the name, in Elasticsearch
				name, rest, ends = pattern[:i], pattern[i+1:], false
			}
			break
		}
	}
	name = strings.ReplaceAll(name, `\.`, ".")
	kid := n.kid(name)
	if ends {
		kid.final = true
	} else if !kid.final {
		kid.insert(rest)
	}
}

func (n *pathNode) kid(name string) *pathNode {
	for _, k := range n.kids {
		if k.name == name {
			return k
		}
	}
	k := &pathNode{name: name}
	n.kids = append(n.kids, k)
	return k
}

// step follows a name from a set of nodes: whole says that a pattern ends with it,
// next are the nodes that go on.
func step(nodes []*pathNode, name string) (whole bool, next []*pathNode) {
	for _, n := range nodes {
		for _, k := range n.kids {
			if k.name != name && !(strings.Contains(k.name, "*") && globMatch(k.name, name)) {
				continue
			}
			if k.final {
				return true, nil
			}
			next = append(next, k)
		}
		if n.name == "**" {
			next = append(next, n)
		}
	}
	return false, next
}

// globMatch knows * only.
func globMatch(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	if !strings.HasPrefix(name, parts[0]) {
		return false
	}
	name = name[len(parts[0]):]
	last := parts[len(parts)-1]
	for _, p := range parts[1 : len(parts)-1] {
		i := strings.Index(name, p)
		if i < 0 {
			return false
		}
		name = name[i+len(p):]
	}
	return strings.HasSuffix(name, last)
}

// Append appends what the filter keeps of v. Of an object that is the object at
// least, of an array it may be nothing at all.
func (f *Filter) Append(dst []byte, v jsonx.Value) []byte {
	if f.excludes != nil {
		kept := appendFiltered(nil, v, []*pathNode{f.excludes}, false, true)
		if f.includes == nil {
			return append(dst, kept...)
		}
		var err error
		if v, err = jsonx.Parse(kept); err != nil || !v.Exists() {
			return dst
		}
	}
	return appendFiltered(dst, v, []*pathNode{f.includes}, true, true)
}

// appendFiltered appends what is left of v at those nodes. Objects and arrays of
// which nothing is left are not written, but the outermost object.
func appendFiltered(dst []byte, v jsonx.Value, nodes []*pathNode, include, root bool) []byte {
	mark := len(dst)
	switch v.Kind() {
	case jsonx.Object:
		dst = append(dst, '{')
		start := len(dst)
		for k, m := range v.Members() {
			name := k.Text()
			whole, next := step(nodes, name)
			if whole != include && (whole || next == nil) {
				continue // left out, or not asked for
			}
			before := len(dst)
			dst = appendComma(dst, start)
			dst = jsonx.AppendString(dst, name)
			dst = append(dst, ':')
			value := len(dst)
			if whole || next == nil {
				dst = Compact(dst, m)
			} else {
				dst = appendFiltered(dst, m, next, include, false)
			}
			if len(dst) == value {
				dst = dst[:before]
			}
		}
		if len(dst) == start && !root {
			return dst[:mark]
		}
		return append(dst, '}')
	case jsonx.Array:
		dst = append(dst, '[')
		start := len(dst)
		for e := range v.Elements() {
			before := len(dst)
			dst = appendComma(dst, start)
			value := len(dst)
			if dst = appendFiltered(dst, e, nodes, include, false); len(dst) == value {
				dst = dst[:before]
			}
		}
		if len(dst) == start {
			return dst[:mark]
		}
		return append(dst, ']')
	}
	if include {
		return dst
	}
	return appendScalar(dst, v)
}
