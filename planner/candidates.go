package planner

import (
	"context"
	"errors"
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
	"postern/internal/store"
	"postern/planner/query"
)

// candidates collects documents of an index that are sure to hold the best of a sort, as
// the store's engine finds them. Which they are, and in what order, the evaluator says.
type candidates struct {
	*pushdown
	f         store.Filter
	keys      []pushKey
	want      store.Columns
	uncovered store.Filter // nil when none of the index's documents is
	held      []store.Snapshot
	parts     []segment.Part
}

// errScan says that going on would read more than it saves.
var errScan = errors.New("planner: a scan reads less")

const (
	// maxCompletion is how many documents are fetched to complete a page, whatever their
	// order.
	maxCompletion = 1000
	// maxWidenings is how often a page is read again, twice as long, because the engine
	// cannot tell where the cursor stands.
	maxWidenings = 3
)

// collect gathers what holds the first need documents after a cursor, which may be nil.
func (c *candidates) collect(ctx context.Context, after []sortValue, need int) error {
	f := c.f
	if c.uncovered != nil {
		if !c.rules.On(PushUncovered) {
			return errScan
		}
		if err := c.whole(ctx, PushUncovered, both(f, c.uncovered)); err != nil {
			return err
		}
		f = both(f, store.Not{Filter: c.uncovered})
	}
	if after != nil {
		return c.after(ctx, f, c.keys, after, need)
	}
	return c.best(ctx, PushPage, f, c.keys, need)
}

// best gathers the first need documents that match.
func (c *candidates) best(ctx context.Context, rule Rule, f store.Filter, keys []pushKey, need int) error {
	switch {
	case need <= 0:
		return nil
	case len(keys) == 0:
		_, _, err := c.page(ctx, rule, f, store.Order{Field: "_seq_no"}, need)
		return err
	case !keys[0].ordered:
		return c.whole(ctx, rule, f)
	}
	return c.ordered(ctx, rule, f, keys, need, nil)
}

// after gathers the first need documents beyond a cursor.
func (c *candidates) after(ctx context.Context, f store.Filter, keys []pushKey, after []sortValue, need int) error {
	if len(keys) == 0 {
		return nil // what is equal in all keys is not beyond
	}
	if beyond, exact := beyondAll(keys, after); exact {
		return c.best(ctx, PushPage, both(f, beyond), keys, need)
	}
	k, v := keys[0], after[0]
	if !k.ordered {
		return c.whole(ctx, PushPage, f)
	}
	if err := c.after(ctx, both(f, k.with(v)), keys[1:], after[1:], need); err != nil {
		return err
	}
	beyond, exact := k.beyond(v)
	var from *uint64
	if !exact {
		key := k.keyOf(v)
		from = &key
	}
	return c.ordered(ctx, PushPage, both(f, beyond), keys, need, from)
}

// ordered gathers the first need documents by an order of the engine. With from, the
// filter may let through documents that are not beyond that key.
func (c *candidates) ordered(ctx context.Context, rule Rule, f store.Filter, keys []pushKey, need int, from *uint64) error {
	k := keys[0]
	for limit, widened := need+1, 0; ; limit, widened = 2*limit, widened+1 {
		first, full, err := c.page(ctx, rule, f, k.order(), limit)
		if err != nil {
			return err
		}
		before, last, edge, err := c.edge(k, first, from)
		if err != nil {
			return err
		}
		if !full {
			if from == nil && k.lackingLast(edge) {
				need -= before + last
			}
			return c.best(ctx, rule, both(f, k.lacking()), keys[1:], need)
		}
		if before < need && from != nil {
			if widened == maxWidenings {
				return errScan
			}
			continue
		}
		if before < need {
			// Several documents share the last value: all of them are asked for their
			// further keys.
			if !c.rules.On(PushTies) {
				return errScan
			}
			if err := c.best(ctx, PushTies, both(f, k.with(k.valueOf(edge))), keys[1:], need-before); err != nil {
				return err
			}
		}
		if k.kind != sortSeqNo && k.keyOf(k.missing) < edge {
			return c.best(ctx, rule, both(f, k.lacking()), keys[1:], need)
		}
		return nil
	}
}

// edge is the last key of a page, how many of its documents have it, and how many come
// before it and after from.
func (c *candidates) edge(k pushKey, parts []segment.Part, from *uint64) (before, last int, edge uint64, _ error) {
	var all []uint64
	for _, p := range parts {
		keys, err := openKeys(query.NewExec(context.Background(), parts), k.sortField, p, 0, nil)
		if err != nil {
			return 0, 0, 0, err
		}
		docs := liveDocs(p)
		out := make([]uint64, len(docs))
		keys.read(docs, out, 1)
		all = append(all, out...)
	}
	for _, key := range all {
		edge = max(edge, key)
	}
	for _, key := range all {
		switch {
		case key == edge:
			last++
		case from == nil || key > *from:
			before++
		}
	}
	return before, last, edge, nil
}

func liveDocs(p segment.Part) []uint32 {
	if p.Live != nil {
		return p.Live.ToArray()
	}
	docs := make([]uint32, p.Len())
	for i := range docs {
		docs[i] = uint32(i)
	}
	return docs
}

// whole gathers all documents that match, if they are few.
func (c *candidates) whole(ctx context.Context, rule Rule, f store.Filter) error {
	_, full, err := c.page(ctx, rule, f, store.Order{Field: "_seq_no"}, maxCompletion)
	if err == nil && full {
		return errScan
	}
	return err
}

func (c *candidates) page(ctx context.Context, rule Rule, f store.Filter, order store.Order, limit int) ([]segment.Part, bool, error) {
	var page store.Page
	what := func() string { return describePage(f, order, limit) }
	err := c.step(rule, what, func() (n int64, err error) {
		if page, err = c.engine.Page(ctx, c.shard.index, f, order, limit, c.want); err != nil {
			return 0, err
		}
		for _, p := range page.Snapshot.Parts() {
			n += int64(len(liveDocs(p)))
		}
		return n, nil
	})
	if err != nil {
		return nil, false, err
	}
	c.held = append(c.held, page.Snapshot)
	parts := page.Snapshot.Parts()
	c.parts = append(c.parts, parts...)
	return parts, page.Full, nil
}

func describePage(f store.Filter, order store.Order, limit int) string {
	way := "asc"
	if order.Desc {
		way = "desc"
	}
	return fmt.Sprintf("first %d of %s by %s %s", limit, f, order.Field, way)
}

func (c *candidates) release() {
	for _, s := range c.held {
		s.Release()
	}
}

// snapshot is all that was gathered, each document once. Where calls saw a document at
// different moments, its last write counts.
func (c *candidates) snapshot() store.Snapshot {
	if len(c.held) == 1 {
		return c.held[0]
	}
	newest := map[string]int64{}
	for _, p := range c.parts {
		for _, doc := range liveDocs(p) {
			id, seqNo := p.ID(doc), p.SeqNo(doc)
			if at, ok := newest[id]; !ok || at < seqNo {
				newest[id] = seqNo
			}
		}
	}
	u := &union{snapshots: c.held, parts: make([]segment.Part, len(c.parts))}
	for i, p := range c.parts {
		live := roaring.New()
		for _, doc := range liveDocs(p) {
			id := p.ID(doc)
			if at, ok := newest[id]; ok && at == p.SeqNo(doc) {
				live.Add(doc)
				delete(newest, id)
			}
		}
		u.parts[i] = segment.Part{Segment: p.Segment, Live: live}
	}
	return u
}

// union is the documents of several snapshots.
type union struct {
	snapshots []store.Snapshot
	parts     []segment.Part
}

func (u *union) Parts() []segment.Part { return u.parts }

func (u *union) Sources(ctx context.Context, seqNos []int64) ([]store.Stored, error) {
	out := make([]store.Stored, len(seqNos))
	for _, s := range u.snapshots {
		some, err := s.Sources(ctx, seqNos)
		if err != nil {
			return nil, err
		}
		for i := range some {
			if some[i].Found && !out[i].Found {
				out[i] = some[i]
			}
		}
	}
	return out, nil
}

func (u *union) ID() string { return "" }

func (u *union) Release() {
	for _, s := range u.snapshots {
		s.Release()
	}
}
