package sourcefilter

import "math/bits"

// patterns matches dotted paths against several patterns at once, a byte at a time. A
// pattern matches a path as a whole or a leading part of it that ends before a dot; *
// stands for any run of bytes, dots included.
type patterns struct {
	bytes []byte // all patterns, each followed by a zero byte, its end
	words int
	empty bool // no pattern at all
}

// state is the set of positions in patterns.bytes that a path has reached; bit len(bytes)
// says that a leading part of the path has matched wholly.
type state []uint64

func compile(list []string) *patterns {
	p := &patterns{empty: len(list) == 0}
	for _, s := range list {
		p.bytes = append(p.bytes, s...)
		p.bytes = append(p.bytes, 0)
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
	for i < len(p.bytes) && p.bytes[i] == '*' {
		i++
		s.set(i)
	}
}

func (p *patterns) start() state {
	s := make(state, p.words)
	begin := true
	for i, b := range p.bytes {
		if begin && b != 0 {
			p.reach(s, i)
		}
		begin = b == 0
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
			case p.bytes[i] == '*':
				p.reach(to, i)
			case p.bytes[i] == 0:
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
		if b == 0 && s.has(i) {
			return true
		}
	}
	return false
}
