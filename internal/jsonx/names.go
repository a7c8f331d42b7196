package jsonx

import (
	"bytes"
	"hash/maphash"
)

// fewNames is up to how many members the names of an object are compared one by one.
const fewNames = 16

// duplicate says whether the last node, a name of the object, stood there before.
func (t *Tape) duplicate(object uint32) bool {
	last := uint32(len(t.nodes) - 1)
	count := t.nodes[object].count
	if count <= fewNames {
		return t.among(object, last)
	}
	if count == fewNames+1 {
		for i := object + 1; i < last; i = t.nodes[i+1].next {
			t.names.add(t, object, i)
		}
	}
	return !t.names.add(t, object, last)
}

// among compares a name with those before it. Most names differ in length or in the
// first byte already.
func (t *Tape) among(object, last uint32) bool {
	n := &t.nodes[last]
	name := t.src[n.start:n.end]
	for i := object + 1; i < last; i = t.nodes[i+1].next {
		m := &t.nodes[i]
		if m.escaped || n.escaped {
			if bytes.Equal(Value{t, i}.Bytes(), Value{t, last}.Bytes()) {
				return true
			}
			continue
		}
		if string(t.src[m.start:m.end]) == string(name) {
			return true
		}
	}
	return false
}

// nameSet holds the names of large objects, told apart by their object: a hash table
// of node numbers that is used again for each body.
type nameSet struct {
	seed  maphash.Seed
	slots []nameSlot
	used  int
}

// nameSlot is one name; a name's node is never 0, so 0 is an empty slot.
type nameSlot struct{ object, name uint32 }

func (s *nameSet) reset() {
	if s.used > 0 {
		clear(s.slots)
		s.used = 0
	}
}

// add says whether the name was new in its object.
func (s *nameSet) add(t *Tape, object, name uint32) bool {
	if s.used*2 >= len(s.slots) {
		s.grow(t)
	}
	text := Value{t, name}.Bytes()
	for i := s.hash(object, text); ; i++ {
		slot := &s.slots[i&uint64(len(s.slots)-1)]
		switch {
		case slot.name == 0:
			*slot = nameSlot{object, name}
			s.used++
			return true
		case slot.object == object && bytes.Equal(Value{t, slot.name}.Bytes(), text):
			return false
		}
	}
}

func (s *nameSet) hash(object uint32, name []byte) uint64 {
	return maphash.Bytes(s.seed, name) + uint64(object)*0x9E3779B97F4A7C15
}

func (s *nameSet) grow(t *Tape) {
	old := s.slots
	if old == nil {
		s.seed = maphash.MakeSeed()
	}
	s.slots = make([]nameSlot, max(64, 2*len(old)))
	mask := uint64(len(s.slots) - 1)
	for _, slot := range old {
		if slot.name == 0 {
			continue
		}
		i := s.hash(slot.object, Value{t, slot.name}.Bytes())
		for s.slots[i&mask].name != 0 {
			i++
		}
		s.slots[i&mask] = slot
	}
}
