package segment

// The binary form of each kind of column; reading checks everything that evaluation
// relies on.

func (k *KeywordColumn) appendTo(e *encoder) {
	e.set(&k.docSet)
	e.strings(&k.terms)
	e.uints(shifted(k.ordOf, 1)) // NoOrd becomes 0
	e.uints(k.offsets)
	e.uints(k.ords)
}

func shifted(v []uint32, by uint32) []uint32 {
	out := make([]uint32, len(v))
	for i, x := range v {
		out[i] = x + by
	}
	return out
}

func readKeyword(d *decoder, n int) *KeywordColumn {
	k := &KeywordColumn{}
	d.set(&k.docSet, n)
	k.terms = d.strings()
	numTerms := k.terms.len()
	for i := uint32(1); int(i) < numTerms; i++ {
		if string(k.terms.view(i-1)) >= string(k.terms.view(i)) {
			d.fail("terms are out of order")
			break
		}
	}
	plusOne := d.uints()
	k.offsets, k.ords = d.uints(), d.uints()
	d.within(plusOne, numTerms+1)
	d.within(k.ords, numTerms)
	if k.offsets == nil && n > 0 {
		if len(plusOne) != n {
			d.fail("ordinals do not fit")
		}
		k.ordOf = shifted(plusOne, NoOrd) // adds −1
		return k
	}
	d.offsetsFor(k.offsets, n, len(k.ords))
	return k
}

func appendNumbers[T int64 | float64](e *encoder, c *numbers[T], list func([]T)) {
	e.set(&c.docSet)
	list([]T{c.min, c.max})
	list(c.dense)
	e.uints(c.offsets)
	list(c.values)
}

func (c *LongColumn) appendTo(e *encoder)   { appendNumbers(e, &c.numbers, e.longs) }
func (c *DoubleColumn) appendTo(e *encoder) { appendNumbers(e, &c.numbers, e.doubles) }

func readNumbers[T int64 | float64](d *decoder, n int, c *numbers[T], list func() []T) {
	d.set(&c.docSet, n)
	bounds := list()
	c.dense = list()
	c.offsets = d.uints()
	c.values = list()
	switch {
	case len(bounds) != 2:
		d.fail("bounds are missing")
	case c.dense != nil && len(c.dense) != n:
		d.fail("values do not fit")
	case c.dense == nil:
		d.offsetsFor(c.offsets, n, len(c.values))
	}
	if d.err == nil {
		c.min, c.max = bounds[0], bounds[1]
	}
}

func (g *GeoColumn) appendTo(e *encoder) {
	e.set(&g.docSet)
	e.uints(g.offsets)
	e.doubles(g.lat)
	e.doubles(g.lon)
}

func readGeo(d *decoder, n int) *GeoColumn {
	g := &GeoColumn{}
	d.set(&g.docSet, n)
	g.offsets, g.lat, g.lon = d.uints(), d.doubles(), d.doubles()
	d.offsetsFor(g.offsets, n, len(g.lat))
	if len(g.lon) != len(g.lat) {
		d.fail("points do not fit")
	}
	return g
}

func (v *VectorColumn) appendTo(e *encoder) {
	e.set(&v.docSet)
	e.uint(uint64(v.dims))
	e.uints(v.docs)
	e.floats(v.flat)
}

func readVector(d *decoder, n int) *VectorColumn {
	v := &VectorColumn{}
	d.set(&v.docSet, n)
	v.dims = int(d.uint(1 << 16))
	v.docs = d.uints()
	d.within(v.docs, n)
	v.flat = d.floats()
	if len(v.flat) != v.dims*len(v.docs) {
		d.fail("vectors do not fit")
	}
	return v
}

func (p *presenceColumn) appendTo(e *encoder) { e.set(&p.docSet) }

func (t *TextColumn) appendTo(e *encoder) {
	e.set(&t.docSet)
	e.strings(&t.terms)
	e.uints(t.offsets)
	e.uints(t.docs)
	e.uints(t.freqs)
	e.uints(t.placesAt)
	e.bytes(t.places)
	e.bytes(t.lengths)
	e.uint(uint64(t.docCount))
	e.uint(uint64(t.sumLen))
	e.uints(t.lens)
}

func readText(d *decoder, n int) *TextColumn {
	t := &TextColumn{}
	d.set(&t.docSet, n)
	t.terms = d.strings()
	t.offsets, t.docs, t.freqs = d.uints(), d.uints(), d.uints()
	t.placesAt, t.places, t.lengths = d.uints(), d.bytes(), d.bytes()
	t.docCount, t.sumLen = int64(d.uint(1<<32)), int64(d.uint(1<<56))
	t.lens = d.uints()
	d.offsetsFor(t.offsets, t.terms.len(), len(t.docs))
	d.offsetsFor(t.placesAt, t.terms.len(), len(t.places))
	d.within(t.docs, n)
	total := uint64(0)
	for _, f := range t.freqs {
		total += uint64(f)
	}
	if len(t.freqs) != len(t.docs) || len(t.lengths) != n || t.lens != nil && len(t.lens) != n || total > uint64(len(t.places)) {
		d.fail("postings do not fit")
	}
	return t
}
