// Package sketch counts and summarises values in bounded memory.
package sketch

import "github.com/axiomhq/hyperloglog"

// Distinct counts different values by their 64-bit hashes: exactly up to a threshold,
// beyond it by HyperLogLog with 2^16 registers, which is 0.4 % off on average. The zero
// hash is a hash like any other.
type Distinct struct {
	threshold int
	slots     []uint64 // open addressing; 0 is free
	used      int
	zero      bool
	sketch    *hyperloglog.Sketch // nil as long as the count is exact
}

// NewDistinct makes a counter that is exact up to the threshold.
func NewDistinct(threshold int) *Distinct { return &Distinct{threshold: threshold} }

// Add counts a value by its hash.
func (d *Distinct) Add(hash uint64) {
	switch {
	case d.sketch != nil:
		d.sketch.InsertHash(hash)
		return
	case hash == 0:
		d.zero = true
	default:
		if 2*d.used >= len(d.slots) {
			d.grow()
		}
		slot := d.find(hash)
		if *slot == hash {
			return
		}
		*slot = hash
		d.used++
	}
	if d.exact() > d.threshold {
		d.approximate()
	}
}

func (d *Distinct) find(hash uint64) *uint64 {
	mask := uint64(len(d.slots) - 1)
	for i := hash * 0x9e3779b97f4a7c15 >> 20 & mask; ; i = (i + 1) & mask {
		if s := &d.slots[i]; *s == 0 || *s == hash {
			return s
		}
	}
}

func (d *Distinct) grow() {
	old := d.slots
	d.slots = make([]uint64, max(16, 2*len(old)))
	for _, h := range old {
		if h != 0 {
			*d.find(h) = h
		}
	}
}

func (d *Distinct) exact() int {
	if d.zero {
		return d.used + 1
	}
	return d.used
}

func (d *Distinct) approximate() {
	d.sketch = hyperloglog.New16NoSparse()
	d.each(d.sketch.InsertHash)
	d.slots = nil
}

func (d *Distinct) each(f func(uint64)) {
	if d.zero {
		f(0)
	}
	for _, h := range d.slots {
		if h != 0 {
			f(h)
		}
	}
}

// Merge adds what another counter has counted; that one is not changed.
func (d *Distinct) Merge(o *Distinct) {
	if o.sketch == nil {
		insert := d.Add
		o.each(func(h uint64) { insert(h) })
		return
	}
	if d.sketch == nil {
		d.approximate()
	}
	// Both have as many registers, so that merging can't fail.
	_ = d.sketch.Merge(o.sketch)
}

// Count is the number of different values.
func (d *Distinct) Count() int64 {
	if d.sketch != nil {
		return int64(d.sketch.Estimate())
	}
	return int64(d.exact())
}
