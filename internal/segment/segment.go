// Package segment holds documents as columns, which exact evaluation runs on.
//
// A Segment is immutable. Its documents lie in the order of their last write (_seq_no)
// and are named by their ordinal. Columns are built, or read, when they are first asked
// for.
package segment

import (
	"cmp"
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/mapping"
)

// Segment is a run of documents. It is safe for concurrent use.
type Segment struct {
	n        int
	seqNos   []int64
	versions []int64 // nil when every version is 1
	ids      stringTable
	byID     idTable
	fields   map[string]*field
	children map[string]*lazyChildren
	err      atomic.Pointer[error]
}

// Part is a segment as one snapshot sees it: Live are the documents that are neither
// deleted nor replaced; nil stands for all.
type Part struct {
	*Segment
	Live *roaring.Bitmap
}

// Children are the nested documents of one path: their own segment, and for each the
// document of the enclosing segment that holds it. Children of one parent lie together
// and in the order of the source.
type Children struct {
	Segment *Segment
	Parent  []uint32
}

// field is one column, built once.
type field struct {
	kind  mapping.Kind
	once  sync.Once
	build func() (column, error)
	built column
	ready atomic.Bool
}

type lazyChildren struct {
	once  sync.Once
	build func() (*Children, error)
	built atomic.Pointer[Children]
}

// column is what all kinds of columns have in common.
type column interface {
	exists() *roaring.Bitmap
	// Bytes is what the column occupies in memory.
	Bytes() int64
	appendTo(e *encoder)
}

// Len counts the documents, those that are no longer live included.
func (s *Segment) Len() int { return s.n }

// ID is a document's _id.
func (s *Segment) ID(doc uint32) string { return s.ids.at(doc) }

// SeqNo is a document's _seq_no; it grows with the ordinal.
func (s *Segment) SeqNo(doc uint32) int64 { return s.seqNos[doc] }

// Version is a document's _version.
func (s *Segment) Version(doc uint32) int64 {
	if s.versions == nil {
		return 1
	}
	return s.versions[doc]
}

// Routing is a document's _routing; empty when it has none.
func (s *Segment) Routing(doc uint32) string {
	k := s.Keyword("_routing")
	if k == nil {
		return ""
	}
	if ords := k.Ords(doc); len(ords) > 0 {
		return k.Term(ords[0])
	}
	return ""
}

// Find gives the document with that _seq_no.
func (s *Segment) Find(seqNo int64) (doc uint32, ok bool) {
	i, ok := slices.BinarySearch(s.seqNos, seqNo)
	return uint32(i), ok
}

// MinSeqNo and MaxSeqNo bound the documents' _seq_no; an empty segment has neither.
func (s *Segment) MinSeqNo() int64 { return s.seqNos[0] }

// MaxSeqNo is the last document's _seq_no.
func (s *Segment) MaxSeqNo() int64 { return s.seqNos[s.n-1] }

// Err is the first failure to read a column; such a column then looks empty. Whoever
// answers from a segment asks for it at the end.
func (s *Segment) Err() error {
	if e := s.err.Load(); e != nil {
		return *e
	}
	return nil
}

func (s *Segment) column(name string) column {
	f := s.fields[name]
	if f == nil {
		return nil
	}
	f.once.Do(func() {
		c, err := f.build()
		if err != nil {
			s.err.CompareAndSwap(nil, &err)
			return
		}
		f.built = c
		f.build = nil
		f.ready.Store(true)
	})
	return f.built
}

func as[C column](s *Segment, name string) C {
	c, _ := s.column(name).(C)
	return c
}

// Keyword is the column of a keyword or ip field, or of _ignored and _routing; nil when
// no document has a value.
func (s *Segment) Keyword(name string) *KeywordColumn { return as[*KeywordColumn](s, name) }

// Long is the column of an integer, date or boolean field, or of _seq_no and _version;
// nil when no document has a value.
func (s *Segment) Long(name string) *LongColumn {
	if c := as[*LongColumn](s, name); c != nil {
		return c
	}
	return s.metaLong(name)
}

// Double is the column of a floating-point field; nil when no document has a value.
func (s *Segment) Double(name string) *DoubleColumn { return as[*DoubleColumn](s, name) }

// Text is the column of a text field; nil when no document has a value.
func (s *Segment) Text(name string) *TextColumn { return as[*TextColumn](s, name) }

// Geo is the column of a geo_point field; nil when no document has a value.
func (s *Segment) Geo(name string) *GeoColumn { return as[*GeoColumn](s, name) }

// Vector is the column of a dense_vector field; nil when no document has a value.
func (s *Segment) Vector(name string) *VectorColumn { return as[*VectorColumn](s, name) }

// Exists gives the documents that have a value of a field of any kind; nil when none
// has. The bitmap is shared and must not be changed.
func (s *Segment) Exists(name string) *roaring.Bitmap {
	c := s.column(name)
	if c == nil {
		return nil
	}
	return c.exists()
}

// Children gives the nested documents of a path; nil when there are none. Those of a
// path within it lie in the Children's own segment.
func (s *Segment) Children(path string) *Children {
	l := s.children[path]
	if l == nil {
		return nil
	}
	l.once.Do(func() {
		c, err := l.build()
		if err != nil {
			s.err.CompareAndSwap(nil, &err)
			return
		}
		l.built.Store(c)
		l.build = nil
	})
	return l.built.Load()
}

// Fields lists the fields that some document has, sorted.
func (s *Segment) Fields() []string {
	names := make([]string, 0, len(s.fields))
	for name := range s.fields {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (s *Segment) childPaths() []string {
	paths := make([]string, 0, len(s.children))
	for p := range s.children {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	return paths
}

// FieldBytes is what one field's column occupies in memory.
type FieldBytes struct {
	Field string
	Bytes int64
}

// ColumnBytes lists what the columns that are in memory occupy, sorted by field. Those
// of nested documents are listed too.
func (s *Segment) ColumnBytes() []FieldBytes {
	var list []FieldBytes
	for name, f := range s.fields {
		if f.ready.Load() {
			list = append(list, FieldBytes{name, f.built.Bytes()})
		}
	}
	for _, l := range s.children {
		if c := l.built.Load(); c != nil {
			list = append(list, FieldBytes{"", int64(4 * len(c.Parent))})
			list = append(list, c.Segment.ColumnBytes()...)
		}
	}
	slices.SortFunc(list, func(a, b FieldBytes) int { return cmp.Compare(a.Field, b.Field) })
	return list
}

// Bytes is what the segment occupies in memory with the columns that are built.
func (s *Segment) Bytes() int64 {
	n := int64(8*len(s.seqNos)+8*len(s.versions)) + s.ids.bytes()
	for _, f := range s.ColumnBytes() {
		n += f.Bytes
	}
	return n
}

// stringTable is a list of strings in one block.
type stringTable struct {
	offsets []uint32
	text    []byte
}

func newStringTable(n int) stringTable {
	return stringTable{offsets: append(make([]uint32, 0, n+1), 0)}
}

func (t *stringTable) add(s string) {
	t.text = append(t.text, s...)
	t.offsets = append(t.offsets, uint32(len(t.text)))
}

func (t *stringTable) len() int { return max(0, len(t.offsets)-1) }

func (t *stringTable) at(i uint32) string { return string(t.text[t.offsets[i]:t.offsets[i+1]]) }

func (t *stringTable) view(i uint32) []byte { return t.text[t.offsets[i]:t.offsets[i+1]] }

func (t *stringTable) bytes() int64 { return int64(4*cap(t.offsets) + cap(t.text)) }

// lowerBound is the first string, of a sorted table, that is not below s.
func (t *stringTable) lowerBound(s string) uint32 {
	return uint32(sort.Search(t.len(), func(i int) bool { return string(t.view(uint32(i))) >= s }))
}

// docSet is the documents that have a value: all of n, or those of a bitmap.
type docSet struct {
	n    int
	some *roaring.Bitmap // nil when all have one
	all  sync.Once
	full *roaring.Bitmap
}

func (d *docSet) exists() *roaring.Bitmap {
	if d.some != nil {
		return d.some
	}
	d.all.Do(func() {
		d.full = roaring.New()
		d.full.AddRange(0, uint64(d.n))
	})
	return d.full
}

func (d *docSet) bytes() int64 {
	if d.some == nil {
		return 16
	}
	return int64(d.some.GetSizeInBytes())
}

// init takes the documents in ascending order, repeated ones allowed.
func (d *docSet) init(docs []uint32, n int) {
	words := make([]uint64, (n+63)/64)
	count := 0
	for i, doc := range docs {
		if i == 0 || docs[i-1] != doc {
			count++
			words[doc>>6] |= 1 << (doc & 63)
		}
	}
	d.n = n
	if count < n {
		d.some = roaring.FromDense(words, false)
		d.some.RunOptimize()
	}
}

// FindID gives the last document with that _id among those of live, nil standing for
// all. It reads every _id.
func (s *Segment) FindID(id string, live *roaring.Bitmap) (doc uint32, ok bool) {
	for i := s.n - 1; i >= 0; i-- {
		if d := uint32(i); string(s.ids.view(d)) == id && (live == nil || live.Contains(d)) {
			return d, true
		}
	}
	return 0, false
}
