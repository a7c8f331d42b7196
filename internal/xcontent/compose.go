package xcontent

import (
	"postern/internal/jsonx"
)

// Decode reads one value; the generated types' Decode methods and the scalars of this
// package are of this type.
type Decode[T any] func(x *T, v jsonx.Value) error

// Opt reads a member that may be absent.
func Opt[T any](x **T, v jsonx.Value, elem Decode[T]) error {
	t := new(T)
	if err := elem(t, v); err != nil {
		return err
	}
	*x = t
	return nil
}

// OptOrNull is Opt where null stands for an absent member.
func OptOrNull[T any](x **T, v jsonx.Value, elem Decode[T]) error {
	if v.Kind() == jsonx.Null {
		return nil
	}
	return Opt(x, v, elem)
}

// List reads an array. Null is an empty one, where the parser takes null at all.
func List[T any](x *[]T, v jsonx.Value, elem Decode[T]) error {
	list := make([]T, v.Len())
	i := 0
	for e := range v.Elements() {
		if err := elem(&list[i], e); err != nil {
			return err
		}
		i++
	}
	*x = list
	return nil
}

// OneOrMany reads an array, or a single element in its place.
func OneOrMany[T any](x *[]T, v jsonx.Value, elem Decode[T]) error {
	switch v.Kind() {
	case jsonx.Array:
		return List(x, v, elem)
	case jsonx.Null:
		*x = []T{}
		return nil
	}
	one := make([]T, 1)
	if err := elem(&one[0], v); err != nil {
		return err
	}
	*x = one
	return nil
}

// Dict reads an object with free keys, in order.
func Dict[T any](x *[]jsonx.Pair[T], v jsonx.Value, elem Decode[T]) error {
	list := make([]jsonx.Pair[T], 0, v.Len())
	for k, m := range v.Members() {
		list = append(list, jsonx.Pair[T]{Key: k.Text()})
		if err := elem(&list[len(list)-1].Value, m); err != nil {
			return err
		}
	}
	*x = list
	return nil
}

// Singles reads a list of objects with one free key each, or one such object.
func Singles[T any](x *[]jsonx.Pair[T], v jsonx.Value, elem Decode[T]) error {
	if v.Kind() != jsonx.Array {
		return Dict(x, v, elem)
	}
	list := make([]jsonx.Pair[T], 0, v.Len())
	for e := range v.Elements() {
		for k, m := range e.Members() {
			if err := Append(&list, k, m, elem); err != nil {
				return err
			}
		}
	}
	*x = list
	return nil
}
