package rest

import (
	"net/http"
	"net/url"
	"strings"

	"postern/internal/eserr"
)

// Trie finds what is registered for a method and a path, as Elasticsearch's own path
// trie does: a segment's literal before a parameter, but back to the parameter where
// the literal leads to no path at all.
type Trie[T any] struct{ root node[T] }

type node[T any] struct {
	children map[string]*node[T]
	wildcard *node[T]
	methods  map[string]*leaf[T]
}

type leaf[T any] struct {
	value *T       // nil for a legacy route
	names []string // of the path's parameters
}

// NewTrie makes an empty one.
func NewTrie[T any]() *Trie[T] { return &Trie[T]{} }

// Add registers a value for a method and a path such as /{index}/_search. A nil value
// stands for what there once was: it counts among the allowed methods, but nobody
// answers.
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
	var room [8]string
	n, values := t.root.find(segments(rawPath), room[:0])
	if n == nil {
		return nil, in, &NoHandler{Method: method, Target: target}
	}
	l := n.methods[method]
	switch {
	case l == nil:
		return nil, in, n.wrongMethod(method, target)
	case l.value == nil:
		return nil, in, &NoHandler{Method: method, Target: target}
	}
	for i, name := range l.names {
		text, err := url.PathUnescape(values[i])
		if err != nil {
			return nil, in, eserr.IllegalArgument("invalid escape sequence in: %s", values[i])
		}
		in.Path = append(in.Path, Param{name, text})
	}
	return l.value, in, nil
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

// find is the node of a path. The first one that has methods is the answer, whether
// or not the asked one is among them.
func (n *node[T]) find(parts, values []string) (*node[T], []string) {
	if len(parts) == 0 {
		if n.methods == nil {
			return nil, nil
		}
		return n, values
	}
	if child := n.children[parts[0]]; child != nil {
		if found, v := child.find(parts[1:], values); found != nil {
			return found, v
		}
	}
	if n.wildcard == nil {
		return nil, nil
	}
	return n.wildcard.find(parts[1:], append(values, parts[0]))
}

// segments splits a path as Java's String.split does: the empty part before the first
// slash goes, and empty parts at the end; others stay.
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

// wrongMethod makes the error for a path that has other methods.
func (n *node[T]) wrongMethod(method, target string) error {
	e := &MethodNotAllowed{Method: method, Target: target}
	for _, m := range methodOrder {
		if n.methods[m] != nil {
			e.Allow = append(e.Allow, m)
		}
	}
	return e
}
