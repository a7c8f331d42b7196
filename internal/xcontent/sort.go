package xcontent

import (
	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// Sorts reads the keys of a sort: a name, an object whose members are keys in order,
// or a list of those. key reads one member, name makes the key that a bare name stands
// for.
func Sorts[T any](list *[]T, v jsonx.Value, key func(*T, jsonx.Key, jsonx.Value) error, name func(*T, string)) error {
	switch v.Kind() {
	case jsonx.Array:
		for e := range v.Elements() {
			if e.Kind() != jsonx.Object && e.Kind() != jsonx.String {
				return eserr.IllegalArgument("malformed sort format, within the sort array, an object, or an actual string are allowed")
			}
			if err := Sorts(list, e, key, name); err != nil {
				return err
			}
		}
		return nil
	case jsonx.String:
		var x T
		name(&x, v.Text())
		*list = append(*list, x)
		return nil
	case jsonx.Object:
		for k, m := range v.Members() {
			var x T
			if err := key(&x, k, m); err != nil {
				return err
			}
			*list = append(*list, x)
		}
		return nil
	}
	if t := TokenOf(v); t == ValueNumber || t == ValueBoolean {
		var x T
		name(&x, v.Text())
		*list = append(*list, x)
		return nil
	}
	return eserr.IllegalArgument("malformed sort format, either start with array, object, or an actual string")
}
