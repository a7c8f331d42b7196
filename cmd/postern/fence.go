package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"text/tabwriter"
	"time"

	"postern/internal/fence/valkey"
	"postern/internal/metadata"
	"postern/internal/store/qdrant"
)

// fenceCommands are for the operator of several gateways.
type fenceCommands struct {
	Status  fenceStatus  `cmd:"" help:"Show what the fence knows: incarnation, gateways, writes under way."`
	Recover fenceRecover `cmd:"" help:"End writes of an index whose gateway is gone, after making them impossible."`
	Attach  fenceAttach  `cmd:"" help:"From now on all gateways of this Qdrant need the fence."`
	Detach  fenceDetach  `cmd:"" help:"From now on no gateway of this Qdrant has a fence."`
}

// fenceServers is where both halves are.
type fenceServers struct {
	qdrantServer
	valkeyServer
}

// both opens the store and the fence; done closes them.
func (f *fenceServers) both(ctx context.Context, stderr io.Writer) (s *qdrant.Store, v *valkey.Fence, done func(), err error) {
	switch {
	case f.Qdrant == "" || f.Valkey == "":
		return nil, nil, nil, usageError("--qdrant and --valkey say where the two are")
	case f.qdrantServer.check() != nil:
		return nil, nil, nil, f.qdrantServer.check()
	case f.valkeyServer.check(f.Qdrant) != nil:
		return nil, nil, nil, f.valkeyServer.check(f.Qdrant)
	}
	log := slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	o := f.options(log)
	o.AnyFencing = true
	if s, err = f.connect(ctx, o); err != nil {
		return nil, nil, nil, err
	}
	if v, err = valkey.Open(ctx, f.config("operator-"+newUUID(), s, log)); err != nil {
		_ = s.Close() // the first error tells more
		return nil, nil, nil, err
	}
	return s, v, func() {
		_ = v.Excuse(ctx, v.Owner()) // it would only stand in the list
		v.Close()
		_ = s.Close() // it has written nothing that is not confirmed
	}, nil
}

type fenceStatus struct{ fenceServers }

func (c *fenceStatus) Run(env *environment) error {
	s, v, done, err := c.both(env.ctx, env.stderr)
	if err != nil {
		return err
	}
	defer done()
	fenced, incarnation, owners, err := s.Fencing(env.ctx)
	if err != nil {
		return err
	}
	tokens, err := v.Tokens(env.ctx)
	if err != nil {
		return err
	}
	gateways, err := v.Gateways(env.ctx)
	if err != nil {
		return err
	}
	state, err := s.Load(env.ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(env.stdout, "fenced: %v\nincarnation: %d\ngateways:\n", fenced, incarnation)
	for _, owner := range owners {
		fmt.Fprintf(env.stdout, "  %s %s\n", owner, heard(gateways, owner))
	}
	fmt.Fprintf(env.stdout, "writes under way: %d\n", len(tokens))
	if len(tokens) == 0 {
		return nil
	}
	w := tabwriter.NewWriter(env.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "  token\tindex\tscope\toperation\tage\tgateway\tids")
	for _, t := range tokens {
		ids := strings.Join(t.IDs, ",")
		if t.Unbounded {
			ids = "unbounded"
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s\t%s\t%.80s\n", t.ID, nameOf(state, t.Index), t.Scope, t.Operation, t.Age.Round(time.Millisecond), silence(t), ids)
	}
	return w.Flush()
}

func heard(gateways []valkey.Gateway, owner string) string {
	for _, g := range gateways {
		switch {
		case g.Owner != owner:
		case g.Awaited:
			return fmt.Sprintf("heard of %s ago; it has not said yet which writes it holds open, and until then nothing is cached", g.Silent.Round(time.Second))
		default:
			return fmt.Sprintf("heard of %s ago", g.Silent.Round(time.Second))
		}
	}
	return "never heard of"
}

func silence(t valkey.OpenToken) string {
	if t.Silent < 0 {
		return "never heard of"
	}
	return "silent for " + t.Silent.Round(time.Second).String()
}

func nameOf(state *metadata.State, uuid string) string {
	if uuid == "" {
		return "-"
	}
	if ix := state.IndexByUUID(uuid); ix != nil {
		return ix.Name
	}
	return uuid + " (deleted)"
}

type fenceRecover struct {
	fenceServers
	Index  string `help:"The index whose writes are ended; without one, those that change names, aliases and templates."`
	Token  string `help:"Only this one."`
	DryRun bool   `help:"Say what would be done, and do nothing."`
}

func (c *fenceRecover) Run(env *environment) error {
	s, v, done, err := c.both(env.ctx, env.stderr)
	if err != nil {
		return err
	}
	defer done()
	state, err := s.Load(env.ctx)
	if err != nil {
		return err
	}
	uuid := ""
	if c.Index != "" {
		if uuid = c.Index; state.Index(c.Index) != nil {
			uuid = state.Index(c.Index).UUID
		}
	}
	tokens, err := v.Tokens(env.ctx)
	if err != nil {
		return err
	}
	ended := 0
	for _, t := range tokens {
		if t.Index != uuid || c.Token != "" && t.ID != c.Token {
			continue
		}
		if t.Silent >= 0 && t.Silent < valkey.SilentAfter {
			fmt.Fprintf(env.stdout, "%s: left alone, its gateway was heard of %s ago; stop that gateway first\n", t.ID, t.Silent.Round(time.Millisecond))
			continue
		}
		if c.DryRun {
			fmt.Fprintf(env.stdout, "%s: would be ended: %s\n", t.ID, plan(t))
			continue
		}
		if err := end(env.ctx, s, v, t, state.IndexByUUID(t.Index) != nil); err != nil {
			return fmt.Errorf("%s: %w", t.ID, err)
		}
		ended++
		fmt.Fprintf(env.stdout, "%s: ended: %s\n", t.ID, plan(t))
	}
	if c.DryRun {
		return nil
	}
	fmt.Fprintf(env.stdout, "%d ended\n", ended)
	return forgetGone(env.ctx, s, v)
}

func plan(t valkey.OpenToken) string {
	switch {
	case t.Scope != "documents":
		return "the catalog gets a new write id, so that a late change of it fails"
	case t.Unbounded:
		return "its documents are not known; a late write may still change some, and the index's counter is raised when this is ended"
	}
	return fmt.Sprintf("%d documents get new write ids, so that a late write to them fails", len(t.IDs))
}

// end makes what a token may still do impossible, and closes it.
func end(ctx context.Context, s *qdrant.Store, v *valkey.Fence, t valkey.OpenToken, exists bool) error {
	switch {
	case t.Scope != "documents":
		if err := s.PoisonCatalog(ctx); err != nil {
			return err
		}
	case exists && !t.Unbounded:
		if err := s.Poison(ctx, t.Index, t.IDs); err != nil {
			return err
		}
	}
	return v.Release(ctx, t.ID)
}

// forgetGone strikes gateways off that are silent and hold nothing open.
func forgetGone(ctx context.Context, s *qdrant.Store, v *valkey.Fence) error {
	_, _, owners, err := s.Fencing(ctx)
	if err != nil {
		return err
	}
	tokens, err := v.Tokens(ctx)
	if err != nil {
		return err
	}
	gateways, err := v.Gateways(ctx)
	if err != nil {
		return err
	}
	for _, owner := range owners {
		if holds(tokens, owner) || speaks(gateways, owner) {
			continue
		}
		if err := v.Excuse(ctx, owner); err != nil {
			return err
		}
		if err := s.Leave(ctx, owner); err != nil {
			return err
		}
	}
	return nil
}

func holds(tokens []valkey.OpenToken, owner string) bool {
	for _, t := range tokens {
		if t.Owner == owner {
			return true
		}
	}
	return false
}

func speaks(gateways []valkey.Gateway, owner string) bool {
	for _, g := range gateways {
		if g.Owner == owner {
			return g.Silent >= 0 && g.Silent < valkey.SilentAfter
		}
	}
	return false
}

type fenceAttach struct{ fenceServers }

func (c *fenceAttach) Run(env *environment) error {
	s, v, done, err := c.both(env.ctx, env.stderr)
	if err != nil {
		return err
	}
	defer done()
	// What Valkey remembers from before counts no more.
	if err := v.Renew(env.ctx); err != nil {
		return err
	}
	if err := s.SetFenced(env.ctx, true); err != nil {
		return err
	}
	fmt.Fprintln(env.stdout, "fenced: start gateways with --valkey; those without refuse to work from their next request on")
	return nil
}

type fenceDetach struct{ fenceServers }

func (c *fenceDetach) Run(env *environment) error {
	s, v, done, err := c.both(env.ctx, env.stderr)
	if err != nil {
		return err
	}
	defer done()
	tokens, err := v.Tokens(env.ctx)
	if err != nil {
		return err
	}
	if len(tokens) > 0 {
		return fmt.Errorf("%d writes are under way or of unknown outcome: postern fence status shows them, postern fence recover ends them", len(tokens))
	}
	if err := s.SetFenced(env.ctx, false); err != nil {
		return err
	}
	fmt.Fprintln(env.stdout, "not fenced: start gateways without --valkey; those with it refuse to work from their next request on")
	return nil
}
