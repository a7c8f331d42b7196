package model

import "fmt"

// recoverToken makes what a token of a gateway that died or timed out may still do
// impossible, and then closes it.
func (c *Config) recoverToken(s State, g int, out emit) {
	if !s.vk.open[g] || s.w[g].at == idle {
		return
	}
	t, reg := s, c.target(g)
	if !s.poisoned[g] && c.Mutation != RecoverWithoutPoison && c.Mutation != PoisonAfterRelease {
		t.poisons++
		t.regs[reg].head = 10 + t.poisons
		t.poisoned[g] = true
		out(fmt.Sprintf("the id of %d is poisoned", g), t, "")
		return
	}
	t.vk.open[g] = false
	if s.w[g].at == unknown {
		t.w[g].at = finished
	}
	out(fmt.Sprintf("the token of %d is closed for it", g), t, "")
}

// restarts lets Valkey die and come back, with what it knew or with the older copy.
func (c *Config) restarts(s State, out emit) {
	if s.restarts >= c.Restarts {
		return
	}
	if c.Rollback && !s.copied {
		t := s
		t.copied, t.copy = true, s.vk
		out("a copy of valkey's file is taken", t, "")
	}
	t := s
	t.run++
	t.restarts++
	out("valkey is restarted", t, "")
	if s.copied {
		t.vk = s.copy
		t.copied, t.copy = false, valkey{}
		out("valkey is restarted from the copy", t, "")
	}
}

// joining is how a gateway that was told of another run takes part in it.
func (c *Config) joining(s State, g int, out emit) {
	name := func(what string) string { return fmt.Sprintf("gateway %d %s", g, what) }
	t := s
	switch s.join[g].at {
	case 1:
		if s.vk.vouched == s.run {
			t.join[g].at = 3
			out(name("sees that the incarnation is vouched for"), t, "")
			return
		}
		if c.Mutation != ConstantIncarnation {
			t.durable = max(s.durable, s.vk.incarnation) + 1
		}
		t.join[g] = joiner{2, t.durable}
		out(name("advances the durable incarnation"), t, "")
	case 2:
		t.join[g].at = 1
		if s.join[g].next > s.vk.incarnation || c.Mutation == ConstantIncarnation {
			t.vk.incarnation, t.vk.vouched = s.join[g].next, s.run
			t.vk.awaited = [gateways]bool{true, true}
		}
		out(name("tells valkey"), t, "")
	case 3:
		t.join[g] = joiner{}
		if s.vk.vouched != s.run {
			t.join[g].at = 1
			out(name("is late"), t, "")
			return
		}
		if at := s.w[g].at; at != idle && at != finished && !s.vk.open[g] {
			t.vk.open[g] = true
			t.vk.data++
		}
		t.vk.awaited[g] = false
		t.knows[g] = epoch{s.vk.incarnation, s.run}
		out(name("announces its token"), t, "")
	}
}
