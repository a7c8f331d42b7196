package metadata

import "postern/internal/jsonx"

// Alias is an alias as one index has it.
type Alias struct {
	Name string
	// Filter is the query that bounds searches through the alias, as JSON; nil for none.
	Filter []byte
	// IndexRouting and SearchRouting are empty for none.
	IndexRouting, SearchRouting string
	IsWriteIndex, IsHidden      *bool
}

// AppendJSON appends the alias's properties, without its name.
func (a *Alias) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	comma := func(name string) {
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		dst = append(jsonx.AppendString(dst, name), ':')
	}
	if a.Filter != nil {
		comma("filter")
		dst = append(dst, a.Filter...)
	}
	if a.IndexRouting != "" {
		comma("index_routing")
		dst = jsonx.AppendString(dst, a.IndexRouting)
	}
	if a.SearchRouting != "" {
		comma("search_routing")
		dst = jsonx.AppendString(dst, a.SearchRouting)
	}
	if a.IsWriteIndex != nil {
		comma("is_write_index")
		dst = jsonx.AppendBool(dst, *a.IsWriteIndex)
	}
	if a.IsHidden != nil {
		comma("is_hidden")
		dst = jsonx.AppendBool(dst, *a.IsHidden)
	}
	return append(dst, '}')
}

// AppendAliases appends an object of aliases by name.
func AppendAliases(dst []byte, aliases []Alias) []byte {
	dst = append(dst, '{')
	for i := range aliases {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsonx.AppendString(dst, aliases[i].Name), ':')
		dst = aliases[i].AppendJSON(dst)
	}
	return append(dst, '}')
}

// writes tells that a write through the alias may go to this index: it is not said that
// it may not.
func (a *Alias) isWrite() bool { return a.IsWriteIndex != nil && *a.IsWriteIndex }

func (a *Alias) neverWrite() bool { return a.IsWriteIndex != nil && !*a.IsWriteIndex }

func (a *Alias) hidden() bool { return a.IsHidden != nil && *a.IsHidden }
