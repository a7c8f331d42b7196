package mutate

import (
	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/internal/metadata"
)

// ParseStored turns the source of a stored document into columns again. Its index's
// mapping knows all of its fields by then.
func ParseStored(ix *metadata.Index, dst *mapping.Document, id, routing string, source []byte) error {
	v, err := jsonx.Parse(source)
	if err != nil {
		return err
	}
	_, err = ix.Mapping.ParseDocument(dst, id, routing, v)
	return err
}
