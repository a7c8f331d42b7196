package rest

import (
	"net/http"
	"net/url"
	"strings"

	"postern/internal/eserr"
)

// Trie finds what is registered for a method and a path, as Elasticsearch's own path
// trie does: a segment's literal before a parameter, but back to the parameter where
// the literal leads nowhere.
type Trie[T any] struct{ root node[T] }

type node[T any] struct {
	children map[string]*node[T]
	wildcard *node[T]
	methods  map[string]*leaf[T]
}

type leaf[T any] struct {
	value *T
	names []string // of the path's parameters
}

// NewTrie makes an empty one.
func NewTrie[T any]() *Trie[T] { return &Trie[T]{} }

// Add registers a value for a method and a path such as /{index}/_search.
func (t *Trie[T]) Add(method, path string, value *T) {
	n := &t.root
	l := &leaf[T]{value: value}
	for _, segment := range segments(path) {
		if strings.HasPrefix(segment, "{") {
			l.names = append(l.names, segment[1:len(segment)-1])
			if n.wildcard == nil {
				n.wildcard = &node[T]{}
			}
			n = n.wildcard
			continue
		}
		if n.children == nil {
			n.children = map[string]*node[T]{}
		}
		if n.children[segment] == nil {
			n.children[segment] = &node[T]{}
		}
		n = n.children[segment]
	}
	if n.methods == nil {
		n.methods = map[string]*leaf[T]{}
	}
	n.methods[method] = l
}

// Find returns what is registered for the request, with the path's parameters, or the
// error that Elasticsearch answers: another method would do, or none. target is the
// path with the URL's parameters, for messages; rawPath is still escaped.
func (t *Trie[T]) Find(method, rawPath, target string) (*T, *Input, error) {
	in := &Input{Method: method, Target: rawPath}
	if err := checkEscapes(rawPath); err != nil {
		return nil, in, err
	}
	var values [8]string
	var allowed map[string]bool
	parts := segments(rawPath)
	l := find(&t.root, method, parts, values[:0], in, &allowed)
	switch {
	case l != nil && in.Path == nil:
		return l.value, in, nil
	case l != nil:
		for i := range in.Path {
			text, err := url.PathUnescape(in.Path[i].Value)
			if err != nil {
				return nil, in, eserr.IllegalArgument("invalid escape sequence in: %s", in.Path[i].Value)
			}
			in.Path[i].Value = text
		}
		return l.value, in, nil
	case len(allowed) > 0:
		return nil, in, WrongMethod(method, target, allowed)
	}
	return nil, in, &NoHandler{Method: method, Target: target}
}

// checkEscapes finds the first escape that is none, in Elasticsearch's words.
func checkEscapes(path string) error {
	for i := 0; i < len(path); i++ {
		if path[i] != '%' {
			continue
		}
		if i+2 >= len(path) {
			return eserr.IllegalArgument("unterminated escape sequence at end of string: %s", path)
		}
		if !hex(path[i+1]) || !hex(path[i+2]) {
			return eserr.IllegalArgument("invalid escape sequence `%s' at index %d of: %s", path[i:i+3], i, path)
		}
		i += 2
	}
	return nil
}

func hex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func find[T any](n *node[T], method string, parts, values []string, in *Input, allowed *map[string]bool) *leaf[T] {
	if len(parts) == 0 {
		if l := n.methods[method]; l != nil {
			for i, name := range l.names {
				in.Path = append(in.Path, Param{name, values[i]})
			}
			return l
		}
		for m := range n.methods {
			if *allowed == nil {
				*allowed = map[string]bool{}
			}
			(*allowed)[m] = true
		}
		return nil
	}
	if child := n.children[parts[0]]; child != nil {
		if l := find(child, method, parts[1:], values, in, allowed); l != nil {
			return l
		}
	}
	if n.wildcard == nil || parts[0] == "" {
		return nil
	}
	return find(n.wildcard, method, parts[1:], append(values, parts[0]), in, allowed)
}

// segments splits a path as Java's String.split does: the empty part before the first
// slash goes, and empty parts at the end; others stay and match nothing.
func segments(path string) []string {
	path = strings.TrimPrefix(path, "/")
	path = strings.TrimRight(path, "/")
	if path == "" {
		return nil
	}
	return strings.Split(path, "/")
}

// NoHandler says that nothing is registered for a path. Its body is Elasticsearch's,
// which is no error object.
type NoHandler struct{ Method, Target string }

func (e *NoHandler) Error() string {
	return "no handler found for uri [" + e.Target + "] and method [" + e.Method + "]"
}

// MethodNotAllowed says that a path has other methods. Its body is Elasticsearch's,
// which is no error object, and Allow belongs into the header of that name.
type MethodNotAllowed struct {
	Method, Target string
	Allow          []string
}

func (e *MethodNotAllowed) Error() string {
	return "Incorrect HTTP method for uri [" + e.Target + "] and method [" + e.Method + "], allowed: [" + strings.Join(e.Allow, ", ") + "]"
}

// Status is the HTTP status.
func (e *MethodNotAllowed) Status() int { return http.StatusMethodNotAllowed }

// methodOrder is the order in which Elasticsearch lists methods.
var methodOrder = [...]string{"GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE", "CONNECT"}

// WrongMethod makes the error for a path that has other methods.
func WrongMethod(method, target string, allowed map[string]bool) error {
	e := &MethodNotAllowed{Method: method, Target: target}
	for _, m := range methodOrder {
		if allowed[m] {
			e.Allow = append(e.Allow, m)
		}
	}
	return e
}
