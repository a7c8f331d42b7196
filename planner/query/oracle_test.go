package query

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/analysis"
	"postern/internal/mapping"
	"postern/internal/segment"
)

// The oracle holds documents as plain values and answers every kind of node one document
// at a time, the slow and obvious way.

type plainDoc struct {
	id       string
	seq      int64
	k        []string
	t        [][]string // values of the text field, as words
	n        []int64
	d        []float64
	b        []bool
	children []*plainDoc
	live     bool
}

// question is a node beside what it should match and score.
type question struct {
	kind  string
	node  Node
	match func(*plainDoc) bool
	score func(*plainDoc) float64 // of documents that match
}

type world struct {
	rnd   *rand.Rand
	docs  []*plainDoc // all, in order; dead ones too
	parts []segment.Part
}

var (
	fieldK  = &mapping.Field{Name: "k", Type: "keyword", Kind: mapping.KindKeyword}
	fieldT  = &mapping.Field{Name: "t", Type: "text", Kind: mapping.KindText, PositionIncrementGap: 100, Norms: true}
	fieldN  = &mapping.Field{Name: "n", Type: "long", Kind: mapping.KindLong}
	fieldD  = &mapping.Field{Name: "d", Type: "double", Kind: mapping.KindDouble}
	fieldB  = &mapping.Field{Name: "b", Type: "boolean", Kind: mapping.KindLong}
	fieldCK = &mapping.Field{Name: "c.k", Type: "keyword", Kind: mapping.KindKeyword}
	fieldCT = &mapping.Field{Name: "c.t", Type: "text", Kind: mapping.KindText, PositionIncrementGap: 100, Norms: true}
)

const alphabet = "abcde"

func (w *world) word() string {
	n := 1 + w.rnd.IntN(3)
	var b strings.Builder
	for range n {
		b.WriteByte(alphabet[min(w.rnd.IntN(len(alphabet)), w.rnd.IntN(len(alphabet)))])
	}
	return b.String()
}

func (w *world) text() [][]string {
	var vals [][]string
	for range w.rnd.IntN(3) {
		var words []string
		for range w.rnd.IntN(12) {
			words = append(words, string(alphabet[w.rnd.IntN(len(alphabet))]))
		}
		if w.rnd.IntN(8) == 0 {
			for range 60 {
				words = append(words, "e")
			}
		}
		if len(words) > 0 {
			vals = append(vals, words)
		}
	}
	return vals
}

func (w *world) words(n int) []string {
	var out []string
	for range w.rnd.IntN(n + 1) {
		out = append(out, w.word())
	}
	return out
}

func newWorld(rnd *rand.Rand, size int) *world {
	w := &world{rnd: rnd}
	most := 1 + rnd.IntN(2) // of the values of n: columns with one at most are different
	var tail *segment.Tail
	var base int
	seal := func() {
		if tail == nil {
			return
		}
		p := segment.Part{Segment: tail.View(tail.Len())}
		live := roaring.New()
		for i, d := range w.docs[base:] {
			if d.live {
				live.Add(uint32(i))
			}
		}
		if int(live.GetCardinality()) < len(w.docs)-base {
			p.Live = live
		}
		w.parts = append(w.parts, p)
		tail, base = nil, len(w.docs)
	}
	for i := range size {
		if tail == nil {
			tail = segment.NewTail()
		}
		d := &plainDoc{id: strconv.Itoa(i), seq: int64(i), k: w.words(2), t: w.text(), live: true}
		if len(w.parts) != 1 {
			d.live = rnd.IntN(6) > 0
		}
		for range rnd.IntN(most + 1) {
			d.n = append(d.n, int64(rnd.IntN(20)-5))
		}
		for range rnd.IntN(2) {
			d.d = append(d.d, float64(rnd.IntN(20))/4)
		}
		for range rnd.IntN(3) {
			d.b = append(d.b, rnd.IntN(3) == 0)
		}
		for range rnd.IntN(3) {
			d.children = append(d.children, &plainDoc{k: w.words(2), t: w.text()})
		}
		w.docs = append(w.docs, d)
		tail.Append(d.document())
		if rnd.IntN(size/3) == 0 {
			seal()
		}
	}
	seal()
	return w
}

func (d *plainDoc) values(k, t *mapping.Field) []mapping.Value {
	var vals []mapping.Value
	for _, s := range d.k {
		vals = append(vals, mapping.Value{Field: k, S: s})
	}
	for _, words := range d.t {
		var tokens []analysis.Token
		for i, word := range words {
			tokens = append(tokens, analysis.Token{Term: word, Position: i})
		}
		vals = append(vals, mapping.Value{Field: t, Tokens: tokens})
	}
	return vals
}

func (d *plainDoc) document() *mapping.Document {
	doc := &mapping.Document{ID: d.id, SeqNo: d.seq, Version: 1, Values: d.values(fieldK, fieldT)}
	for _, v := range d.n {
		doc.Values = append(doc.Values, mapping.Value{Field: fieldN, I: v})
	}
	for _, v := range d.d {
		doc.Values = append(doc.Values, mapping.Value{Field: fieldD, F: v})
	}
	for _, v := range d.b {
		i := int64(0)
		if v {
			i = 1
		}
		doc.Values = append(doc.Values, mapping.Value{Field: fieldB, I: i})
	}
	for _, c := range d.children {
		doc.Children = append(doc.Children, mapping.Child{Path: "c", Parent: -1, Values: c.values(fieldCK, fieldCT)})
	}
	return doc
}

// scope lists the live documents, or their nested objects.
func (w *world) scope(nested bool) []*plainDoc {
	var out []*plainDoc
	for _, d := range w.docs {
		switch {
		case !d.live:
		case nested:
			out = append(out, d.children...)
		default:
			out = append(out, d)
		}
	}
	return out
}

func plainIDF(docs, freq int) float64 {
	return math.Log(1 + (float64(docs)-float64(freq)+0.5)/(float64(freq)+0.5))
}

// positions are where a word stands in a text, with the gap between its values.
func positions(t [][]string, word string) []int {
	var out []int
	base := 0
	for _, words := range t {
		for i, w := range words {
			if w == word {
				out = append(out, base+i)
			}
		}
		base += len(words) + 100 - 1 + 1
	}
	return out
}

func length(t [][]string) int {
	n := 0
	for _, words := range t {
		n += len(words)
	}
	return n
}

// textScore is the score of something found freq times in a document.
func (w *world) textScore(nested bool, idf float64) func(d *plainDoc, freq float64) float64 {
	docs, sum := 0, 0
	for _, d := range w.scope(nested) {
		if n := length(d.t); n > 0 {
			docs++
			sum += n
		}
	}
	avg := float64(sum) / float64(docs)
	return func(d *plainDoc, freq float64) float64 {
		short := float64(segment.DecodeLength(segment.EncodeLength(length(d.t))))
		return 2.2 * idf * freq / (freq + 1.2*(0.25+0.75*short/avg))
	}
}

func (w *world) textIDF(nested bool, word string) float64 {
	docs, freq := 0, 0
	for _, d := range w.scope(nested) {
		if length(d.t) > 0 {
			docs++
		}
		if len(positions(d.t, word)) > 0 {
			freq++
		}
	}
	return plainIDF(docs, freq)
}

// leaf draws a node without others in it.
func (w *world) leaf(nested bool) question {
	k, t := column{field: "k", bm25: mapping.DefaultBM25()}, column{field: "t", text: true, bm25: mapping.DefaultBM25()}
	if nested {
		k, t = column{field: "c.k", steps: []string{"c"}, bm25: mapping.DefaultBM25()}, column{field: "c.t", text: true, steps: []string{"c"}, bm25: mapping.DefaultBM25()}
	}
	one := func(*plainDoc) float64 { return 1 }
	kinds := 13
	if nested {
		kinds = 8 // those after it are about fields that nested objects lack
	}
	switch w.rnd.IntN(kinds) {
	case 0:
		return question{"all", matchAll{}, func(*plainDoc) bool { return true }, one}
	case 1:
		v := w.word()
		docs, freq, sum := 0, 0, 0
		for _, d := range w.scope(nested) {
			if len(d.k) > 0 {
				docs++
				sum += len(slices.Compact(slices.Sorted(slices.Values(d.k))))
			}
			if slices.Contains(d.k, v) {
				freq++
			}
		}
		score := 2.2 * plainIDF(docs, freq) / (1 + 1.2*(0.25+0.75/(float64(sum)/float64(docs))))
		return question{"keyword term", &term{column: k, value: v}, func(d *plainDoc) bool { return slices.Contains(d.k, v) },
			func(*plainDoc) float64 { return score }}
	case 2:
		v := string(alphabet[w.rnd.IntN(len(alphabet))])
		score := w.textScore(nested, w.textIDF(nested, v))
		return question{"text term", &term{column: t, value: v}, func(d *plainDoc) bool { return len(positions(d.t, v)) > 0 },
			func(d *plainDoc) float64 { return score(d, float64(len(positions(d.t, v)))) }}
	case 3:
		vals := append(w.words(4), w.word())
		return question{"terms", newTerms(k, vals), func(d *plainDoc) bool {
			return slices.ContainsFunc(d.k, func(s string) bool { return slices.Contains(vals, s) })
		}, one}
	case 4:
		lo, hi := w.word(), w.word()
		if lo > hi {
			lo, hi = hi, lo
		}
		a, b := w.rnd.IntN(2) == 0, w.rnd.IntN(2) == 0
		return question{"term range", &termRange{k, bound{lo, a, false}, bound{hi, b, false}}, func(d *plainDoc) bool {
			return slices.ContainsFunc(d.k, func(s string) bool {
				return (s > lo || a && s == lo) && (s < hi || b && s == hi)
			})
		}, one}
	case 5:
		p := w.word()[:1]
		return question{"prefix", prefixRange(k, p), func(d *plainDoc) bool {
			return slices.ContainsFunc(d.k, func(s string) bool { return strings.HasPrefix(s, p) })
		}, one}
	case 6:
		g := w.word()
		p := []string{"*" + g, g[:1] + "?", "?" + g[len(g)-1:] + "*", "*" + g[:1] + "*", strings.ToUpper(g)}[w.rnd.IntN(5)]
		fold := w.rnd.IntN(2) == 0
		return question{"wildcard", &pattern{k, compileGlob(p, fold)}, func(d *plainDoc) bool {
			return slices.ContainsFunc(d.k, func(s string) bool {
				if fold {
					return slowGlob(strings.ToLower(p), s)
				}
				return slowGlob(p, s)
			})
		}, one}
	case 7:
		words := []string{w.word()[:1], w.word()[:1]}
		if w.rnd.IntN(3) == 0 {
			words = append(words, w.word()[:1])
		}
		var idf float64
		for _, word := range words {
			idf += w.textIDF(nested, word)
		}
		score := w.textScore(nested, idf)
		at := make([]int, len(words))
		for i := range at {
			at[i] = i + 3
		}
		freq := func(d *plainDoc) float64 { return plainPhrase(d.t, words) }
		return question{"phrase", newPhrase(t, slotsOf(words), at, 0), func(d *plainDoc) bool { return freq(d) > 0 },
			func(d *plainDoc) float64 { return score(d, freq(d)) }}
	case 8:
		lo := int64(w.rnd.IntN(20) - 5)
		hi := lo + int64(w.rnd.IntN(6))
		return question{"long range", &longRange{"n", lo, hi}, func(d *plainDoc) bool {
			return slices.ContainsFunc(d.n, func(v int64) bool { return lo <= v && v <= hi })
		}, one}
	case 9:
		vals := []int64{int64(w.rnd.IntN(20) - 5), int64(w.rnd.IntN(20) - 5), int64(w.rnd.IntN(20) - 5)}
		want := slices.Clone(vals)
		return question{"longs", newLongs("n", vals...), func(d *plainDoc) bool {
			return slices.ContainsFunc(d.n, func(v int64) bool { return slices.Contains(want, v) })
		}, one}
	case 10:
		lo := float64(w.rnd.IntN(20)) / 4
		return question{"double range", &doubleRange{"d", lo, lo + 1}, func(d *plainDoc) bool {
			return slices.ContainsFunc(d.d, func(v float64) bool { return lo <= v && v <= lo+1 })
		}, one}
	case 11:
		v := w.rnd.IntN(2) == 0
		docs, freq, sum := 0, 0, 0
		for _, d := range w.scope(false) {
			if len(d.b) > 0 {
				docs++
				sum++
				if slices.Contains(d.b, true) && slices.Contains(d.b, false) {
					sum++
				}
			}
			if slices.Contains(d.b, v) {
				freq++
			}
		}
		score := 2.2 * plainIDF(docs, freq) / (1 + 1.2*(0.25+0.75/(float64(sum)/float64(docs))))
		return question{"flag", &flag{column{field: "b"}, v}, func(d *plainDoc) bool { return slices.Contains(d.b, v) },
			func(*plainDoc) float64 { return score }}
	default:
		if w.rnd.IntN(2) == 0 {
			f := []string{"k", "t", "n", "d"}[w.rnd.IntN(4)]
			return question{"exists", &exists{f}, func(d *plainDoc) bool {
				return map[string]int{"k": len(d.k), "t": length(d.t), "n": len(d.n), "d": len(d.d)}[f] > 0
			}, one}
		}
		vals := []string{}
		for range []int{4, 40}[w.rnd.IntN(2)] {
			vals = append(vals, strconv.Itoa(w.rnd.IntN(len(w.docs))))
		}
		return question{"ids", newIDs(vals), func(d *plainDoc) bool { return slices.Contains(vals, d.id) }, one}
	}
}

func plainPhrase(t [][]string, words []string) float64 {
	n := 0
	for _, first := range positions(t, words[0]) {
		ok := true
		for i, word := range words {
			ok = ok && slices.Contains(positions(t, word), first+i)
		}
		if ok {
			n++
		}
	}
	return float64(n)
}

func slowGlob(p, s string) bool {
	if p == "" {
		return s == ""
	}
	switch p[0] {
	case '*':
		return slowGlob(p[1:], s) || s != "" && slowGlob(p, s[1:])
	case '?':
		return s != "" && slowGlob(p[1:], s[1:])
	}
	return s != "" && s[0] == p[0] && slowGlob(p[1:], s[1:])
}

// draw draws a node of up to some depth.
func (w *world) draw(depth int, nested bool) question {
	if depth == 0 || w.rnd.IntN(4) == 0 {
		return w.leaf(nested)
	}
	kinds := 5
	if nested {
		kinds = 4
	}
	switch w.rnd.IntN(kinds) {
	case 0:
		return w.drawBool(depth, nested)
	case 1:
		var subs []question
		for range 1 + w.rnd.IntN(3) {
			subs = append(subs, w.draw(depth-1, nested))
		}
		tie := float32(w.rnd.IntN(3)) / 2
		return question{"dis_max", newDisMax(nodesOf(subs), tie), anyOf(subs, 1), func(d *plainDoc) float64 {
			var best, sum float64
			for _, s := range subs {
				if s.match(d) {
					best = max(best, s.score(d))
					sum += s.score(d)
				}
			}
			return best + float64(tie)*(sum-best)
		}}
	case 2:
		s := w.draw(depth-1, nested)
		return question{"constant_score", Filter(s.node), s.match, func(*plainDoc) float64 { return 1 }}
	case 3:
		s := w.draw(depth-1, nested)
		return question{"boost", boost(s.node, 2.5), s.match, func(d *plainDoc) float64 { return 2.5 * s.score(d) }}
	default:
		s := w.draw(depth-1, true)
		mode := scoreMode(w.rnd.IntN(5))
		hits := func(d *plainDoc) (scores []float64) {
			for _, c := range d.children {
				if s.match(c) {
					scores = append(scores, s.score(c))
				}
			}
			return scores
		}
		return question{"nested", newNested([]string{"c"}, s.node, mode), func(d *plainDoc) bool { return len(hits(d)) > 0 },
			func(d *plainDoc) float64 {
				all := hits(d)
				sum := 0.0
				for _, v := range all {
					sum += v
				}
				return []float64{sum / float64(len(all)), sum, slices.Min(all), slices.Max(all), 0}[mode]
			}}
	}
}

func (w *world) drawBool(depth int, nested bool) question {
	var groups [4][]question
	for i, most := range [4]int{2, 2, 4, 1} {
		for range w.rnd.IntN(most + 1) {
			if i == 3 && w.rnd.IntN(2) == 0 {
				continue
			}
			groups[i] = append(groups[i], w.draw(depth-1, nested))
		}
	}
	must, filter, should, mustNot := groups[0], groups[1], groups[2], groups[3]
	need := w.rnd.IntN(min(3, len(should)+1))
	n := newBoolean(nodesOf(must), nodesOf(filter), nodesOf(should), nodesOf(mustNot), need)
	if need == 0 && len(must)+len(filter) == 0 && len(should) > 0 {
		need = 1
	}
	empty := len(must)+len(filter)+len(should)+len(mustNot) == 0
	return question{"bool", n, func(d *plainDoc) bool {
		if empty {
			return true
		}
		for _, s := range append(slices.Clone(must), filter...) {
			if !s.match(d) {
				return false
			}
		}
		for _, s := range mustNot {
			if s.match(d) {
				return false
			}
		}
		return anyOf(should, need)(d)
	}, func(d *plainDoc) float64 {
		if empty {
			return 1
		}
		sum := 0.0
		for _, s := range append(slices.Clone(must), should...) {
			if s.match(d) {
				sum += s.score(d)
			}
		}
		return sum
	}}
}

func nodesOf(qs []question) []Node {
	var out []Node
	for _, q := range qs {
		out = append(out, q.node)
	}
	return out
}

func anyOf(qs []question, need int) func(*plainDoc) bool {
	return func(d *plainDoc) bool {
		n := 0
		for _, q := range qs {
			if q.match(d) {
				n++
			}
		}
		return n >= need
	}
}

// TestRandomQueriesAgainstOracle asks random trees of random documents. The seed of a
// failure is printed; POSTERN_SEED would repeat it by hand.
func TestRandomQueriesAgainstOracle(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 1))
	type tally struct{ drawn, filled int }
	counts := make(map[string]*tally)
	for round := range 6 {
		w := newWorld(rnd, 150+rnd.IntN(150))
		for i := range 120 {
			q := w.draw(3, false)
			if i%3 == 0 {
				q = w.leaf(false)
			}
			hits, err := w.check(q)
			if err != nil {
				t.Fatalf("seed %d round %d: %s\n%v", seed, round, q.node.AppendKey(nil), err)
			}
			c := counts[q.kind]
			if c == nil {
				c = &tally{}
				counts[q.kind] = c
			}
			c.drawn++
			if hits > 0 {
				c.filled++
			}
		}
	}
	kinds := make([]string, 0, len(counts))
	for k := range counts {
		kinds = append(kinds, k)
	}
	sort.Strings(kinds)
	for _, k := range kinds {
		c := counts[k]
		t.Logf("%-15s drawn %4d, not empty %4d", k, c.drawn, c.filled)
		if c.drawn < 4 || c.filled*3 < c.drawn {
			t.Errorf("%s was drawn %d times and found something %d times", k, c.drawn, c.filled)
		}
	}
	if len(counts) < 18 {
		t.Errorf("only %d kinds of nodes were drawn", len(counts))
	}
}

// check compares what a node matches and scores with the oracle.
func (w *world) check(q question) (hits int, _ error) {
	x := NewExec(context.Background(), w.parts)
	scorer, err := NewScorer(x, q.node)
	if err != nil {
		return 0, err
	}
	at := 0
	for _, p := range w.parts {
		docs, err := Match(x, q.node, p)
		if err != nil {
			return 0, err
		}
		scores := make([]float32, p.Len())
		if err := scorer.Score(p, docs, scores); err != nil {
			return 0, err
		}
		for i := range p.Len() {
			d := w.docs[at+i]
			want := d.live && q.match(d)
			if got := docs.Contains(uint32(i)); got != want {
				return 0, fmt.Errorf("document %s: match is %v, want %v", d.id, got, want)
			}
			if !want {
				continue
			}
			hits++
			if got, want := float64(scores[i]), q.score(d); math.Abs(got-want) > 1e-5*math.Max(want, 1e-3) {
				return 0, fmt.Errorf("document %s: score is %v, want %v", d.id, got, want)
			}
		}
		at += p.Len()
	}
	return hits, nil
}
