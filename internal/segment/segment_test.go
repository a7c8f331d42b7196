package segment

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"

	"postern/internal/analysis"
	"postern/internal/mapping"
)

var testFields = []*mapping.Field{
	{Name: "k", Kind: mapping.KindKeyword}, {Name: "ks", Kind: mapping.KindKeyword},
	{Name: "l", Kind: mapping.KindLong}, {Name: "ls", Kind: mapping.KindLong},
	{Name: "d", Kind: mapping.KindDouble}, {Name: "ip", Kind: mapping.KindIP},
	{Name: "t", Kind: mapping.KindText, PositionIncrementGap: 100}, {Name: "g", Kind: mapping.KindGeoPoint},
	{Name: "v", Kind: mapping.KindVector}, {Name: "b", Kind: mapping.KindNone},
}

func randomValues(rng *rand.Rand) []mapping.Value {
	var values []mapping.Value
	for _, f := range testFields {
		count := rng.IntN(2)
		if f.Name == "ks" || f.Name == "ls" || f.Name == "t" || f.Name == "g" {
			count = rng.IntN(4)
		}
		for range count {
			v := mapping.Value{Field: f, I: rng.Int64N(20) - 10, F: float64(rng.IntN(9)) / 4, S: fmt.Sprint("s", rng.IntN(30))}
			switch f.Kind {
			case mapping.KindGeoPoint:
				v.I = int64(math.Float64bits(float64(rng.IntN(90))))
			case mapping.KindVector:
				v.V = []float32{rng.Float32(), rng.Float32()}
			case mapping.KindText:
				for i := range rng.IntN(60) {
					v.Tokens = append(v.Tokens, analysis.Token{Term: fmt.Sprint("w", rng.IntN(12)), Position: i})
				}
			}
			values = append(values, v)
		}
	}
	return values
}

func randomDocument(rng *rand.Rand, seqNo int64) *mapping.Document {
	d := &mapping.Document{ID: fmt.Sprint("id", seqNo), SeqNo: seqNo, Version: 1, Values: randomValues(rng)}
	if rng.IntN(4) == 0 {
		d.Version, d.Routing, d.Ignored = int64(rng.IntN(5)+1), "r", []string{"k", "l"}
	}
	for i := range rng.IntN(4) {
		c := mapping.Child{Path: "n", Parent: -1, Values: randomValues(rng)}
		if i > 0 && rng.IntN(2) == 0 {
			c.Path, c.Parent = "n.m", rng.IntN(i)
			if d.Children[c.Parent].Path != "n" {
				c.Path, c.Parent = "n", -1
			}
		}
		d.Children = append(d.Children, c)
	}
	return d
}

// describe reads everything a segment says of some of its documents.
func describe(t *testing.T, s *Segment, live *roaring.Bitmap) []string {
	t.Helper()
	out := make([]string, s.Len())
	for doc := range out {
		d := uint32(doc)
		if s.seqNos != nil {
			out[doc] = fmt.Sprint(s.ID(d), " ", s.SeqNo(d), " v", s.Version(d), " ", s.Routing(d))
		}
	}
	for _, name := range s.Fields() {
		exists := s.Exists(name)
		for doc := range out {
			if exists.Contains(uint32(doc)) {
				out[doc] += " " + name + ":"
			}
		}
		if k := s.Keyword(name); k != nil {
			for doc := range out {
				for _, o := range k.Ords(uint32(doc)) {
					out[doc] += k.Term(o) + ","
					if !k.Postings(o).Contains(uint32(doc)) {
						t.Errorf("%s: the postings of %s lack %d", name, k.Term(o), doc)
					}
				}
			}
		}
		if c := s.Long(name); c != nil {
			for doc := range out {
				out[doc] += listed(c.Values(uint32(doc)))
			}
		}
		if c := s.Double(name); c != nil {
			for doc := range out {
				out[doc] += listed(c.Values(uint32(doc)))
			}
		}
		if c := s.Geo(name); c != nil {
			for doc := range out {
				lat, lon := c.Points(uint32(doc))
				out[doc] += listed(lat) + listed(lon)
			}
		}
		if c := s.Vector(name); c != nil {
			for doc := range out {
				out[doc] += listed(c.Of(uint32(doc)))
			}
		}
		if c := s.Text(name); c != nil {
			for o := range uint32(c.NumTerms()) {
				p := c.Postings(o)
				for i, doc := range p.Docs {
					out[doc] += fmt.Sprint(" ", c.Term(o), p.Freqs[i], p.Positions(i), c.Lengths()[doc])
				}
			}
		}
	}
	for _, path := range s.childPaths() {
		c := s.Children(path)
		for i, line := range describe(t, c.Segment, nil) {
			out[c.Parent[i]] += fmt.Sprint(" ", path, "{", line, "}")
		}
	}
	if err := s.Err(); err != nil {
		t.Error(err)
	}
	if live == nil {
		return out
	}
	var kept []string
	for doc, line := range out {
		if live.Contains(uint32(doc)) {
			kept = append(kept, line)
		}
	}
	return kept
}

// listed shows values; a column without any for a document shows nothing, like no column.
func listed[T any](v []T) string {
	if len(v) == 0 {
		return ""
	}
	return fmt.Sprint(v)
}

func reopen(t *testing.T, s *Segment) *Segment {
	t.Helper()
	blobs := map[string][]byte{}
	if err := s.Encode(func(name string, b []byte) error { blobs[name] = bytes.Clone(b); return nil }); err != nil {
		t.Fatal(err)
	}
	o, err := Open(func(name string) ([]byte, error) { return blobs[name], nil })
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// The same documents read the same as one view of a tail, as several sealed segments,
// merged, and written and read again.
func TestEveryFormOfASegmentReadsTheSame(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 20 {
		n := 1 + rng.IntN(150)
		whole := NewTail()
		var parts []Part
		var current *Tail
		var want []string
		for i := range n {
			if current == nil || rng.IntN(20) == 0 {
				if current != nil {
					parts = append(parts, Part{Segment: current.Seal()})
				}
				current = NewTail()
			}
			d := randomDocument(rng, int64(i*3))
			whole.Append(d)
			current.Append(d)
			if rng.IntN(10) == 0 {
				all, half := describe(t, whole.View(i+1), nil), describe(t, whole.View(i/2+1), nil)
				if diff := cmp.Diff(all[:i/2+1], half); diff != "" {
					t.Fatalf("a view of fewer rows: %s", diff)
				}
			}
		}
		parts = append(parts, Part{Segment: current.Seal()})
		live := roaring.New()
		base := uint32(0)
		for i := range parts {
			parts[i].Live = roaring.New()
			for doc := range uint32(parts[i].Len()) {
				if rng.IntN(5) > 0 {
					parts[i].Live.Add(doc)
					live.Add(base + doc)
				}
			}
			base += uint32(parts[i].Len())
		}
		want = describe(t, whole.View(n), live)
		if len(want) == 0 {
			continue
		}
		merged := Merge(parts)
		if diff := cmp.Diff(want, describe(t, merged, nil)); diff != "" {
			t.Fatalf("merged: %s", diff)
		}
		if diff := cmp.Diff(want, describe(t, reopen(t, merged), nil)); diff != "" {
			t.Fatalf("reopened: %s", diff)
		}
		if diff := cmp.Diff(describe(t, whole.View(n), nil), describe(t, reopen(t, whole.Seal()), nil)); diff != "" {
			t.Fatalf("tail reopened: %s", diff)
		}
		for doc := range uint32(merged.Len()) {
			if got, ok := merged.Find(merged.SeqNo(doc)); !ok || got != doc {
				t.Errorf("Find(%d) = %d %v", merged.SeqNo(doc), got, ok)
			}
		}
	}
}

func TestRangeAndOrderAgainstAScan(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	for _, name := range []string{"l", "ls"} {
		tail := NewTail()
		for i := range 500 {
			tail.Append(randomDocument(rng, int64(i)))
		}
		c := tail.Seal().Long(name)
		for round := range 200 {
			if round == 100 {
				last := int64(math.MinInt64)
				for _, doc := range c.Order() {
					v := slices.Min(c.Values(doc))
					if c.Single() && v < last {
						t.Fatal("the order is not ascending")
					}
					last = v
				}
			}
			lo, hi := rng.Int64N(24)-12, rng.Int64N(24)-12
			want := roaring.New()
			for doc := range uint32(500) {
				if slices.ContainsFunc(c.Values(doc), func(v int64) bool { return v >= lo && v <= hi }) {
					want.Add(doc)
				}
			}
			if got := c.Range(lo, hi); !got.Equals(want) {
				t.Fatalf("%s [%d, %d]: %v, want %v", name, lo, hi, got, want)
			}
		}
	}
}

// Lucene's SmallFloat.intToByte4 keeps what these lines say.
func TestLengthsAsLucene(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 1, 39: 39, 40: 40, 41: 40, 42: 42, 55: 54, 57: 56, 100: 96, 1000: 984, math.MaxInt32: 2013265944} {
		if got := DecodeLength(EncodeLength(n)); got != want {
			t.Errorf("%d becomes %d, want %d", n, got, want)
		}
	}
	for b := range 255 {
		if DecodeLength(byte(b)) >= DecodeLength(byte(b+1)) {
			t.Errorf("byte %d and the next decode out of order", b)
		}
	}
}

// FuzzOpen: a changed blob gives an error or a readable segment, never a panic.
func FuzzOpen(f *testing.F) {
	rng := rand.New(rand.NewPCG(9, 0))
	tail := NewTail()
	for i := range 12 {
		tail.Append(randomDocument(rng, int64(i)))
	}
	blobs := map[string][]byte{}
	if err := tail.Seal().Encode(func(name string, b []byte) error { blobs[name] = b; return nil }); err != nil {
		f.Fatal(err)
	}
	names := slices.Sorted(maps.Keys(blobs))
	for i, name := range names {
		f.Add(i, blobs[name][5:])
	}
	f.Fuzz(func(t *testing.T, which int, payload []byte) {
		changed := names[uint(which)%uint(len(names))]
		e := encoder{payload}
		s, err := Open(func(name string) ([]byte, error) {
			if name == changed {
				return e.blob(), nil
			}
			return blobs[name], nil
		})
		if err != nil {
			return
		}
		read(t, s)
	})
}

func read(t *testing.T, s *Segment) {
	if s.Len() > 1000 {
		return
	}
	for doc := range uint32(s.Len()) {
		s.Version(doc)
	}
	for _, name := range s.Fields() {
		if k := s.Keyword(name); k != nil {
			k.Stats(nil)
			for o := range uint32(k.NumTerms()) {
				k.Postings(o)
			}
		}
		if c := s.Long(name); c != nil {
			c.Order()
			c.Range(c.Min(), c.Max()-1)
		}
		if c := s.Double(name); c != nil {
			c.Order()
			c.Range(0, 1)
		}
		if c := s.Text(name); c != nil {
			for o := range uint32(c.NumTerms()) {
				p := c.Postings(o)
				for i := range p.Docs {
					p.Positions(i)
				}
			}
		}
		if c := s.Geo(name); c != nil {
			for doc := range uint32(s.Len()) {
				c.Points(doc)
			}
		}
		if c := s.Vector(name); c != nil {
			for doc := range uint32(s.Len()) {
				c.Of(doc)
			}
		}
	}
	for _, path := range s.childPaths() {
		if c := s.Children(path); c != nil {
			read(t, c.Segment)
		}
	}
}
