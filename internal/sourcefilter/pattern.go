package sourcefilter

import "math/bits"

// patterns matches dotted paths against several patterns at once, a byte at a time. A
// pattern matches a path as a whole or a leading part of it that ends before a dot.
type patterns struct {
	bytes []byte // all patterns, each followed by its end
	words int
	empty bool // no pattern at all
}

// state is the set of positions in patterns.bytes that a path has reached; bit len(bytes)
// says that a leading part of the path has matched wholly.
type state []uint64

// What stands in patterns.bytes besides plain bytes; none of them occurs in UTF-8 names.
const (
	end   = 0xFF
	level = 0xFE // any run of bytes without a dot
	any   = 0xFD // any run of bytes
)

// compile takes * for any run of bytes when dots is set; otherwise for a run within one
// name, and ** for any run.
func compile(list []string, dots bool) *patterns {
	p := &patterns{empty: len(list) == 0}
	for _, s := range list {
		for i := 0; i < len(s); i++ {
			switch {
			case s[i] != '*':
				p.bytes = append(p.bytes, s[i])
			case dots:
				p.bytes = append(p.bytes, any)
			case i+1 < len(s) && s[i+1] == '*':
				p.bytes = append(p.bytes, any)
				i++
			default:
				p.bytes = append(p.bytes, level)
			}
		}
		p.bytes = append(p.bytes, end)
	}
	p.words = len(p.bytes)/64 + 1
	return p
}

func (s state) set(i int)      { s[i>>6] |= 1 << (i & 63) }
func (s state) has(i int) bool { return s[i>>6]&(1<<(i&63)) != 0 }

func (s state) dead() bool {
	for _, w := range s {
		if w != 0 {
			return false
		}
	}
	return true
}

// reach adds position i, and those behind it that a star lets through without a byte.
func (p *patterns) reach(s state, i int) {
	s.set(i)
	for p.bytes[i] == any || p.bytes[i] == level {
		if p.bytes[i] == any && p.bytes[i+1] == '.' {
			s.set(i + 2) // **.a matches a itself
		}
		i++
		s.set(i)
	}
}

func (p *patterns) start() state {
	s := make(state, p.words)
	begin := true
	for i, b := range p.bytes {
		if begin && b != end {
			p.reach(s, i)
		}
		begin = b == end
	}
	return s
}

// step gives the state after one more byte of the path.
func (p *patterns) step(from, to state, c byte) {
	clear(to)
	all := len(p.bytes)
	if from.has(all) {
		to.set(all)
	}
	for w, word := range from {
		for ; word != 0; word &= word - 1 {
			i := w<<6 + bits.TrailingZeros64(word)
			switch {
			case i == all:
			case p.bytes[i] == any, p.bytes[i] == level && c != '.':
				p.reach(to, i)
			case p.bytes[i] == end:
				if c == '.' {
					to.set(all)
				}
			case p.bytes[i] == c:
				p.reach(to, i+1)
			}
		}
	}
}

// descend gives the state after a key below from; top says that no dot stands between.
func (p *patterns) descend(from state, key []byte, top bool) state {
	if p.empty {
		return nil
	}
	a, b := make(state, p.words), make(state, p.words)
	copy(a, from)
	if !top {
		p.step(a, b, '.')
		a, b = b, a
	}
	for _, c := range key {
		p.step(a, b, c)
		a, b = b, a
	}
	return a
}

// accepts reports whether the path itself, or a leading part of it, matches.
func (p *patterns) accepts(s state) bool {
	if p.empty {
		return false
	}
	if s.has(len(p.bytes)) {
		return true
	}
	for i, b := range p.bytes {
		if b == end && s.has(i) {
			return true
		}
	}
	return false
}
