package xcontent

import (
	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// FieldRules is how a clause reads the braces around its one field, as in
// {"term":{"f":…}}.
type FieldRules struct {
	// None is what is said of empty braces; an empty one takes them.
	None Complaint
	// Array is what is said of an array in place of the value; without it the array
	// goes to the value's own decoder.
	Array string
	// Skip are tokens that are passed over as if the member were not there.
	Skip Tokens
	// Scalar says that a scalar is the value without its braces.
	Scalar bool
}

// Complaint is the type and reason of an error; without a reason it is none.
type Complaint struct{ Type, Says string }

// Single reads an object with one free key. missing, which may be nil, tells what is
// said at the end of the braces of a value that lacks something.
func Single[T any](x **jsonx.Pair[T], v jsonx.Value, p *Parser, rules FieldRules, elem Decode[T], missing func(*T) Complaint) error {
	var pair *jsonx.Pair[T]
	for k, m := range v.Members() {
		token := TokenOf(m)
		if rules.Skip.Has(token) {
			continue
		}
		line, col := m.Pos()
		switch {
		case token != StartObject && !rules.Scalar:
			return p.Unknown(k, m, nil)
		case pair != nil && p.Style != Object:
			return eserr.Parsing(line, col, "[%s] query doesn't support multiple fields, found [%s] and [%s]", p.Name, pair.Key, k.Text())
		case pair != nil:
			return p.Unknown(k, m, nil)
		case token == StartArray && rules.Array != "":
			return eserr.Parsing(line, col, "%s", rules.Array)
		}
		pair = &jsonx.Pair[T]{Key: k.Text()}
		if err := elem(&pair.Value, m); err != nil {
			return err
		}
	}
	if pair == nil && rules.None.Says != "" {
		return p.Missing(v, rules.None)
	}
	if pair != nil && missing != nil {
		if c := missing(&pair.Value); c.Says != "" {
			return p.Missing(v, c)
		}
	}
	*x = pair
	return nil
}
