package store

import "postern/internal/segment"

// Stats are figures of one index.
type Stats struct {
	// Docs counts the documents that searches see, Deleted those that are replaced or
	// deleted and not merged away yet.
	Docs, Deleted int64
	Segments      int
	// StoreBytes estimates what lies on disk, MemoryBytes is what columns hold in memory.
	StoreBytes, MemoryBytes int64
	// MaxSeqNo is the last _seq_no given; -1 for none.
	MaxSeqNo int64
	// Fields are the bytes in memory by field, sorted.
	Fields []segment.FieldBytes
	// Writes, reads and refreshes since the store was opened.
	IndexTotal, DeleteTotal int64
	GetTotal, SearchTotal   int64
	RefreshTotal            int64
}
