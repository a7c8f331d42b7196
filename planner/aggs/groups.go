package aggs

import "slices"

// groups sorts the positions of entries by group, keeping their order within one. A group
// of −1 is left out. at[g] to at[g+1] are the positions of group g in order.
func groups(of []int32, count int) (at []int32, order []int32) {
	at = make([]int32, count+1)
	for _, g := range of {
		if g >= 0 {
			at[g+1]++
		}
	}
	for g := range count {
		at[g+1] += at[g]
	}
	order = make([]int32, at[count])
	next := slices.Clone(at)
	for i, g := range of {
		if g >= 0 {
			order[next[g]] = int32(i)
			next[g]++
		}
	}
	return at, order
}

// collectGroups gives each group's documents to its bucket. docs are ascending and may
// repeat; a document counts once in a group. bucketOf makes or finds a bucket.
func (x *collector) collectGroups(s *selection, docs []uint32, group []int32, count int, withSubs bool, bucketOf func(g int) *bucket) error {
	counts := make([]int64, count)
	if !withSubs {
		last := make([]uint32, count)
		for i, g := range group {
			// docs ascend, so a repetition in a group is one after the other.
			if g >= 0 && (counts[g] == 0 || last[g] != docs[i]) {
				counts[g]++
				last[g] = docs[i]
			}
		}
		for g, n := range counts {
			if n > 0 {
				bucketOf(g).count += n
			}
		}
		return nil
	}
	at, order := groups(group, count)
	lists := make([]uint32, 0, len(order))
	for g := range count {
		from := len(lists)
		for _, i := range order[at[g]:at[g+1]] {
			if d := docs[i]; len(lists) == from || lists[len(lists)-1] != d {
				lists = append(lists, d)
			}
		}
		counts[g] = int64(len(lists) - from)
	}
	pos := 0
	for g, n := range counts {
		if n == 0 {
			continue
		}
		list := lists[pos : pos+int(n) : pos+int(n)]
		pos += int(n)
		if err := bucketOf(g).collect(x, &selection{seg: s.seg, list: list}); err != nil {
			return err
		}
	}
	return nil
}
