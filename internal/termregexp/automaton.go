package termregexp

import (
	"errors"
	"slices"
	"sort"
	"unicode/utf8"
)

// Automaton decides whether terms match. It is immutable.
type Automaton struct {
	// ascii and starts give the class of a character: expressions tell only those apart
	// that lie in different classes.
	ascii   [utf8.RuneSelf]uint16
	starts  []rune
	next    []int32 // by state × classes + class
	classes int
	accept  []bool
	dead    []bool // nothing that begins so matches
}

// ErrTooComplex is the error of an expression whose automaton would be too large.
var ErrTooComplex = errors.New("the regular expression is too complex to determinize")

// DefaultStates bounds an automaton as Elasticsearch's max_determinized_states does, and
// maxEffort what building it may take.
const (
	DefaultStates = 10000
	maxEffort     = 1 << 20
)

// Compile makes the automaton of at most DefaultStates.
func (r *Regexp) Compile() (*Automaton, error) { return r.CompileWithin(DefaultStates) }

// CompileWithin makes the automaton of at most so many states, one after another from
// the derivatives of the expression.
func (r *Regexp) CompileWithin(limit int) (*Automaton, error) {
	limit = min(limit, DefaultStates)
	a := &Automaton{}
	a.partition(r.nodes.sets)
	d := &deriver{b: r.nodes, sample: a.starts, memo: map[[2]int]*node{}}
	states := map[*node]int32{r.root: 0}
	list := []*node{r.root}
	for at := 0; at < len(list); at++ {
		n := list[at]
		a.accept = append(a.accept, n.nullable)
		a.dead = append(a.dead, n == r.nodes.nothing)
		for class := range a.classes {
			to := d.by(n, class)
			s, ok := states[to]
			if !ok {
				s = int32(len(list))
				states[to] = s
				list = append(list, to)
			}
			a.next = append(a.next, s)
			if len(list) > limit || d.b.effort > maxEffort {
				return nil, ErrTooComplex
			}
		}
	}
	return a, nil
}

// partition cuts the characters where some set begins or ends.
func (a *Automaton) partition(sets []runes) {
	a.starts = []rune{0}
	for _, s := range sets {
		for _, r := range s {
			a.starts = append(a.starts, r.low, r.high+1)
		}
	}
	slices.Sort(a.starts)
	a.starts = slices.Compact(a.starts)
	a.classes = len(a.starts)
	for r := range a.ascii {
		a.ascii[r] = uint16(a.class(rune(r)))
	}
}

func (a *Automaton) class(r rune) int {
	return sort.Search(len(a.starts), func(i int) bool { return a.starts[i] > r }) - 1
}

// Match tells whether the whole term matches. Bytes that are no UTF-8 are taken for
// U+FFFD.
func (a *Automaton) Match(term []byte) bool {
	_, ok := run(a, term, utf8.DecodeRune)
	return ok
}

// MatchString tells whether the whole term matches, and if it does not, after how many
// of its bytes no term that begins so can match any more; -1 where one can.
func (a *Automaton) MatchString(term string) (dead int, ok bool) {
	return run(a, term, utf8.DecodeRuneInString)
}

func run[T []byte | string](a *Automaton, term T, decode func(T) (rune, int)) (dead int, ok bool) {
	state := int32(0)
	i := 0
	for i < len(term) && !a.dead[state] {
		class := 0
		if c := term[i]; c < utf8.RuneSelf {
			class = int(a.ascii[c])
			i++
		} else {
			r, n := decode(term[i:])
			class = a.class(r)
			i += n
		}
		state = a.next[int(state)*a.classes+class]
	}
	switch {
	case a.accept[state]:
		return -1, true
	case a.dead[state]:
		return i, false
	}
	return -1, false
}

type deriver struct {
	b      *builder
	sample []rune // a character of each class
	memo   map[[2]int]*node
}

// by is the derivative by the characters of a class.
func (d *deriver) by(n *node, class int) *node {
	b := d.b
	switch n.kind {
	case kindNothing, kindEmpty:
		return b.nothing
	case kindChars:
		if b.sets[n.set].contains(d.sample[class]) {
			return b.empty
		}
		return b.nothing
	}
	if b.effort > maxEffort {
		return b.nothing // Compile gives up
	}
	key := [2]int{n.id, class}
	if known := d.memo[key]; known != nil {
		return known
	}
	var to *node
	switch n.kind {
	case kindConcat:
		to = b.concat2(d.by(n.subs[0], class), n.subs[1])
		if n.subs[0].nullable {
			to = b.union(to, d.by(n.subs[1], class))
		}
	case kindComplement:
		to = b.complement(d.by(n.subs[0], class))
	case kindRepeat:
		high := n.high
		if high != unbounded {
			high--
		}
		to = b.concat2(d.by(n.subs[0], class), b.repeat(n.subs[0], max(n.low-1, 0), high))
	default:
		subs := make([]*node, len(n.subs))
		for i, s := range n.subs {
			subs[i] = d.by(s, class)
		}
		if to = nil; n.kind == kindUnion {
			to = b.union(subs...)
		} else {
			to = b.intersection(subs...)
		}
	}
	d.memo[key] = to
	return to
}
