package mutate

import "postern/internal/jsonx"

// merge appends the source with a partial document laid over it: objects are merged
// member by member, anything else is replaced, new members come last. changed tells that
// the result differs from source.
func merge(dst []byte, source, partial jsonx.Value) (merged []byte, changed bool) {
	dst = append(dst, '{')
	first := true
	name := func(k jsonx.Key) {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(jsonx.AppendString(dst, k.Text()), ':')
	}
	for k, old := range source.Members() {
		name(k)
		update := partial.Get(k.Text())
		switch {
		case !update.Exists():
			dst = appendRewritten(dst, old)
		case old.Kind() == jsonx.Object && update.Kind() == jsonx.Object:
			inner := false
			dst, inner = merge(dst, old, update)
			changed = changed || inner
		default:
			dst = appendRewritten(dst, update)
			changed = changed || !equal(old, update)
		}
	}
	for k, update := range partial.Members() {
		if !source.Get(k.Text()).Exists() {
			name(k)
			dst = appendRewritten(dst, update)
			changed = true
		}
	}
	return append(dst, '}'), changed
}
