package segment

import "slices"

// The columns that every document has a value in. They are made on top of what a segment
// holds anyway.

// metaLong is the column of _seq_no or _version, nil for other names.
func (s *Segment) metaLong(name string) *LongColumn {
	if name != "_seq_no" && name != "_version" || len(s.seqNos) == 0 {
		return nil
	}
	c := &LongColumn{}
	c.n = s.n
	c.dense = s.seqNos
	if name == "_version" {
		if c.dense = s.versions; c.dense == nil {
			c.dense = slices.Repeat([]int64{1}, s.n)
		}
	}
	c.min, c.max = slices.Min(c.dense), slices.Max(c.dense)
	return c
}

// Constant is a column of n documents that all have the same term, as _index is.
func Constant(term string, n int) *KeywordColumn {
	k := &KeywordColumn{terms: newStringTable(1), ordOf: make([]uint32, n)}
	k.terms.add(term)
	k.n = n
	return k
}
