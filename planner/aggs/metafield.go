package aggs

import (
	"postern/internal/eserr"
	"postern/internal/mapping"
)

// fieldOf finds a field, one of those that every document has among them; nil when the
// index does not have it.
func (c *source) fieldOf(name string) (*mapping.Field, error) {
	switch name {
	case "_index", "_ignored":
		return &mapping.Field{Name: name, Type: name, Kind: mapping.KindKeyword, DocValues: true}, nil
	case "_seq_no", "_version":
		return &mapping.Field{Name: name, Type: name, Kind: mapping.KindLong, DocValues: true}, nil
	case "_id":
		return nil, eserr.IllegalArgument("Fielddata access on the _id field is disallowed, you can re-enable it by updating the dynamic cluster setting: indices.id_field_data.enabled")
	case "_routing", "_source", "_doc_count", "_field_names", "_nested_path":
		return nil, eserr.IllegalArgument("Fielddata is not supported on field [%s] of type [%s]", name, name)
	}
	return c.Mapping.Field(name), nil
}

func everyDocumentHas(name string) bool {
	return name == "_index" || name == "_seq_no" || name == "_version"
}

func isMeta(f *mapping.Field) bool { return f.Name != "" && f.Name == f.Type }
