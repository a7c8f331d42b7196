//go:build invariants

package embedded

import "fmt"

// check panics when the index is not what the rest relies on; mu is held.
func (ix *index) check() {
	last := int64(-1)
	tails := false
	hidden := false
	for i, r := range ix.runs {
		fail := func(what string) {
			panic(fmt.Sprintf("index %s, run %d (%d to %d, %d documents, %d shown): %s", ix.uuid, r.number, r.first, r.last, r.len(), r.shown, what))
		}
		switch {
		case r.len() == 0 && (r.persisted() || i != len(ix.runs)-1):
			fail("an empty run")
		case r.len() == 0:
			continue
		case r.first <= last || r.last < r.first:
			fail("ranges of _seq_no overlap")
		case r.persisted() && tails:
			fail("a persisted run behind a tail")
		case r.shown > r.len():
			fail("more is shown than there is")
		case hidden && r.shown > 0:
			fail("a shown run behind a hidden one")
		case r.dead != nil && !r.dead.IsEmpty() && int(r.dead.Maximum()) >= r.len():
			fail("what is dead is not there")
		case r.persisted() && (r.seg.MinSeqNo() < r.first || r.seg.MaxSeqNo() > r.last):
			fail("the segment holds other documents")
		case r.persisted() && r.seg.SeqNo(0) < ix.visible && r.shown == 0:
			fail("visible documents are hidden")
		}
		last = r.last
		tails = tails || !r.persisted()
		hidden = hidden || r.shown < r.len()
		if r.last < ix.visible && r.shown < r.len() {
			fail("a visible run is hidden")
		}
	}
	if ix.visible > ix.nextSeq || ix.visible > ix.synced.Load() {
		panic(fmt.Sprintf("index %s: visible below %d, next %d, synced below %d", ix.uuid, ix.visible, ix.nextSeq, ix.synced.Load()))
	}
}
