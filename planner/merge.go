package planner

import (
	"cmp"
	"slices"
)

// mergePages makes one page of the pages of the parts of an index, each of which is in
// order. Of equal keys the document written first comes first.
func mergePages(sort []*sortField, pages []partPage, size int) []found {
	if len(pages) == 1 {
		return pages[0]
	}
	heads, total := slices.Clone(pages), 0
	for _, p := range pages {
		total += len(p)
	}
	all := make([]found, min(size, total))
	for i := range all {
		first := -1
		for k, p := range heads {
			if len(p) > 0 && (first < 0 || compareFound(sort, &p[0], &heads[first][0]) < 0) {
				first = k
			}
		}
		all[i], heads[first] = heads[first][0], heads[first][1:]
	}
	return all
}

func compareFound(sort []*sortField, a, b *found) int {
	for i, f := range sort {
		if c := f.compare(a.values[i], b.values[i]); c != 0 {
			return c
		}
	}
	return cmp.Or(cmp.Compare(a.shard, b.shard), cmp.Compare(a.seqNo, b.seqNo))
}
