package planner

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/mapping"
	"postern/internal/segment"
	"postern/planner/query"
)

// plainDoc is a document as the oracle of pages sees it.
type plainDoc struct {
	seq   int64
	k     []string
	n     []int64
	d     []float64
	inner []plainDoc
	match bool
}

var (
	keywordField = &mapping.Field{Name: "k", Type: "keyword", Kind: mapping.KindKeyword}
	longField    = &mapping.Field{Name: "n", Type: "long", Kind: mapping.KindLong}
	doubleField  = &mapping.Field{Name: "d", Type: "double", Kind: mapping.KindDouble}
	innerLong    = &mapping.Field{Name: "c.n", Type: "long", Kind: mapping.KindLong}
	innerKeyword = &mapping.Field{Name: "c.k", Type: "keyword", Kind: mapping.KindKeyword}
)

func (d *plainDoc) values(k, n, f *mapping.Field) (vals []mapping.Value) {
	for _, v := range d.k {
		vals = append(vals, mapping.Value{Field: k, S: v})
	}
	for _, v := range d.n {
		vals = append(vals, mapping.Value{Field: n, I: v})
	}
	for _, v := range d.d {
		vals = append(vals, mapping.Value{Field: f, F: v})
	}
	return vals
}

// drawDocs draws documents; every other world has fields with at most one value.
func drawDocs(rnd *rand.Rand, size int) ([]plainDoc, []segment.Part, []*roaring.Bitmap) {
	docs := make([]plainDoc, size)
	most := 1 + rnd.IntN(3)
	always := rnd.IntN(3) == 0
	count := func() int {
		if always {
			return 1
		}
		return rnd.IntN(most + 1)
	}
	spread := []int{5, 40, 100000}[rnd.IntN(3)]
	var parts []segment.Part
	var matches []*roaring.Bitmap
	tail, current := segment.NewTail(), roaring.New()
	density := 1 + rnd.IntN(12)
	for i := range docs {
		d := &docs[i]
		d.seq, d.match = int64(i), rnd.IntN(12) < density
		for range count() {
			d.k = append(d.k, strconv.Itoa(rnd.IntN(spread)))
		}
		for range count() {
			d.n = append(d.n, int64(rnd.IntN(spread))-3)
		}
		for range count() {
			d.d = append(d.d, float64(rnd.IntN(spread))/8-1)
		}
		doc := &mapping.Document{ID: strconv.Itoa(i), SeqNo: d.seq, Version: 1, Values: d.values(keywordField, longField, doubleField)}
		for range rnd.IntN(3) {
			in := plainDoc{n: []int64{int64(rnd.IntN(spread))}, k: []string{strconv.Itoa(rnd.IntN(spread))}}
			d.inner = append(d.inner, in)
			doc.Children = append(doc.Children, mapping.Child{Path: "c", Parent: -1, Values: in.values(innerKeyword, innerLong, nil)})
		}
		row := tail.Append(doc)
		if d.match {
			current.Add(uint32(row))
		}
		if rnd.IntN(size/2) == 0 || i == size-1 {
			parts, matches = append(parts, segment.Part{Segment: tail.View(tail.Len())}), append(matches, current)
			tail, current = segment.NewTail(), roaring.New()
		}
	}
	return docs, parts, matches
}

func drawSort(rnd *rand.Rand) []*sortField {
	var fields []*sortField
	for range 1 + rnd.IntN(3) {
		f := &sortField{desc: rnd.IntN(2) == 0, missingFirst: rnd.IntN(2) == 0, atMost: math.MaxInt}
		if f.desc {
			f.mode = modeMax
		}
		switch rnd.IntN(7) {
		case 0:
			f.kind, f.field, f.out, f.source = sortTerm, "k", stringValue, stringValue
		case 1:
			f.kind, f.field, f.out, f.source = sortDouble, "d", doubleValue, doubleValue
		case 2:
			f.kind, f.field, f.out = sortDoc, "_doc", longValue
		case 3:
			f.kind, f.field, f.out, f.source, f.steps = sortLong, "c.n", longValue, longValue, []nestedStep{{path: "c"}}
		case 4:
			f.kind, f.field, f.out, f.source, f.steps = sortTerm, "c.k", stringValue, stringValue, []nestedStep{{path: "c"}}
		default:
			f.kind, f.field, f.out, f.source = sortLong, "n", longValue, longValue
			f.mode = sortMode(rnd.IntN(5))
		}
		f.name = f.field
		if f.out != stringValue {
			f.missing = f.missingDefault()
			if rnd.IntN(4) == 0 {
				f.missing = sortValue{kind: f.out, i: 2, f: 2}
			}
		} else if rnd.IntN(4) == 0 {
			f.missing, f.given = sortValue{kind: stringValue, s: "2"}, true
		}
		fields = append(fields, f)
	}
	return fields
}

// plainValue is the sort value of a document, found the slow way.
func plainValue(f *sortField, d *plainDoc) sortValue {
	n, k := d.n, d.k
	if len(f.steps) > 0 {
		n, k = nil, nil
		for _, in := range d.inner {
			n, k = append(n, in.n...), append(k, in.k...)
		}
	}
	n, k = slices.Sorted(slices.Values(n)), slices.Sorted(slices.Values(k))
	fs := slices.Sorted(slices.Values(d.d))
	switch f.kind {
	case sortDoc:
		return sortValue{kind: longValue, i: d.seq}
	case sortTerm:
		switch {
		case len(k) == 0 && f.given:
			return f.missing
		case len(k) == 0:
			return sortValue{}
		case f.mode == modeMax:
			return sortValue{kind: stringValue, s: k[len(k)-1]}
		}
		return sortValue{kind: stringValue, s: k[0]}
	case sortDouble:
		switch {
		case len(fs) == 0:
			return f.missing
		case f.mode == modeMax:
			return sortValue{kind: doubleValue, f: fs[len(fs)-1]}
		}
		return sortValue{kind: doubleValue, f: fs[0]}
	}
	if len(n) == 0 {
		return f.missing
	}
	sum := int64(0)
	for _, v := range n {
		sum += v
	}
	mid := float64(n[len(n)/2])
	if len(n)%2 == 0 {
		mid = float64(n[len(n)/2-1]+n[len(n)/2]) / 2
	}
	return sortValue{kind: longValue, i: []int64{n[0], n[len(n)-1], sum,
		int64(math.Floor(float64(sum)/float64(len(n)) + .5)), int64(math.Floor(mid + .5))}[f.mode]}
}

// TestRandomPagesAgainstOracle pages through random documents by random sorts, with all
// rules and without, and finds what sorting everything finds.
func TestRandomPagesAgainstOracle(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 2))
	walked, pages := 0, 0
	// Chance decides how many pages are worth a walk: it goes on until there were some.
	for round := 0; round < 14 || walked < 20 && round < 200; round++ {
		docs, parts, matches := drawDocs(rnd, 30+rnd.IntN(2000))
		for range 8 {
			fields := drawSort(rnd)
			want := plainPage(docs, fields)
			size := 1 + rnd.IntN(20)
			for _, rules := range []RuleSet{{}, RuleSet{}.Without(AllRules()...)} {
				got, w, err := pageAll(parts, matches, fields, size, rules, len(want))
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				walked += w
				pages++
				if err := samePages(got, want, fields); err != nil {
					t.Fatalf("seed %d round %d sort %s size %d rules %v: %v", seed, round, keyOfSort(fields), size, rules, err)
				}
			}
		}
	}
	t.Logf("%d sorts, %d pages read off a column's order", pages, walked)
	if walked < 20 {
		t.Errorf("only %d pages were read off a column's order", walked)
	}
}

func keyOfSort(fields []*sortField) (s string) {
	for _, f := range fields {
		s += string(f.appendKey(nil))
	}
	return s
}

func plainPage(docs []plainDoc, fields []*sortField) []found {
	var all []found
	for i := range docs {
		if !docs[i].match {
			continue
		}
		f := found{seqNo: docs[i].seq}
		for _, s := range fields {
			f.values = append(f.values, plainValue(s, &docs[i]))
		}
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b found) int {
		for i, f := range fields {
			if c := f.compare(a.values[i], b.values[i]); c != 0 {
				return c
			}
		}
		return cmp.Compare(a.seqNo, b.seqNo)
	})
	return all
}

// pageAll reads the first page and then, by cursors, the others. Cursors need a last
// key that tells documents apart, so one is added.
func pageAll(parts []segment.Part, matches []*roaring.Bitmap, fields []*sortField, size int, rules RuleSet, n int) (all []found, walked int, _ error) {
	x := query.NewExec(context.Background(), parts)
	withSeq := append(slices.Clone(fields), &sortField{kind: sortSeqNo, name: "_seq_no", out: longValue})
	var after []sortValue
	for range n/size + 2 {
		sort := withSeq
		if n > 500 { // one page will do
			sort = fields
		}
		p := &pager{x: x, sort: sort, size: size, after: after, rules: rules}
		var pages []partPage
		for i, part := range parts {
			some, err := p.pick(part, matches[i], nil)
			if err != nil {
				return nil, 0, err
			}
			pages = append(pages, some)
			p.base += uint32(part.Len())
		}
		if p.walked {
			walked++
		}
		page := mergePages(sort, pages, size)
		all = append(all, page...)
		if len(page) < size || n > 500 {
			return all, walked, nil
		}
		after = page[len(page)-1].values
	}
	return all, walked, fmt.Errorf("paging does not end")
}

func samePages(got, want []found, fields []*sortField) error {
	if len(want) <= 500 && len(got) != len(want) {
		return fmt.Errorf("%d documents, want %d", len(got), len(want))
	}
	for i, g := range got {
		w := want[i]
		if g.seqNo != w.seqNo {
			return fmt.Errorf("place %d: document %d %v, want %d %v", i, g.seqNo, g.values, w.seqNo, w.values)
		}
		for j, f := range fields {
			if a, b := f.append(nil, g.values[j]), f.append(nil, w.values[j]); string(a) != string(b) {
				return fmt.Errorf("place %d: value %d is %s, want %s", i, j, a, b)
			}
		}
	}
	return nil
}
