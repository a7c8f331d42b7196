// Package rest reads requests the way Elasticsearch's REST layer does: its path trie,
// its URL parameters, and what it says of those that it does not know.
package rest

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"postern/internal/eserr"
	"postern/internal/xcontent"
)

// Input is one request as the decoders see it.
type Input struct {
	// Method is the HTTP method.
	Method string
	// Target is the method's path as the client wrote it, for messages.
	Target string
	// Path are the parameters in the path, unescaped, in order.
	Path []Param
	// Query are the URL's parameters, unescaped, in order; of several with one name the
	// last counts.
	Query []Param
	// Body is the body: inflated, as JSON.
	Body []byte
}

// Param is one parameter.
type Param struct{ Name, Value string }

// HasBody tells that there is a body.
func (in *Input) HasBody() bool { return len(in.Body) > 0 }

// InPath tells that the path gives a parameter, which then counts before the URL's.
func (in *Input) InPath(name string) bool {
	return slices.ContainsFunc(in.Path, func(p Param) bool { return p.Name == name })
}

// NeedBody is the complaint about a missing body.
func NeedBody(in *Input, says string) error {
	if in.HasBody() {
		return nil
	}
	return &eserr.Error{Status: http.StatusBadRequest, Type: "parse_exception", Reason: says}
}

// NoBody is the complaint about a body that the endpoint does not take.
func NoBody(in *Input) error {
	if !in.HasBody() {
		return nil
	}
	return eserr.IllegalArgument("request [%s %s] does not support having a body", in.Method, in.Target)
}

// Common tells the parameters that every endpoint has; the HTTP layer answers to them.
func Common(name string) bool {
	switch name {
	case "pretty", "human", "error_trace", "filter_path", "format", "source", "source_content_type":
		return true
	}
	return false
}

// IsBool tells that the value is one of the two words of a boolean.
func (p Param) IsBool() bool { return p.Value == "true" || p.Value == "false" }

// Read reads a parameter's value.
type Read[T any] func(x *T, p Param) error

// Opt reads a parameter that may be absent.
func Opt[T any](x **T, p Param, read Read[T]) error {
	t := new(T)
	if err := read(t, p); err != nil {
		return err
	}
	*x = t
	return nil
}

// Text reads a string.
func Text(x *string, p Param) error {
	*x = p.Value
	return nil
}

// Bool reads a boolean; a parameter without a value is true.
func Bool(x *bool, p Param) error {
	if p.Value == "" {
		*x = true
		return nil
	}
	return xcontent.ParseBool(x, p.Value)
}

// IndicesBool reads a boolean of the options for index expressions.
func IndicesBool(x *bool, p Param) error {
	err := Bool(x, p)
	if e, ok := eserr.As(err); ok {
		return eserr.IllegalArgument("Could not convert [%s] to boolean", p.Name).Cause(e)
	}
	return err
}

// ActiveShards reads for how many copies to wait: all, or a number.
func ActiveShards(x *string, p Param) error {
	*x = p.Value
	if p.Value == "all" || p.Value == "" {
		return nil
	}
	n, err := strconv.ParseInt(p.Value, 10, 32)
	switch {
	case err != nil:
		return eserr.IllegalArgument("cannot parse ActiveShardCount[%s]", p.Value).Cause(javaNumber(p.Value))
	case n < 0:
		return eserr.IllegalArgument("shard count cannot be a negative value")
	}
	return nil
}

// Int reads a 32-bit integer.
func Int(x *int, p Param) error {
	n, err := strconv.ParseInt(p.Value, 10, 32)
	if err != nil {
		return failed(p, "int", p.Value)
	}
	*x = int(n)
	return nil
}

// Long reads a 64-bit integer.
func Long(x *int64, p Param) error {
	n, err := strconv.ParseInt(p.Value, 10, 64)
	if err != nil {
		return failed(p, "long", p.Value)
	}
	*x = n
	return nil
}

// Float reads a number and rounds it to 32 bits.
func Float(x *float64, p Param) error {
	f, err := xcontent.ParseDouble(p.Value)
	if err != nil {
		return failed(p, "float", p.Value)
	}
	*x = float64(float32(f))
	return nil
}

// Double reads a number.
func Double(x *float64, p Param) error {
	f, err := xcontent.ParseDouble(p.Value)
	if err != nil {
		return failed(p, "double", p.Value)
	}
	*x = f
	return nil
}

func failed(p Param, what, value string) error {
	return eserr.IllegalArgument("Failed to parse %s parameter [%s] with value [%s]", what, p.Name, value).
		Cause(javaNumber(value))
}

func javaNumber(value string) *eserr.Error {
	return &eserr.Error{Status: http.StatusBadRequest, Type: "number_format_exception", Reason: "For input string: \"" + value + "\""}
}

// Duration reads a time value.
func Duration(x *xcontent.Duration, p Param) error {
	return xcontent.ParseDuration(x, p.Value, p.Name)
}

// List reads a list of strings, separated by commas.
func List(x *[]string, p Param) error {
	*x = split(p.Value)
	return nil
}

// Words reads a list of words of an enum.
func Words[T any](x *[]T, p Param, parse func(*T, string) error) error {
	for _, w := range split(p.Value) {
		var t T
		if err := parse(&t, w); err != nil {
			return err
		}
		*x = append(*x, t)
	}
	return nil
}

// split is Elasticsearch's splitting at commas: empty parts at the end are dropped.
func split(text string) []string {
	if text == "" {
		return []string{}
	}
	parts := strings.Split(text, ",")
	for len(parts) > 0 && parts[len(parts)-1] == "" {
		parts = parts[:len(parts)-1]
	}
	return parts
}

// Refused is the answer to a parameter that Elasticsearch has and Postern has not.
func Refused(endpoint string, p Param) error {
	return eserr.Refused("[%s] does not support the parameter [%s] in this version of Postern", endpoint, p.Name)
}

// RefusedEndpoint is the answer of an endpoint that Postern does not have.
func RefusedEndpoint(name string) error {
	return eserr.Refused("the endpoint [%s] is not supported in this version of Postern", name)
}
