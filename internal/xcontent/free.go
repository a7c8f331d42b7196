package xcontent

import (
	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// Append reads a member whose key is free into a list, in order.
func Append[T any](list *[]jsonx.Pair[T], k jsonx.Key, v jsonx.Value, elem Decode[T]) error {
	pair := jsonx.Pair[T]{Key: k.Text()}
	if err := elem(&pair.Value, v); err != nil {
		return err
	}
	*list = append(*list, pair)
	return nil
}

// Only reads the one member whose key is free, beside members with known names.
func Only[T any](x **jsonx.Pair[T], p *Parser, k jsonx.Key, v jsonx.Value, allowed Tokens, elem Decode[T]) error {
	if !allowed.Has(TokenOf(v)) {
		return p.Unknown(k, v, nil)
	}
	if *x != nil && p.UnknownSays.Says != "" {
		return p.Unknown(k, v, nil)
	}
	if *x != nil {
		line, col := v.Pos()
		return eserr.Parsing(line, col, "[%s] query does not support multiple fields", p.Name)
	}
	pair := &jsonx.Pair[T]{Key: k.Text()}
	if err := elem(&pair.Value, v); err != nil {
		return err
	}
	*x = pair
	return nil
}
