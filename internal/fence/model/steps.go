package model

import "fmt"

// emit takes a state that is one step away, and what is broken in it.
type emit func(name string, s State, what string)

// next gives every state that is one step away.
func (c *Config) next(s State, out emit) {
	for g := range gateways {
		if s.dead[g] {
			c.recoverToken(s, g, out)
			c.deliver(s, g, out)
			continue
		}
		if s.join[g].at > 0 {
			c.joining(s, g, out)
		} else {
			c.writes(s, g, out)
			c.reads(s, g, out)
		}
		c.deliver(s, g, out)
		if s.w[g].at == unknown {
			c.recoverToken(s, g, out)
		}
		if s.crashes < c.Crashes {
			t := s
			t.dead[g], t.crashes = true, s.crashes+1
			t.r[g], t.join[g] = reader{}, joiner{}
			out(fmt.Sprintf("crash %d", g), t, "")
		}
	}
	c.restarts(s, out)
}

// fenced tells whether Valkey answers a gateway's step; else the gateway has to join.
func (c *Config) fenced(s *State, g int) bool {
	k := s.knows[g]
	if c.Mutation == RunUnchecked {
		return k.incarnation == s.vk.incarnation
	}
	return k.incarnation == s.vk.incarnation && k.run == s.run && s.vk.vouched == s.run
}

// quiet tells that no token is open, nor may be without Valkey's knowing.
func (c *Config) quiet(s *State) bool {
	for g := range gateways {
		if s.vk.open[g] || s.vk.awaited[g] && c.Mutation != NobodyAwaited {
			return false
		}
	}
	return true
}

func (s *State) vector() vector { return vector{s.vk.incarnation, s.vk.data} }

func (s *State) view() view {
	var v view
	for i := range s.regs {
		v[i] = s.regs[i].position
	}
	return v
}

func (v view) under(floor view) bool {
	for i := range v {
		if v[i] < floor[i] {
			return true
		}
	}
	return false
}

func (v *view) raise(to view) {
	for i := range v {
		v[i] = max(v[i], to[i])
	}
}

// claimed tells whether another gateway's open token holds the id that g's writer wants.
func (c *Config) claimed(s *State, g int) bool {
	other := 1 - g
	return s.vk.open[other] && c.target(other) == c.target(g)
}

func (c *Config) writes(s State, g int, out emit) {
	w, reg := s.w[g], c.target(g)
	name := func(what string) string { return fmt.Sprintf("writer %d %s", g, what) }
	switch w.at {
	case idle:
		if !c.fenced(&s, g) {
			t := s
			t.join[g].at = 1
			out(name("must join"), t, "")
			return
		}
		if c.claimed(&s, g) {
			return
		}
		t := s
		t.vk.open[g] = true
		if c.Mutation != CounterAfterBackend {
			t.vk.data++
		}
		t.w[g].at = begun
		out(name("begins"), t, "")
	case begun:
		t := s
		t.w[g] = writer{at: planned, expected: s.regs[reg].head}
		out(name("reads the prior state"), t, "")
	case planned:
		t := s
		t.way[g] = message{true, w.expected}
		t.w[g].at = sent
		if c.Mutation == AckBeforeConfirm {
			t.w[g].at = finished
			t.floor[reg] = max(t.floor[reg], s.regs[reg].position+1)
		}
		out(name("sends"), t, "")
	case sent:
		if s.losses < c.Losses {
			t := s
			t.losses++
			t.w[g].at = unknown
			if c.Mutation == TokenDroppedOnTimeout {
				t.vk.open[g] = false
				t.w[g].at = finished
			}
			out(name("times out"), t, "")
		}
	case applied:
		// The answer goes to the client; the token is closed after it.
		t := s
		t.floor[reg] = max(t.floor[reg], s.regs[reg].position)
		t.w[g].at = finished
		what := ""
		if s.regs[reg].position == 0 {
			what = "an acknowledged write has not happened"
		}
		out(name("acknowledges"), t, what)
	case refused:
		t := s
		t.w[g].at = finished
		out(name("reports a conflict"), t, "")
	case finished:
		if s.vk.open[g] {
			t := s
			t.vk.open[g] = false
			if c.Mutation == CounterAfterBackend {
				t.vk.data++
			}
			out(name("completes"), t, "")
		}
	}
}

// deliver lets a write reach the backend, whenever that is, also long after its gateway has
// given up or died.
func (c *Config) deliver(s State, g int, out emit) {
	if !s.way[g].sent {
		return
	}
	t, reg := s, c.target(g)
	t.way[g] = message{}
	yes := s.regs[reg].head == s.way[g].expected
	if yes {
		t.regs[reg] = register{head: uint8(1 + g), position: s.regs[reg].position + 1}
	}
	if s.w[g].at == sent {
		t.w[g].at = refused
		if yes {
			t.w[g].at = applied
		}
	}
	out(fmt.Sprintf("the write of %d arrives", g), t, "")
}

func (c *Config) reads(s State, g int, out emit) {
	r := s.r[g]
	name := func(what string) string { return fmt.Sprintf("reader %d %s", g, what) }
	switch r.at {
	case idle:
		if !c.fenced(&s, g) {
			t := s
			t.join[g].at = 1
			out(name("must join"), t, "")
			return
		}
		t := s
		t.r[g] = reader{at: missed, floor: s.floor, found: s.vector(), quiet: c.quiet(&s)}
		if s.vk.entry && s.vk.entryVector == s.vector() && c.quiet(&s) {
			t.r[g] = reader{}
			what := ""
			if s.vk.entryView.under(s.floor) {
				what = "a stale answer was served"
			}
			t.floor.raise(s.vk.entryView)
			out(name("is served"), t, what)
			return
		}
		out(name("misses"), t, "")
	case missed:
		t := s
		t.r[g].at, t.r[g].got = fetched, s.view()
		// The answer goes to the client now; publishing is off its path.
		what := ""
		if t.r[g].got.under(r.floor) {
			what = "a stale answer was read"
		}
		t.floor.raise(t.r[g].got)
		out(name("reads"), t, what)
	case fetched:
		t := s
		t.r[g] = reader{}
		checked := r.quiet && c.quiet(&s) && r.found == s.vector() && c.fenced(&s, g)
		switch c.Mutation {
		case PublishUnchecked:
			checked = true
			r.found = s.vector()
		case PublishReadAmidWrite:
			checked = c.quiet(&s) && r.found == s.vector() && c.fenced(&s, g)
		}
		if checked {
			t.vk.entry, t.vk.entryVector, t.vk.entryView = true, r.found, r.got
			out(name("publishes"), t, "")
			return
		}
		out(name("does not publish"), t, "")
	}
}
