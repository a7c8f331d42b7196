package metadata

import "postern/internal/eserr"

// Access is what somebody wants to do with an index.
type Access uint8

const (
	ReadDocuments Access = iota
	WriteDocuments
	ReadIndexMetadata
	WriteIndexMetadata
	// ChangeIndexSettings is never blocked: it is how blocks are lifted.
	ChangeIndexSettings
	// RefreshIndex changes nothing that blocks protect.
	RefreshIndex
)

// Allow refuses an access that the index's settings block.
func (ix *Index) Allow(a Access) error {
	blocked := func(name string) bool { return ix.Settings.Bool("index.blocks."+name, false) }
	text := ""
	switch {
	case a == ReadDocuments && blocked("read"):
		text = "FORBIDDEN/7/index read (api)"
	case a == WriteDocuments && blocked("write"):
		text = "FORBIDDEN/8/index write (api)"
	case (a == ReadIndexMetadata || a == WriteIndexMetadata) && blocked("metadata"):
		text = "FORBIDDEN/9/index metadata (api)"
	case (a == WriteDocuments || a == WriteIndexMetadata) && blocked("read_only"):
		text = "FORBIDDEN/5/index read-only (api)"
	}
	if text == "" {
		return nil
	}
	return eserr.Blocked(ix.Name, text)
}
