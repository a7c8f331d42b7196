package query

import (
	"encoding/base64"
	"math"
	"strconv"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/eserr"
	"postern/internal/mapping"
	"postern/internal/segment"
	"postern/internal/sketch"
)

// Slice makes the node of the id-th of max slices of an index: of what a field, a number,
// hashes to; of what the _id does, for "_id"; of the order of documents, for none.
func Slice(c *Context, field string, id, max int) (Node, error) {
	switch field {
	case "":
		return &orderSlice{int64(id), int64(max)}, nil
	case "_id":
		return &idSlice{int64(id), int64(max)}, nil
	}
	f := c.Mapping.Field(field)
	if f == nil {
		return nil, eserr.IllegalArgument("field %s not found", field)
	}
	if !f.DocValues || f.Kind != mapping.KindLong && f.Kind != mapping.KindDouble {
		return nil, eserr.IllegalArgument("cannot load numeric doc values on %s", field)
	}
	return &valueSlice{f.Name, int64(id), int64(max), f.Kind == mapping.KindDouble, f.Type == "float"}, nil
}

func appendSlice(dst []byte, by string, id, max int64) []byte {
	dst = appendQuoted(append(dst, "slice("...), by)
	dst = strconv.AppendInt(append(dst, ','), id, 10)
	return append(strconv.AppendInt(append(dst, ','), max, 10), ')')
}

// orderSlice is a run of neighbouring documents of the snapshot.
type orderSlice struct{ id, max int64 }

func (n *orderSlice) AppendKey(dst []byte) []byte { return appendSlice(dst, "", n.id, n.max) }

func (n *orderSlice) match(x *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	if docs, ok, err := x.inherited(n, s); ok {
		return docs, err
	}
	var all, base int64
	for _, p := range x.parts {
		if p.Segment == s {
			base = all
		}
		all += int64(p.Len())
	}
	size, rest := all/n.max, all%n.max
	from := n.id*size + min(n.id, rest)
	to := (n.id+1)*size + min(n.id+1, rest)
	docs := roaring.New()
	if from, to = max(from-base, 0), min(to-base, int64(s.Len())); from < to {
		docs.AddRange(uint64(from), uint64(to))
	}
	return docs, nil
}

func (n *orderSlice) scorer(_ *Exec, boost float32) (scorer, error) {
	return constScorer{n, boost}, nil
}

// idSlice are the documents whose _id hashes to the slice.
type idSlice struct{ id, max int64 }

// idSeed is Elasticsearch's seed of the hash of an _id.
const idSeed = 7919

func (n *idSlice) AppendKey(dst []byte) []byte { return appendSlice(dst, "_id", n.id, n.max) }

func (n *idSlice) match(x *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	if docs, ok, err := x.inherited(n, s); ok {
		return docs, err
	}
	docs := roaring.New()
	var term []byte
	for doc := range uint32(s.Len()) {
		term = appendIDTerm(term[:0], s.ID(doc))
		if sketch.FloorMod(int64(int32(sketch.Murmur3(term, idSeed))), n.max) == n.id {
			docs.Add(doc)
		}
	}
	return docs, nil
}

func (n *idSlice) scorer(_ *Exec, boost float32) (scorer, error) { return constScorer{n, boost}, nil }

// The first bytes by which Elasticsearch tells the forms of an _id apart.
const (
	idUTF8         = 0xff
	idNumeric      = 0xfe
	idBase64Escape = 0xfd
)

// appendIDTerm appends an _id as Elasticsearch indexes it: digits two a byte, base64
// decoded, other texts as they are.
func appendIDTerm(dst []byte, id string) []byte {
	switch {
	case strings.Trim(id, "0123456789") == "":
		dst = append(dst, idNumeric)
		for i := 0; i < len(id); i += 2 {
			low := byte(0x0f)
			if i+1 < len(id) {
				low = id[i+1] - '0'
			}
			dst = append(dst, (id[i]-'0')<<4|low)
		}
		return dst
	case len(id)%4 != 1:
		if raw, err := base64.RawURLEncoding.Strict().DecodeString(id); err == nil && !strings.ContainsAny(id, "\r\n") {
			if raw[0] >= idBase64Escape {
				dst = append(dst, idBase64Escape)
			}
			return append(dst, raw...)
		}
	}
	return append(append(dst, idUTF8), id...)
}

// valueSlice are the documents of which a number hashes to the slice.
type valueSlice struct {
	field         string
	id, max       int64
	double, float bool
}

func (n *valueSlice) AppendKey(dst []byte) []byte { return appendSlice(dst, n.field, n.id, n.max) }

func (n *valueSlice) holds(v int64) bool {
	return sketch.FloorMod(int64(sketch.Mix64(uint64(v))), n.max) == n.id
}

func (n *valueSlice) match(x *Exec, s *segment.Segment) (*roaring.Bitmap, error) {
	if docs, ok, err := x.inherited(n, s); ok {
		return docs, err
	}
	var some func(doc uint32) (has, holds bool)
	if n.double {
		if c := s.Double(n.field); c != nil {
			some = holdsAny(c.Values, func(v float64) bool { return n.holds(n.sortable(v)) })
		}
	} else if c := s.Long(n.field); c != nil {
		some = holdsAny(c.Values, n.holds)
	}
	missing := n.holds(0)
	docs := roaring.New()
	for doc := range uint32(s.Len()) {
		has, holds := false, false
		if some != nil {
			has, holds = some(doc)
		}
		if holds || !has && missing {
			docs.Add(doc)
		}
	}
	return docs, nil
}

func holdsAny[T any](values func(uint32) []T, holds func(T) bool) func(uint32) (bool, bool) {
	return func(doc uint32) (bool, bool) {
		list := values(doc)
		for _, v := range list {
			if holds(v) {
				return true, true
			}
		}
		return len(list) > 0, false
	}
}

// sortable is a number as Lucene keeps it: an integer that sorts like it.
func (n *valueSlice) sortable(v float64) int64 {
	if n.float {
		b := int32(math.Float32bits(float32(v)))
		return int64(b ^ b>>31&math.MaxInt32)
	}
	b := int64(math.Float64bits(v))
	return b ^ b>>63&math.MaxInt64
}

func (n *valueSlice) scorer(_ *Exec, boost float32) (scorer, error) {
	return constScorer{n, boost}, nil
}
