package query

import (
	"slices"
	"strconv"
	"strings"

	"postern/internal/eserr"
	"postern/internal/mapping"
)

// Metadata fields are queried like others, each in its own way. The functions here
// return ok = false for every other field.

// metaTerm is any of some values of a metadata field.
func (c *Context) metaTerm(name string, values []string, fold, scored bool) (Node, bool, error) {
	if !strings.HasPrefix(name, "_") {
		return nil, false, nil
	}
	switch name {
	case "_id":
		return newIDs(values), true, nil
	case "_index":
		for _, v := range values {
			if c.named(compileGlob(escapeGlob(v), fold)) {
				return matchAll{}, true, nil
			}
		}
		return matchNone{}, true, nil
	case "_routing", "_ignored":
		col := column{field: name, bm25: mapping.DefaultBM25()}
		n := newTerms(col, values)
		if scored && len(values) == 1 {
			n = &term{column: col, value: values[0]}
		}
		return n, true, nil
	case "_seq_no":
		var nodes []Node
		for _, v := range values {
			i, err := strconv.ParseInt(v, 10, 64)
			if err != nil {
				return nil, true, eserr.NumberFormat("For input string: \"" + v + "\"")
			}
			nodes = append(nodes, &seqNos{i, i})
		}
		return Filter(newBoolean(nil, nil, nodes, nil, 1)), true, nil
	}
	return nil, c.isMeta(name), c.unsearchable(name)
}

// metaPattern is a pattern on a metadata field.
func (c *Context) metaPattern(name string, g glob, kind string) (Node, bool, error) {
	switch name {
	case "_index":
		if c.named(g) {
			return matchAll{}, true, nil
		}
		return matchNone{}, true, nil
	case "_id", "_seq_no":
		return nil, true, c.fail("Can only use %s queries on keyword, text and wildcard fields - not on [%s] which is of type [%s]", kind, name, name)
	case "_routing", "_ignored":
		return &pattern{column{field: name}, g}, true, nil
	}
	return nil, false, c.unsearchable(name)
}

// named tells whether the index, or an alias of it, has a name the pattern accepts.
func (c *Context) named(g glob) bool {
	return g.matches(c.Index) || slices.ContainsFunc(c.Aliases, g.matches)
}

// unsearchable is the error of the metadata fields that no query can look into.
func (c *Context) unsearchable(name string) error {
	switch name {
	case "_source", "_version":
		return c.fail("The %s field is not searchable", name)
	case "_doc_count":
		return c.fail("Field [_doc_count] of type [_doc_count] is not searchable")
	}
	return nil
}

// metaType is the type of a metadata field, "" for the name of no such.
func metaType(name string) string {
	switch name {
	case "_id", "_index", "_routing", "_ignored", "_seq_no", "_source", "_version", "_doc_count", "_field_names":
		return name
	}
	return ""
}

// isMeta tells names that are Elasticsearch's own, so that an index cannot map them.
func (c *Context) isMeta(name string) bool {
	switch name {
	case "_source", "_version", "_doc_count":
		return true
	}
	return false
}

// metaExists is the exists query of a metadata field.
func (c *Context) metaExists(name string) (Node, bool, error) {
	switch name {
	case "_id", "_index", "_seq_no", "_version":
		return matchAll{}, true, nil
	case "_routing", "_ignored":
		return &exists{name}, true, nil
	case "_field_names":
		return nil, true, eserr.UnsupportedOperation("Cannot run exists query on _field_names")
	}
	return nil, false, c.unsearchable(name)
}

// metaRange is the range query of a metadata field.
func (c *Context) metaRange(name string, s rangeSpec) (Node, bool, error) {
	switch name {
	case "_seq_no":
		n, err := c.rangeOf(&mapping.Field{Name: name, Type: "long", Kind: mapping.KindLong, Index: true}, s)
		if err != nil {
			return nil, true, err
		}
		if r, ok := n.(*longRange); ok {
			n = &seqNos{r.lo, r.hi}
		}
		return n, true, nil
	case "_id", "_routing", "_index", "_ignored":
		return nil, true, eserr.IllegalArgument("Field [%s] of type [%s] does not support range queries", name, name)
	}
	return nil, false, c.unsearchable(name)
}
