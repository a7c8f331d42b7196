// Package termregexp matches whole terms with Lucene's regular expressions, which know
// complement, intersection and numeric intervals.
package termregexp

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"unicode/utf8"
)

const unbounded = math.MaxInt32

// node is a language, made by a builder that makes equal ones once. Its derivative by a
// character is what may follow that character.
type node struct {
	id       int
	kind     kind
	nullable bool // the empty string is in it
	set      int  // for chars: its number in the builder
	subs     []*node
	low      int // for repeat
	high     int
}

type kind uint8

const (
	kindNothing kind = iota // no string
	kindEmpty               // the empty string
	kindChars
	kindConcat // of two
	kindUnion
	kindIntersection
	kindComplement
	kindRepeat
)

type builder struct {
	nodes          map[string]*node
	sets           []runes
	setOf          map[string]int
	nothing, empty *node
	effort         int // grows with the work done
}

func newBuilder() *builder {
	b := &builder{nodes: map[string]*node{}, setOf: map[string]int{}}
	b.nothing = b.make(node{kind: kindNothing})
	b.empty = b.make(node{kind: kindEmpty, nullable: true})
	return b
}

func (b *builder) make(n node) *node {
	b.effort += 1 + len(n.subs)
	key := make([]byte, 0, 16+4*len(n.subs))
	key = append(key, byte(n.kind))
	for _, v := range [...]int{n.set, n.low, n.high} {
		key = binary.AppendUvarint(key, uint64(v))
	}
	for _, s := range n.subs {
		key = binary.AppendUvarint(key, uint64(s.id))
	}
	if known := b.nodes[string(key)]; known != nil {
		return known
	}
	n.id = len(b.nodes)
	b.nodes[string(key)] = &n
	return &n
}

func (b *builder) chars(set runes) *node {
	if len(set) == 0 {
		return b.nothing
	}
	var key []byte
	for _, r := range set {
		key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(r.low)), uint64(r.high))
	}
	n, ok := b.setOf[string(key)]
	if !ok {
		n = len(b.sets)
		b.sets = append(b.sets, set)
		b.setOf[string(key)] = n
	}
	return b.make(node{kind: kindChars, set: n})
}

func (b *builder) concat(list ...*node) *node {
	n := b.empty
	for _, x := range slices.Backward(list) {
		n = b.concat2(x, n)
	}
	return n
}

func (b *builder) concat2(x, y *node) *node {
	switch {
	case x == b.nothing || y == b.nothing:
		return b.nothing
	case x == b.empty:
		return y
	case y == b.empty:
		return x
	case x.kind == kindConcat: // to the right, so that equal ones look equal
		return b.concat2(x.subs[0], b.concat2(x.subs[1], y))
	}
	return b.make(node{kind: kindConcat, nullable: x.nullable && y.nullable, subs: []*node{x, y}})
}

func (b *builder) union(list ...*node) *node {
	all := b.complement(b.nothing)
	list = b.flat(kindUnion, list)
	if slices.Contains(list, all) {
		return all
	}
	list = slices.DeleteFunc(list, func(n *node) bool { return n == b.nothing })
	switch len(list) {
	case 0:
		return b.nothing
	case 1:
		return list[0]
	}
	return b.make(node{kind: kindUnion, nullable: slices.ContainsFunc(list, func(n *node) bool { return n.nullable }), subs: list})
}

func (b *builder) intersection(list ...*node) *node {
	all := b.complement(b.nothing)
	list = b.flat(kindIntersection, list)
	if slices.Contains(list, b.nothing) {
		return b.nothing
	}
	list = slices.DeleteFunc(list, func(n *node) bool { return n == all })
	switch len(list) {
	case 0:
		return all
	case 1:
		return list[0]
	}
	return b.make(node{kind: kindIntersection, nullable: !slices.ContainsFunc(list, func(n *node) bool { return !n.nullable }), subs: list})
}

// flat lists the members of unions in a union, sorted and each once.
func (b *builder) flat(k kind, list []*node) []*node {
	var out []*node
	for _, n := range list {
		if n.kind == k {
			out = append(out, n.subs...)
		} else {
			out = append(out, n)
		}
	}
	b.effort += len(out)
	slices.SortFunc(out, func(x, y *node) int { return cmp.Compare(x.id, y.id) })
	return slices.Compact(out)
}

func (b *builder) complement(n *node) *node {
	if n.kind == kindComplement {
		return n.subs[0]
	}
	return b.make(node{kind: kindComplement, nullable: !n.nullable, subs: []*node{n}})
}

func (b *builder) repeat(n *node, low, high int) *node {
	switch {
	case low > high:
		return b.nothing
	case high == 0, n == b.empty:
		return b.empty
	case n == b.nothing:
		if low == 0 {
			return b.empty
		}
		return n
	case low == 1 && high == 1:
		return n
	}
	return b.make(node{kind: kindRepeat, nullable: low == 0 || n.nullable, subs: []*node{n}, low: low, high: high})
}

// numbers are the decimals from low to high, which have as many digits.
func (b *builder) numbers(low, high string) *node {
	if low == "" {
		return b.empty
	}
	digit := func(from, to byte) *node { return b.chars(runes{{rune(from), rune(to)}}) }
	rest := len(low) - 1
	if low[0] == high[0] {
		return b.concat2(digit(low[0], low[0]), b.numbers(low[1:], high[1:]))
	}
	zeros, nines := pad(0, rest)[:rest], ""
	for range rest {
		nines += "9"
	}
	list := []*node{
		b.concat2(digit(low[0], low[0]), b.numbers(low[1:], nines)),
		b.concat2(digit(high[0], high[0]), b.numbers(zeros, high[1:])),
	}
	if low[0]+1 < high[0] {
		list = append(list, b.concat2(digit(low[0]+1, high[0]-1), b.repeat(digit('0', '9'), rest, rest)))
	}
	return b.union(list...)
}

// runes is a set of characters: ascending ranges with gaps between them.
type runes []runeRange

type runeRange struct{ low, high rune }

func anyRune() runes { return runes{{0, utf8.MaxRune}} }

func (s runes) normal() runes {
	slices.SortFunc(s, func(a, b runeRange) int { return cmp.Compare(a.low, b.low) })
	out := s[:0]
	for _, r := range s {
		if n := len(out); n > 0 && r.low <= out[n-1].high+1 {
			out[n-1].high = max(out[n-1].high, r.high)
			continue
		}
		out = append(out, r)
	}
	return out
}

func (s runes) negated() runes {
	var out runes
	next := rune(0)
	for _, r := range s {
		if r.low > next {
			out = append(out, runeRange{next, r.low - 1})
		}
		next = r.high + 1
	}
	if next <= utf8.MaxRune {
		out = append(out, runeRange{next, utf8.MaxRune})
	}
	return out
}

func (s runes) contains(r rune) bool {
	i, found := slices.BinarySearchFunc(s, r, func(x runeRange, r rune) int { return cmp.Compare(x.low, r) })
	return found || i > 0 && s[i-1].high >= r
}
