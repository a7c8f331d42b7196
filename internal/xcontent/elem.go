package xcontent

import (
	"fmt"
	"net/http"
	"strings"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// Elem makes the decoder of a list's element that is declared with some tokens; says is
// what is said of others, %t being the token.
func Elem[T any](allowed Tokens, says Complaint, elem Decode[T]) Decode[T] {
	return func(x *T, v jsonx.Value) error {
		if allowed.Has(TokenOf(v)) {
			return elem(x, v)
		}
		return (&Parser{}).say(says, v, "", TokenOf(v))
	}
}

// NoArray makes the decoder of a member that takes no array, and says so.
func NoArray[T any](says string, elem Decode[T]) Decode[T] {
	return Elem(Any&^Arrays, Complaint{Type: "parsing_exception", Says: says}, elem)
}

// Because puts an error from inside under one of the member's own.
func Because(v jsonx.Value, err error, says string) error {
	if err == nil {
		return nil
	}
	line, col := failPos(v, err)
	return wrap(eserr.Parsing(line, col, "%s", says), err)
}

// Whole puts an error from inside under one that stands for all of the member, unless it
// is a parsing exception itself.
func Whole(v jsonx.Value, err error, says string) error {
	e, ok := eserr.As(err)
	if !ok || e.Type == "parsing_exception" || e.Status == 501 {
		return err
	}
	line, col := failPos(v, err)
	e.RootCause = nil
	return eserr.Parsing(line, col, "%s", says).InPlaceOf(e)
}

// Least complains of a number below the least one; %v in says is the number, %n the
// aggregation's name.
func Least[N int | int64 | float64](x *N, least N, says, of string) error {
	if x == nil || *x >= least {
		return nil
	}
	found := fmt.Sprint(*x)
	if d, ok := any(*x).(float64); ok {
		found = string(jsonx.AppendFloat(nil, d))
	}
	return eserr.IllegalArgument("%s", strings.NewReplacer("%v", found, "%n", of).Replace(says))
}

// Inner makes the decoder of an element that an object parser reads: an array in an
// array is beyond it.
func Inner[T any](elem Decode[T]) Decode[T] {
	return func(x *T, v jsonx.Value) error {
		if v.Kind() == jsonx.Array {
			return standing(v, &eserr.Error{Status: http.StatusInternalServerError, Type: "illegal_state_exception",
				Reason: "expected value but got [START_ARRAY]"})
		}
		return elem(x, v)
	}
}

// Orders reads the order of buckets: an object whose last member counts, or a list of
// those.
func Orders[T any](x *[]jsonx.Pair[T], v jsonx.Value, elem Decode[T]) error {
	if v.Kind() != jsonx.Array {
		var one jsonx.Pair[T]
		if err := order(&one, v, elem); err != nil {
			return err
		}
		*x = []jsonx.Pair[T]{one}
		return nil
	}
	list := make([]jsonx.Pair[T], v.Len())
	i := 0
	for e := range v.Elements() {
		if err := order(&list[i], e, elem); err != nil {
			return err
		}
		i++
	}
	if i == 0 {
		return standingAtEnd(v, &eserr.Error{Status: http.StatusInternalServerError, Type: "index_out_of_bounds_exception",
			Reason: "Index 0 out of bounds for length 0"})
	}
	*x = list
	return nil
}

func order[T any](x *jsonx.Pair[T], v jsonx.Value, elem Decode[T]) error {
	if v.Kind() != jsonx.Object {
		token, line, col := v.Next()
		return eserr.Parsing(line, col, "Unexpected token [%s] for [order]", token)
	}
	for k, m := range v.Members() {
		line, col := m.Pos()
		if m.Kind() != jsonx.String {
			return eserr.Parsing(line, col, "Unexpected token [%s] for [order]", TokenOf(m))
		}
		if err := elem(&x.Value, m); err != nil {
			return eserr.Parsing(line, col, "Unknown order direction [%s]", m.Text())
		}
		x.Key = k.Text()
	}
	if v.Len() == 0 {
		line, col := v.EndPos()
		return eserr.Parsing(line, col, "Must specify at least one field for [order]")
	}
	return nil
}
