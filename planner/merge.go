package planner

import (
	"cmp"
	"slices"
)

// mergePages makes one page of the pages of the parts of an index. Of equal keys the
// document written first comes first.
func mergePages(sort []*sortField, pages []partPage, size int) []found {
	if len(pages) == 1 {
		return pages[0]
	}
	var all []found
	for _, p := range pages {
		all = append(all, p...)
	}
	slices.SortStableFunc(all, func(a, b found) int { return compareFound(sort, &a, &b) })
	return all[:min(size, len(all))]
}

func compareFound(sort []*sortField, a, b *found) int {
	for i, f := range sort {
		if c := f.compare(a.values[i], b.values[i]); c != 0 {
			return c
		}
	}
	return cmp.Or(cmp.Compare(a.shard, b.shard), cmp.Compare(a.seqNo, b.seqNo))
}
