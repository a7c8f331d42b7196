package metadata

// Resolved is an index that an expression leads to.
type Resolved struct {
	Index *Index
	// Aliases are the filtering aliases it was reached through: a document counts when
	// it matches the filter of one of them. Nil when it was also reached without one.
	Aliases []string
}

// Filters are the filters of Aliases, as JSON.
func (r Resolved) Filters() [][]byte {
	filters := make([][]byte, 0, len(r.Aliases))
	for _, name := range r.Aliases {
		if a := r.Index.Alias(name); a != nil && a.Filter != nil {
			filters = append(filters, a.Filter)
		}
	}
	return filters
}
