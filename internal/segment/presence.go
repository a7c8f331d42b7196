package segment

// presenceColumn keeps only which documents have a field that has no values to search.
type presenceColumn struct{ docSet }

// Bytes is what the column occupies in memory.
func (p *presenceColumn) Bytes() int64 { return p.docSet.bytes() }

func buildPresence(docs []uint32, n int) *presenceColumn {
	p := &presenceColumn{}
	p.docSet.init(docs, n)
	return p
}
