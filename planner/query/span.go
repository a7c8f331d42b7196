package query

import (
	"cmp"
	"slices"
)

// span is a stretch of a text's positions in which an interval source matches, with the
// positions in it that none of the source's parts takes.
type span struct{ start, end, gaps int }

func (s span) width() int { return s.end - s.start + 1 }

func (s span) contains(o span) bool { return s.start <= o.start && o.end <= s.end }

// minimal keeps the spans that contain no other, in ascending order.
func minimal(list []span) []span {
	slices.SortFunc(list, func(a, b span) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end)) })
	kept := list[:0]
	for _, s := range list {
		for len(kept) > 0 && kept[len(kept)-1].end >= s.end {
			kept = kept[:len(kept)-1]
		}
		kept = append(kept, s)
	}
	return kept
}

// inOrder finds the spans in which one span of each part follows another; adjacent ones
// must leave no position between them.
func inOrder(parts [][]span, adjacent bool) []span {
	var found []span
	at := make([]int, len(parts))
	for _, first := range parts[0] {
		last, taken, ok := first, first.width(), true
		for i := 1; i < len(parts) && ok; i++ {
			for at[i] < len(parts[i]) && parts[i][at[i]].start <= last.end {
				at[i]++
			}
			if ok = at[i] < len(parts[i]); !ok {
				break
			}
			if ok = !adjacent || parts[i][at[i]].start == last.end+1; ok {
				last = parts[i][at[i]]
				taken += last.width()
			}
		}
		if ok {
			s := span{start: first.start, end: last.end}
			s.gaps = max(0, s.width()-taken)
			found = append(found, s)
		}
	}
	return minimal(found)
}

// together finds the shortest stretches that hold a span of each part, which may lie in
// one another.
func together(parts [][]span) []span {
	at := make([]int, len(parts))
	var found []span
	for {
		first, end, taken := 0, parts[0][at[0]].end, 0
		for i, p := range parts {
			s := p[at[i]]
			taken += s.width()
			end = max(end, s.end)
			if f := parts[first][at[first]]; s.start < f.start || s.start == f.start && s.end > f.end {
				first = i
			}
		}
		s := span{start: parts[first][at[first]].start, end: end}
		s.gaps = max(0, s.width()-taken)
		found = append(found, s)
		if at[first]++; at[first] == len(parts[first]) {
			return minimal(found)
		}
	}
}

// repeated joins a number of spans of one part that follow each other.
func repeated(list []span, times int) []span {
	var found []span
	for i := range max(0, len(list)-times+1) {
		s := span{start: list[i].start, end: list[i+times-1].end}
		taken := 0
		for _, one := range list[i : i+times] {
			taken += one.width()
		}
		s.gaps = max(0, s.width()-taken)
		found = append(found, s)
	}
	return found
}
