package mutate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"postern/internal/eserr"
	"postern/internal/fence"
	"postern/internal/mapping"
	"postern/internal/metadata"
	"postern/internal/store"
)

// Apply carries out operations: those of one index in their order, those of one document
// seeing one another. It gives one Outcome for each, in their order; all without an error
// are durable. The error is that of the call as a whole.
func (m *Mutator) Apply(ctx context.Context, ops []Op, refresh store.Refresh) ([]Outcome, error) {
	outcomes := make([]Outcome, len(ops))
	groups, err := m.plan(ctx, ops, outcomes)
	if err != nil {
		return nil, err
	}
	if len(groups) == 1 {
		return outcomes, groups[0].run(ctx, refresh)
	}
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(8)
	for _, g := range groups {
		all.Go(func() error { return g.run(ctx, refresh) })
	}
	return outcomes, all.Wait()
}

// group is the operations of one call on one index.
type group struct {
	m     *Mutator
	ix    *metadata.Index
	items []*item
	// waits is the place of the item that waits for a mapping; those behind it that are
	// decided after it wait, too: items are carried out in their order.
	waits int
	// unseen says that documents were written without the refresh that was asked for.
	unseen bool
}

// item is one operation on its way.
type item struct {
	op  *Op
	out *Outcome
	// doc is the parsed document of Index and Create.
	doc *mapping.Document
	// wants is the additional mapping without which an update's result cannot be parsed.
	wants *wantedMapping
	// fresh says that the id was made for this item.
	fresh bool
}

// plan finds the index of each operation, creating those that are missing.
func (m *Mutator) plan(ctx context.Context, ops []Op, outcomes []Outcome) ([]*group, error) {
	state, err := m.Catalog.Load(ctx)
	if err != nil {
		return nil, err
	}
	var groups []*group
	failed := map[string]error{} // names that could not be created
	for i := range ops {
		o, out := &ops[i], &outcomes[i]
		ix, name, err := target(state, o)
		if err == nil && ix == nil {
			if err = failed[name]; err == nil {
				if err = m.autoCreate(ctx, name, o.Index); err != nil {
					failed[name] = err
				} else {
					if state, err = m.Catalog.Load(ctx); err != nil {
						return nil, err
					}
					if ix, _, err = target(state, o); err == nil && ix == nil {
						err = eserr.IndexNotFound(name, "")
					}
				}
			}
		}
		fresh := err == nil && !o.GivenID && o.ID == ""
		if fresh {
			o.ID = m.ids.next(m.Now())
		}
		out.Index, out.ID, out.Err = ix, o.ID, err
		if err != nil {
			if _, said := eserr.As(err); !said {
				return nil, err
			}
			continue
		}
		groups = add(groups, m, ix, &item{op: o, out: out, fresh: fresh})
	}
	return groups, nil
}

func add(groups []*group, m *Mutator, ix *metadata.Index, it *item) []*group {
	for i := len(groups) - 1; i >= 0; i-- {
		if g := groups[i]; g.ix.UUID == ix.UUID {
			g.items = append(g.items, it)
			return groups
		}
	}
	return append(groups, &group{m: m, ix: ix, items: []*item{it}})
}

// run writes a group. An update may find while it is written that its result needs new
// fields; it is then tried again with them, and with it what comes after it.
func (g *group) run(ctx context.Context, refresh store.Refresh) error {
	for rest := g.items; len(rest) > 0; {
		n := chunk(rest)
		g.items, rest = rest[:n:n], rest[n:]
		when := refresh
		if len(rest) > 0 {
			when = store.RefreshNone // the last chunk sees to all
		}
		if err := g.runChunk(ctx, when); err != nil {
			return err
		}
	}
	if g.unseen && refresh != store.RefreshNone {
		return g.m.Refresh(ctx, g.ix)
	}
	return nil
}

// The bounds of a chunk: what is parsed and not yet written is held in memory.
const (
	chunkBytes = 4 << 20
	chunkItems = 4096
)

// chunk counts the items that are carried out together.
func chunk(items []*item) int {
	bytes := 0
	for n, it := range items {
		if bytes += len(it.op.Source); n > 0 && bytes > chunkBytes || n == chunkItems {
			return n
		}
	}
	return len(items)
}

func (g *group) runChunk(ctx context.Context, refresh store.Refresh) error {
	if err := g.prepare(ctx); err != nil {
		return err
	}
	g.drop()
	for len(g.items) > 0 {
		if err := g.write(ctx, refresh); err != nil {
			return err
		}
		if err := g.again(ctx); err != nil {
			return err
		}
	}
	return nil
}

// drop leaves out the items that have failed.
func (g *group) drop() {
	g.items = slices.DeleteFunc(g.items, func(it *item) bool { return it.out.Err != nil })
}

// write runs the items through the fence and the store.
func (g *group) write(ctx context.Context, refresh store.Refresh) error {
	mutations := make([]store.Mutation, len(g.items))
	ids := make([]string, len(g.items))
	for i, it := range g.items {
		mutations[i] = store.Mutation{ID: it.op.ID, NeedSource: it.op.Action == Update, Fresh: it.fresh,
			Apply: func(prior store.Prior) (store.Next, error) { return g.decide(i, it, prior) }}
		ids[i] = it.op.ID
	}
	g.waits = len(g.items)
	var results []store.Result
	err := g.m.fenced(ctx, fence.Intent{Scope: fence.Documents, Index: g.ix.UUID, IDs: ids}, func() (err error) {
		results, err = g.m.Documents.Write(ctx, g.ix, mutations, refresh)
		if err == nil && slices.ContainsFunc(results, func(r store.Result) bool { return errors.Is(r.Err, store.ErrUnknown) }) {
			err = errPartly
		}
		return err
	})
	if err != nil && !errors.Is(err, errPartly) {
		return store.ClientError(g.ix, err)
	}
	wrote := false
	var waiting []*item
	for i, it := range g.items {
		if results[i].Err == errWaiting {
			waiting = append(waiting, it)
			continue
		}
		it.finish(&results[i])
		it.doc = nil // the store has copied what it keeps
		wrote = wrote || results[i].Err == nil && results[i].Action != store.Noop
	}
	if wrote {
		g.unseen = refresh == store.RefreshNone
	}
	g.items = waiting
	return nil
}

func (it *item) finish(r *store.Result) {
	out := it.out
	if r.Err != nil {
		out.Err = r.Err
		return
	}
	out.Version, out.SeqNo, out.PrimaryTerm = r.Version, r.SeqNo, r.PrimaryTerm
	if it.op.Action == Update {
		out.Source = r.Source
	}
	switch {
	case r.Action == store.Noop:
		out.Result = Noop
	case r.Action == store.Delete && r.Found:
		out.Result = Deleted
	case r.Action == store.Delete:
		out.Result = NotFound
	case r.Found:
		out.Result = Updated
	default:
		out.Result = Created
	}
}

// decide is what the operation in place i makes of what is there. It may be called again.
func (g *group) decide(i int, it *item, prior store.Prior) (store.Next, error) {
	if i > g.waits {
		return store.Next{}, errWaiting
	}
	o := it.op
	if o.Action == Update {
		it.wants, g.waits = nil, len(g.items)
		next, err := g.decideUpdate(it, prior)
		if it.wants != nil {
			g.waits = i
		}
		return next, err
	}
	version, err := o.nextVersion(g.ix, prior)
	if err != nil {
		return store.Next{}, err
	}
	if o.Action == Delete {
		return store.Next{Action: store.Delete, Version: version}, nil
	}
	return store.Next{Action: store.Put, Version: version, Routing: o.Routing, Source: o.Source, Doc: it.doc}, nil
}

// errPartly says that the outcome of some of the items is unknown: the token stays open,
// and each item answers for itself.
var errPartly = fmt.Errorf("mutate: %w of some documents", store.ErrUnknown)

// errWaiting stands for an item that is tried again and reaches nobody.
var errWaiting = errors.New("mutate: waits for a mapping")
