package metadata

import (
	"slices"
	"strings"
	"unicode/utf16"

	"postern/internal/jsonx"
)

// AppendFlat appends the settings by their flat names, sorted.
func (s Settings) AppendFlat(dst []byte) []byte {
	dst = append(dst, '{')
	for i, x := range s.all {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsonx.AppendString(dst, x.Name), ':')
		dst = x.appendValue(dst)
	}
	return append(dst, '}')
}

// AppendNested appends the settings as nested objects. Elasticsearch builds these of hash
// maps, and so their members stand in the order of Java's hash maps.
func (s Settings) AppendNested(dst []byte) []byte {
	var root tree
	for i := range s.all {
		root.put(s.all[i].Name, &s.all[i])
	}
	return root.append(dst)
}

func (x *Setting) appendValue(dst []byte) []byte {
	switch {
	case x.Null:
		return append(dst, "null"...)
	case x.List == nil:
		return jsonx.AppendString(dst, x.Text)
	}
	dst = append(dst, '[')
	for i, text := range x.List {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonx.AppendString(dst, text)
	}
	return append(dst, ']')
}

// tree is one level of nested settings.
type tree struct {
	names []string // in the order of their arrival
	below map[string]*tree
	value *Setting
}

func (t *tree) child(name string) *tree {
	c := t.below[name]
	if c == nil {
		c = &tree{}
		if t.below == nil {
			t.below = map[string]*tree{}
		}
		t.below[name] = c
		t.names = append(t.names, name)
	}
	return c
}

// put hangs a setting in its place. A name that also has settings below it (a and a.b)
// keeps the dotted rest in one piece.
func (t *tree) put(name string, x *Setting) {
	head, rest, deeper := strings.Cut(name, ".")
	switch c := t.below[head]; {
	case !deeper:
		t.child(head).value = x
	case c != nil && c.value != nil:
		t.child(name).value = x
	default:
		t.child(head).put(rest, x)
	}
}

func (t *tree) append(dst []byte) []byte {
	dst = append(dst, '{')
	for i, name := range hashOrder(t.names, 4) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsonx.AppendString(dst, name), ':')
		if c := t.below[name]; c.value != nil {
			dst = c.value.appendValue(dst)
		} else {
			dst = c.append(dst)
		}
	}
	return append(dst, '}')
}

// HashOrder is the order in which a Java HashMap of these names is iterated over.
func HashOrder(names []string) []string { return hashOrder(names, 16) }

// hashOrder is HashOrder for a map that was made with another capacity.
func hashOrder(names []string, capacity uint32) []string {
	for float64(len(names)) > 0.75*float64(capacity) {
		capacity *= 2
	}
	bucket := make(map[string]uint32, len(names))
	for _, n := range names {
		h := javaHash(n)
		bucket[n] = (h ^ h>>16) & (capacity - 1)
	}
	sorted := slices.Clone(names)
	slices.SortStableFunc(sorted, func(a, b string) int { return int(bucket[a]) - int(bucket[b]) })
	return sorted
}

// javaHash is String.hashCode.
func javaHash(s string) (h uint32) {
	for _, u := range utf16.Encode([]rune(s)) {
		h = h*31 + uint32(u)
	}
	return h
}

// appendHashed appends a value whose objects have gone through Java's hash maps.
func appendHashed(dst []byte, v jsonx.Value) []byte {
	switch v.Kind() {
	case jsonx.Object:
		values := make(map[string]jsonx.Value, v.Len())
		names := make([]string, 0, v.Len())
		for k, m := range v.Members() {
			names = append(names, k.Text())
			values[k.Text()] = m
		}
		dst = append(dst, '{')
		for _, name := range HashOrder(names) {
			dst = appendHashed(member(dst, name), values[name])
		}
		return append(dst, '}')
	case jsonx.Array:
		dst = append(dst, '[')
		for e := range v.Elements() {
			if dst[len(dst)-1] != '[' {
				dst = append(dst, ',')
			}
			dst = appendHashed(dst, e)
		}
		return append(dst, ']')
	}
	return jsonx.Compact(dst, v)
}
