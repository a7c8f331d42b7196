package aggs

import "postern/internal/sketch"

// maxDense is how far apart the least and the greatest key may lie for looking groups up
// in an array.
const maxDense = 1 << 16

// collectKeys groups documents by key; a key that is not allowed is left out.
func (x *collector) collectKeys(s *selection, docs []uint32, keys []int64, into map[int64]*bucket, subs []*node, allowed func(int64) bool) error {
	if len(keys) == 0 {
		return nil
	}
	low, high := keys[0], keys[0]
	for _, k := range keys {
		low, high = min(low, k), max(high, k)
	}
	var t groupTable
	if uint64(high)-uint64(low) < maxDense {
		t.low, t.dense = low, make([]int32, int(high-low)+1)
	}
	group := make([]int32, len(keys))
	last, lastGroup := keys[0], t.group(keys[0], allowed)
	for i, k := range keys {
		if k != last {
			last, lastGroup = k, t.group(k, allowed)
		}
		group[i] = lastGroup
	}
	return x.collectGroups(s, docs, group, len(t.keys), len(subs) > 0, func(g int) *bucket {
		b := into[t.keys[g]]
		if b == nil {
			b = newBucket(subs)
			into[t.keys[g]] = b
		}
		return b
	})
}

// groupTable numbers keys in the order in which they come: in an array when they lie
// close together, else in a hash table with open addressing.
type groupTable struct {
	keys  []int64 // of each group
	low   int64
	dense []int32 // group + 1; refused keys have -1
	slots []tableSlot
	used  int
}

type tableSlot struct {
	key   int64
	group int32 // as in dense; 0 is free
}

// group is the number of a key, -1 when it is not allowed.
func (t *groupTable) group(k int64, allowed func(int64) bool) int32 {
	at := t.place(k)
	if *at == 0 {
		*at = -1
		if allowed(k) {
			t.keys = append(t.keys, k)
			*at = int32(len(t.keys))
		}
	}
	if *at < 0 {
		return -1
	}
	return *at - 1
}

func (t *groupTable) place(k int64) *int32 {
	if t.dense != nil {
		return &t.dense[k-t.low]
	}
	if 2*t.used >= len(t.slots) {
		old := t.slots
		t.slots = make([]tableSlot, max(64, 2*len(old)))
		for _, s := range old {
			if s.group != 0 {
				*t.find(s.key) = s
			}
		}
	}
	s := t.find(k)
	if s.group == 0 {
		s.key = k
		t.used++
	}
	return &s.group
}

func (t *groupTable) find(k int64) *tableSlot {
	mask := uint64(len(t.slots) - 1)
	for i := sketch.Mix64(uint64(k)) & mask; ; i = (i + 1) & mask {
		if s := &t.slots[i]; s.group == 0 || s.key == k {
			return s
		}
	}
}
