package segment

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/mapping"
)

// The binary form of a segment is a header and a blob for each column, each under a name
// of its own; those of nested documents have names that begin with their path's. A blob
// is a version byte, the CRC-32C of the rest, and the rest.
const (
	formatVersion = 1
	headerName    = "h"
	fieldPrefix   = "f:"
	childPrefix   = "c:"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Encode gives the segment's blobs to put.
func (s *Segment) Encode(put func(name string, blob []byte) error) error {
	return s.encode("", nil, put)
}

func (s *Segment) encode(prefix string, parent []uint32, put func(string, []byte) error) error {
	e := &encoder{}
	e.uint(uint64(s.n))
	e.deltas(s.seqNos)
	e.longs(s.versions)
	e.strings(&s.ids)
	e.uints(parent)
	names := s.Fields()
	e.uint(uint64(len(names)))
	for _, name := range names {
		e.bytes([]byte(name))
		e.uint(uint64(s.fields[name].kind))
	}
	paths := s.childPaths()
	e.uint(uint64(len(paths)))
	for _, path := range paths {
		e.bytes([]byte(path))
	}
	if err := put(prefix+headerName, e.blob()); err != nil {
		return err
	}
	for _, name := range names {
		c := s.column(name)
		if c == nil {
			return s.Err()
		}
		e := &encoder{}
		c.appendTo(e)
		if err := put(prefix+fieldPrefix+name, e.blob()); err != nil {
			return err
		}
	}
	for _, path := range paths {
		c := s.Children(path)
		if c == nil {
			return s.Err()
		}
		if err := c.Segment.encode(prefix+childPrefix+path+"\x00", c.Parent, put); err != nil {
			return err
		}
	}
	return nil
}

// Open reads a segment's header; a column is read when it is first asked for. get gives
// the blob of a name; the blob is not kept.
func Open(get func(name string) ([]byte, error)) (*Segment, error) {
	s, _, err := open("", get)
	return s, err
}

func open(prefix string, get func(string) ([]byte, error)) (*Segment, []uint32, error) {
	d, err := readBlob(prefix+headerName, get)
	if err != nil {
		return nil, nil, err
	}
	s := &Segment{n: int(d.uint(math.MaxInt32)), fields: map[string]*field{}}
	s.seqNos = d.deltas()
	s.versions = d.longs()
	s.ids = d.strings()
	parent := d.uints()
	for range d.uint(1 << 20) {
		name := string(d.bytes())
		kind := mapping.Kind(d.uint(255))
		s.fields[name] = &field{kind: kind, build: func() (column, error) {
			return openColumn(prefix+fieldPrefix+name, kind, s.n, get)
		}}
	}
	for range d.uint(1 << 20) {
		path := string(d.bytes())
		if s.children == nil {
			s.children = map[string]*lazyChildren{}
		}
		s.children[path] = &lazyChildren{build: func() (*Children, error) {
			return openChildren(prefix+childPrefix+path+"\x00", s.n, get)
		}}
	}
	root := prefix == ""
	if d.err == nil && (root && (len(s.seqNos) != s.n || s.ids.len() != s.n) || s.versions != nil && len(s.versions) != s.n ||
		!root && len(parent) != s.n || root && !slices.IsSorted(s.seqNos)) {
		d.fail("the header's lists do not fit")
	}
	if d.err != nil {
		return nil, nil, fmt.Errorf("segment %s: %w", prefix+headerName, d.err)
	}
	return s, parent, nil
}

func openChildren(prefix string, n int, get func(string) ([]byte, error)) (*Children, error) {
	inner, parent, err := open(prefix, get)
	if err != nil {
		return nil, err
	}
	if !slices.IsSorted(parent) || len(parent) > 0 && parent[len(parent)-1] >= uint32(n) {
		return nil, fmt.Errorf("segment %s: parents out of order", prefix)
	}
	return &Children{inner, parent}, nil
}

func openColumn(name string, kind mapping.Kind, n int, get func(string) ([]byte, error)) (column, error) {
	d, err := readBlob(name, get)
	if err != nil {
		return nil, err
	}
	var c column
	switch kind {
	case mapping.KindKeyword, mapping.KindIP:
		c = readKeyword(d, n)
	case mapping.KindLong:
		long := &LongColumn{}
		readNumbers(d, n, &long.numbers, d.longs)
		c = long
	case mapping.KindDouble:
		double := &DoubleColumn{}
		readNumbers(d, n, &double.numbers, d.doubles)
		c = double
	case mapping.KindGeoPoint:
		c = readGeo(d, n)
	case mapping.KindVector:
		c = readVector(d, n)
	case mapping.KindText:
		c = readText(d, n)
	default:
		p := &presenceColumn{}
		d.set(&p.docSet, n)
		c = p
	}
	if d.err == nil && len(d.b) > 0 {
		d.fail("bytes are left over")
	}
	if d.err != nil {
		return nil, fmt.Errorf("segment %s: %w", name, d.err)
	}
	return c, nil
}

// encoder writes numbers as varints and lists with their length before them.
type encoder struct{ b []byte }

func (e *encoder) blob() []byte {
	out := append(make([]byte, 0, len(e.b)+5), formatVersion)
	out = binary.LittleEndian.AppendUint32(out, crc32.Checksum(e.b, castagnoli))
	return append(out, e.b...)
}

func (e *encoder) uint(v uint64)  { e.b = binary.AppendUvarint(e.b, v) }
func (e *encoder) bytes(b []byte) { e.uint(uint64(len(b))); e.b = append(e.b, b...) }

func (e *encoder) uints(v []uint32) {
	e.uint(uint64(len(v)))
	for _, x := range v {
		e.uint(uint64(x))
	}
}

// deltas writes an ascending list by its distances.
func (e *encoder) deltas(v []int64) {
	e.uint(uint64(len(v)))
	last := int64(0)
	for _, x := range v {
		e.b = binary.AppendVarint(e.b, x-last)
		last = x
	}
}

// longs writes each number in as many bytes as the widest of them needs.
func (e *encoder) longs(v []int64) {
	e.uint(uint64(len(v)))
	if len(v) == 0 {
		return
	}
	low, high := slices.Min(v), slices.Max(v)
	width := 8
	for w, limit := range []uint64{0, 1 << 8, 1 << 16, 1 << 24, 1 << 32} {
		if w > 0 && uint64(high)-uint64(low) < limit {
			width = w
			break
		}
	}
	e.b = append(e.b, byte(width))
	e.b = binary.LittleEndian.AppendUint64(e.b, uint64(low))
	for _, x := range v {
		u := uint64(x) - uint64(low)
		for i := range width {
			e.b = append(e.b, byte(u>>(8*i)))
		}
	}
}

func (e *encoder) doubles(v []float64) {
	e.uint(uint64(len(v)))
	for _, x := range v {
		e.b = binary.LittleEndian.AppendUint64(e.b, math.Float64bits(x))
	}
}

func (e *encoder) floats(v []float32) {
	e.uint(uint64(len(v)))
	for _, x := range v {
		e.b = binary.LittleEndian.AppendUint32(e.b, math.Float32bits(x))
	}
}

func (e *encoder) strings(t *stringTable) {
	n := t.len()
	e.uint(uint64(n))
	for i := range uint32(n) {
		e.uint(uint64(t.offsets[i+1] - t.offsets[i]))
	}
	e.b = append(e.b, t.text...)
}

func (e *encoder) set(d *docSet) {
	if d.some == nil {
		e.bytes(nil)
		return
	}
	b, _ := d.some.ToBytes() // into memory: it can't fail
	e.bytes(b)
}

// decoder reads what encoder wrote. Its first error sticks, and all it gives after that
// is empty.
type decoder struct {
	b   []byte
	err error
}

func readBlob(name string, get func(string) ([]byte, error)) (*decoder, error) {
	b, err := get(name)
	if err != nil {
		return nil, fmt.Errorf("segment %s: %w", name, err)
	}
	switch {
	case len(b) < 5:
		return nil, fmt.Errorf("segment %s: %d bytes are no blob", name, len(b))
	case b[0] != formatVersion:
		return nil, fmt.Errorf("segment %s: format %d is not known", name, b[0])
	case crc32.Checksum(b[5:], castagnoli) != binary.LittleEndian.Uint32(b[1:]):
		return nil, fmt.Errorf("segment %s: the checksum does not fit", name)
	}
	return &decoder{b: bytes.Clone(b[5:])}, nil
}

func (d *decoder) fail(what string) {
	if d.err == nil {
		d.err = fmt.Errorf("%s, %d bytes before the end", what, len(d.b))
	}
	d.b = nil
}

func (d *decoder) uint(limit uint64) uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 || v > limit {
		d.fail("a number is out of range")
		return 0
	}
	d.b = d.b[n:]
	return v
}

// count reads the length of a list of which each entry takes at least width bytes.
func (d *decoder) count(width int) int { return int(d.uint(uint64(len(d.b) / max(width, 1)))) }

func (d *decoder) take(n int) []byte {
	if n < 0 || n > len(d.b) {
		d.fail("a list is cut off")
		return nil
	}
	b := d.b[:n:n]
	d.b = d.b[n:]
	return b
}

func (d *decoder) bytes() []byte { return d.take(d.count(1)) }

func (d *decoder) uints() []uint32 {
	n := d.count(1)
	if n == 0 {
		return nil
	}
	v := make([]uint32, n)
	for i := range v {
		v[i] = uint32(d.uint(math.MaxUint32))
	}
	return v
}

func (d *decoder) deltas() []int64 {
	n := d.count(1)
	if n == 0 {
		return nil
	}
	v := make([]int64, n)
	last := int64(0)
	for i := range v {
		x, n := binary.Varint(d.b)
		if n <= 0 {
			d.fail("a number is cut off")
			return nil
		}
		d.b = d.b[n:]
		last += x
		v[i] = last
	}
	return v
}

func (d *decoder) longs() []int64 {
	n := d.count(1)
	if n == 0 {
		return nil
	}
	head := d.take(9)
	if head == nil {
		return nil
	}
	width, low := int(head[0]), binary.LittleEndian.Uint64(head[1:])
	if width < 1 || width > 8 {
		d.fail("a width is out of range")
		return nil
	}
	raw := d.take(n * width)
	if raw == nil {
		return nil
	}
	v := make([]int64, n)
	for i := range v {
		var u uint64
		for j, b := range raw[i*width : (i+1)*width] {
			u |= uint64(b) << (8 * j)
		}
		v[i] = int64(u + low)
	}
	return v
}

func (d *decoder) doubles() []float64 {
	n := d.count(8)
	raw := d.take(8 * n)
	if n == 0 || raw == nil {
		return nil
	}
	v := make([]float64, n)
	for i := range v {
		v[i] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:]))
	}
	return v
}

func (d *decoder) floats() []float32 {
	n := d.count(4)
	raw := d.take(4 * n)
	if n == 0 || raw == nil {
		return nil
	}
	v := make([]float32, n)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return v
}

func (d *decoder) strings() stringTable {
	n := d.count(1)
	t := stringTable{offsets: make([]uint32, n+1)}
	total := uint64(0)
	for i := range n {
		total += d.uint(math.MaxInt32)
		t.offsets[i+1] = uint32(min(total, math.MaxUint32))
	}
	if total > uint64(len(d.b)) {
		d.fail("strings are cut off")
		return stringTable{offsets: []uint32{0}}
	}
	t.text = d.take(int(total))
	return t
}

func (d *decoder) set(s *docSet, n int) {
	s.n = n
	b := d.bytes()
	if len(b) == 0 {
		return
	}
	s.some = roaring.New()
	if err := s.some.UnmarshalBinary(b); err != nil {
		d.fail("a set of documents is not readable")
		s.some = nil
		return
	}
	if err := s.some.Validate(); err != nil || !s.some.IsEmpty() && s.some.Maximum() >= uint32(n) {
		d.fail("a set of documents is not valid")
		s.some = nil
	}
}

// within checks that all numbers are below a limit.
func (d *decoder) within(v []uint32, limit int) {
	for _, x := range v {
		if uint64(x) >= uint64(limit) {
			d.fail("an entry is out of range")
			return
		}
	}
}

// offsetsFor checks offsets of n lists in total entries.
func (d *decoder) offsetsFor(offsets []uint32, n, total int) {
	if d.err == nil && (len(offsets) != n+1 || offsets[0] != 0 || int(offsets[n]) != total || !slices.IsSorted(offsets)) {
		d.fail("offsets do not fit")
	}
}
