package xcontent

import (
	"net/http"
	"strings"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// UnknownWord is the complaint about a word that an enum does not have; format may hold
// %s for the word and %S for the word in capitals.
func UnknownWord(typ, format, word string) error {
	if typ == "" {
		typ = "illegal_argument_exception"
	}
	reason := strings.NewReplacer("%s", word, "%S", strings.ToUpper(word)).Replace(format)
	return &eserr.Error{Status: http.StatusBadRequest, Type: typ, Reason: reason}
}

// At gives an error that has a position, and no position yet, that of v.
func At(v jsonx.Value, err error) error {
	if e, ok := err.(*eserr.Error); ok && e.Type == "parsing_exception" {
		if _, _, known := position(e); !known {
			line, col := v.Pos()
			return e.WithInt("line", line).WithInt("col", col)
		}
	}
	return err
}

// IsBool tells that v is a boolean or a string that is taken for one.
func IsBool(v jsonx.Value) bool {
	switch v.Kind() {
	case jsonx.True, jsonx.False:
		return true
	case jsonx.String:
		return string(v.Bytes()) == "true" || string(v.Bytes()) == "false"
	}
	return false
}

// NamedBool makes the decoder of a boolean whose complaint names it.
func NamedBool(name string) Decode[bool] {
	return func(x *bool, v jsonx.Value) error {
		var text string
		if err := Text(&text, v); err != nil {
			return err
		}
		err := ParseBool(x, text)
		if e, ok := eserr.As(err); ok {
			return eserr.IllegalArgument("Could not convert [%s] to boolean", name).Cause(e)
		}
		return err
	}
}
