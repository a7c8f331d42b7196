package query

import (
	"cmp"
	"slices"
)

// sloppyFreq sums 1/(1+distance) over the places where the terms stand within slop
// moves of the query's order. It follows Lucene's SloppyPhraseMatcher step by step,
// because that matcher's greedy choices decide which places count.
func (n *phrase) sloppyFreq(places [][]uint32) float32 {
	m := sloppy{slop: n.slop, end: -1 << 31}
	pps := make([]*cursor, len(places))
	for i := range places {
		pps[i] = &cursor{places: places[i], offset: n.positions[i], ord: i}
		pps[i].next() // every term has a place here
		m.end = max(m.end, pps[i].position)
	}
	for _, g := range n.repeated() {
		m.repeats = true
		group := make([]*cursor, len(g))
		for j, slot := range g {
			group[j] = pps[slot]
			pps[slot].group, pps[slot].index = group, j
		}
		if !m.part(group, n.several()) {
			return 0
		}
	}
	for _, pp := range pps {
		m.push(pp)
	}
	var freq float32
	for m.nextMatch() {
		freq += 1 / (1 + float32(m.length))
	}
	return freq
}

// repeated lists the slots that share terms, in groups, each in the query's order.
func (n *phrase) repeated() [][]int {
	groupOf := make([]int, len(n.slots))
	for i := range groupOf {
		groupOf[i] = i
		for j := range i {
			if groupOf[j] == groupOf[i] || !shares(n.slots[i], n.slots[j]) {
				continue
			}
			from, to := groupOf[i], groupOf[j]
			for k := range i + 1 {
				if groupOf[k] == from {
					groupOf[k] = to
				}
			}
		}
	}
	var groups [][]int
	for i := range groupOf {
		var g []int
		for j, of := range groupOf {
			if of == groupOf[i] {
				g = append(g, j)
			}
		}
		if len(g) > 1 && g[0] == i {
			groups = append(groups, g)
		}
	}
	return groups
}

func shares(a, b []string) bool {
	return slices.ContainsFunc(a, func(w string) bool { return slices.Contains(b, w) })
}

// several tells whether some slot has more than one term.
func (n *phrase) several() bool {
	return slices.ContainsFunc(n.slots, func(words []string) bool { return len(words) > 1 })
}

// part moves the cursors of a group to different places, before the first match. Of
// single terms it is known how far each has to go.
func (m *sloppy) part(group []*cursor, several bool) bool {
	if !several {
		for j := range group {
			for range j {
				if !m.advance(group[j]) {
					return false
				}
			}
		}
		return true
	}
	for i := 0; i < len(group); {
		step := 1
		for k := collision(group[i]); k >= 0; k = collision(group[i]) {
			moved := lesser(group[i], group[k])
			if !m.advance(moved) {
				return false
			}
			if moved.index < i {
				step = 0
				break
			}
		}
		i += step
	}
	return true
}

// cursor walks the places of one of the query's terms; its position is relative to
// the term's place in the query.
type cursor struct {
	places   []uint32
	at       int
	position int
	offset   int
	ord      int
	group    []*cursor // the cursors of the same term, if it is repeated
	index    int       // in group
}

func (c *cursor) next() bool {
	if c.at == len(c.places) {
		return false
	}
	c.position = int(c.places[c.at]) - c.offset
	c.at++
	return true
}

// place is where in the document the cursor stands.
func (c *cursor) place() int { return c.position + c.offset }

type sloppy struct {
	queue   []*cursor // sorted: phrases are short
	slop    int
	end     int // the largest position any cursor has reached
	length  int
	repeats bool
	done    bool
}

func (m *sloppy) push(c *cursor) {
	i, _ := slices.BinarySearchFunc(m.queue, c, func(a, b *cursor) int {
		return cmp.Or(cmp.Compare(a.position, b.position), cmp.Compare(a.offset, b.offset), cmp.Compare(a.ord, b.ord))
	})
	m.queue = slices.Insert(m.queue, i, c)
}

func (m *sloppy) pop() *cursor {
	c := m.queue[0]
	m.queue = slices.Delete(m.queue, 0, 1)
	return c
}

func (m *sloppy) advance(c *cursor) bool {
	if !c.next() {
		return false
	}
	m.end = max(m.end, c.position)
	return true
}

func (m *sloppy) nextMatch() bool {
	if m.done {
		return false
	}
	pp := m.pop()
	m.length = m.end - pp.position
	next := m.queue[0].position
	for m.advance(pp) {
		if m.repeats && !m.resolve(pp) {
			break
		}
		if pp.position > next {
			m.push(pp)
			if m.length <= m.slop {
				return true
			}
			pp = m.pop()
			next = m.queue[0].position
			m.length = m.end - pp.position
		} else {
			m.length = min(m.length, m.end-pp.position)
		}
	}
	m.done = true
	return m.length <= m.slop
}

// resolve moves cursors of one repeated term apart that stand on the same place.
func (m *sloppy) resolve(pp *cursor) bool {
	if pp.group == nil {
		return true
	}
	popped, first := pp, pp.index
	var moved []*cursor
	for {
		k := collision(pp)
		if k < 0 {
			break
		}
		pp = lesser(pp, pp.group[k])
		if !m.advance(pp) {
			return false
		}
		if k != first && !slices.Contains(moved, pp.group[k]) {
			moved = append(moved, pp.group[k])
		}
	}
	// Those still in the queue have other positions now: put them in again.
	m.queue = slices.DeleteFunc(m.queue, func(c *cursor) bool { return slices.Contains(moved, c) })
	for _, c := range moved {
		if c != popped {
			m.push(c)
		}
	}
	return true
}

func collision(c *cursor) int {
	for _, other := range c.group {
		if other != c && other.place() == c.place() {
			return other.index
		}
	}
	return -1
}

func lesser(a, b *cursor) *cursor {
	if a.position < b.position || a.position == b.position && a.offset < b.offset {
		return a
	}
	return b
}
