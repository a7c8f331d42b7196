// Package corpus holds the documents of the benchmark: the same number gives the same
// document in every run and for every engine, and what is asked of them can be answered from
// memory, so that expected answers never come from an engine.
package corpus

import "iter"

// A Corpus is a set of documents with the mapping they are loaded under.
type Corpus interface {
	// Name is what reports call it.
	Name() string
	// Len is how many documents there are.
	Len() int
	// ID is the i-th document's _id.
	ID(i int) string
	// AppendSource appends the i-th document's JSON to dst.
	AppendSource(dst []byte, i int) []byte
	// Mappings is the JSON of the index's mappings.
	Mappings() string
}

// Bulks yields the bodies of the bulks that load c, size documents each.
func Bulks(c Corpus, size int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for at := 0; at < c.Len(); at += size {
			var body []byte
			for i := at; i < min(at+size, c.Len()); i++ {
				body = append(body, `{"index":{"_id":"`...)
				body = append(body, c.ID(i)...)
				body = append(body, "\"}}\n"...)
				body = c.AppendSource(body, i)
				body = append(body, '\n')
			}
			if !yield(body) {
				return
			}
		}
	}
}
