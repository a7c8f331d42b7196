package mutate

import (
	"fmt"

	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/internal/metadata"
)

// Replay parses a stored source again, for a store that builds its columns anew. The
// mapping has had all its fields since before the document was written.
func Replay(ix *metadata.Index, dst *mapping.Document, id, routing string, source []byte) error {
	v, err := parseSource(new(jsonx.Tape), source)
	if err != nil {
		return err
	}
	update, err := ix.Mapping.ParseDocument(dst, id, routing, v)
	if err == nil && update.Exists() {
		err = fmt.Errorf("mutate: document %q of index %q has fields that the mapping lacks", id, ix.Name)
	}
	return err
}
