package storetest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/internal/metadata"
	"postern/internal/segment"
	"postern/internal/store"
)

// Engine is the meaning of store.Engine over any store: every answer is made of a
// snapshot of the documents, the slow and obvious way, and shows no column that was not
// asked for. It counts its calls.
type Engine struct {
	store.Documents
	Matching Matching
	// Weight is what Weigh tells, but for Documents.
	Weight store.Weight
	// Refuse tells what is answered with ErrNotPushed; nil refuses nothing.
	Refuse func(call string, f store.Filter) bool

	mu sync.Mutex
	// calls lists the calls, and read counts the documents handed out.
	calls []string
	read  int
	last  int64 // documents seen by the last call
}

// Calls gives the calls since the last time, and how many documents were handed out.
func (e *Engine) Calls() (calls []string, read int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	calls, read = e.calls, e.read
	e.calls, e.read = nil, 0
	slices.Sort(calls)
	return calls, read
}

func (e *Engine) call(text string, read int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.calls, e.read = append(e.calls, text), e.read+read
}

// Snapshot is that of the store, with the calls counted.
func (e *Engine) Snapshot(ctx context.Context, ix *metadata.Index, hold store.Hold) (store.Snapshot, error) {
	snap, err := e.Documents.Snapshot(ctx, ix, hold)
	if err != nil {
		return nil, err
	}
	n := 0
	for _, p := range snap.Parts() {
		n += p.Len()
	}
	e.call("snapshot", n)
	return counted{snap, e}, nil
}

type counted struct {
	store.Snapshot
	engine *Engine
}

func (c counted) Sources(ctx context.Context, seqNos []int64) ([]store.Stored, error) {
	c.engine.call("sources", 0)
	return c.Snapshot.Sources(ctx, seqNos)
}

// place is one document of a snapshot.
type place struct {
	part  segment.Part
	doc   uint32
	seqNo int64
}

// matching lists the documents that match, in the order of their last write.
func (e *Engine) matching(ctx context.Context, call string, ix *metadata.Index, f store.Filter) (store.Snapshot, []place, error) {
	if e.Refuse != nil && e.Refuse(call, f) {
		return nil, nil, store.ErrNotPushed
	}
	snap, err := e.Documents.Snapshot(ctx, ix, store.HoldForRequest)
	if err != nil {
		return nil, nil, err
	}
	var list []place
	n := int64(0)
	for _, p := range snap.Parts() {
		docs := e.Matching.Of(f, p.Segment)
		for doc := range uint32(p.Len()) {
			if p.Live != nil && !p.Live.Contains(doc) {
				continue
			}
			n++
			if docs.Contains(doc) {
				list = append(list, place{p, doc, p.SeqNo(doc)})
			}
		}
	}
	e.mu.Lock()
	e.last = n
	e.mu.Unlock()
	return snap, list, nil
}

// Page gives the first documents of an order; see store.Engine.
func (e *Engine) Page(ctx context.Context, ix *metadata.Index, f store.Filter, order store.Order, limit int, want store.Columns) (store.Page, error) {
	snap, list, err := e.matching(ctx, "page", ix, f)
	if err != nil {
		return store.Page{}, err
	}
	defer snap.Release()
	type entry struct {
		place
		long   int64
		double float64
	}
	var entries []entry
	for _, p := range list {
		for _, v := range longsOf(p.part.Segment, order.Field, p.doc) {
			entries = append(entries, entry{place: p, long: v})
		}
		for _, v := range doublesOf(p.part.Segment, order.Field, p.doc) {
			entries = append(entries, entry{place: p, double: v})
		}
	}
	slices.SortFunc(entries, func(a, b entry) int {
		c := cmp.Or(cmp.Compare(a.long, b.long), cmp.Compare(a.double, b.double))
		if order.Desc {
			c = -c
		}
		// The order of equal ones is nobody's: the last comes first.
		return cmp.Or(c, cmp.Compare(b.seqNo, a.seqNo))
	})
	full := len(entries) >= limit
	if full {
		entries = entries[:limit]
	}
	var page []place
	for _, x := range entries {
		page = append(page, x.place)
	}
	slices.SortFunc(page, func(a, b place) int { return cmp.Compare(a.seqNo, b.seqNo) })
	page = slices.CompactFunc(page, func(a, b place) bool { return a.seqNo == b.seqNo })
	way := "asc"
	if order.Desc {
		way = "desc"
	}
	e.call(fmt.Sprintf("page %s by %s %s, %d", f.String(), order.Field, way, limit), len(page))
	cut, err := e.cut(ctx, ix, snap, page, want, nil)
	return store.Page{Snapshot: cut, Full: full}, err
}

// Scan gives all documents that match; see store.Engine.
func (e *Engine) Scan(ctx context.Context, ix *metadata.Index, f store.Filter, want store.Columns) (store.Snapshot, error) {
	snap, list, err := e.matching(ctx, "scan", ix, f)
	if err != nil {
		return nil, err
	}
	defer snap.Release()
	e.call("scan "+f.String(), len(list))
	return e.cut(ctx, ix, snap, list, want, e)
}

// Count counts documents; see store.Engine.
func (e *Engine) Count(ctx context.Context, ix *metadata.Index, f store.Filter) (int64, error) {
	snap, list, err := e.matching(ctx, "count", ix, f)
	if err != nil {
		return 0, err
	}
	snap.Release()
	e.call("count "+f.String(), 0)
	return int64(len(list)), nil
}

// Facet counts documents by value; see store.Engine.
func (e *Engine) Facet(ctx context.Context, ix *metadata.Index, f store.Filter, field string, limit int) ([]store.FacetValue, error) {
	snap, list, err := e.matching(ctx, "facet", ix, f)
	if err != nil {
		return nil, err
	}
	snap.Release()
	counts := map[store.FacetValue]int64{}
	for _, p := range list {
		for _, v := range slices.Compact(slices.Clone(longsOf(p.part.Segment, field, p.doc))) {
			counts[store.FacetValue{Long: v}]++
		}
		if k := p.part.Keyword(field); k != nil {
			for _, ord := range k.Ords(p.doc) {
				counts[store.FacetValue{Term: k.Term(ord)}]++
			}
		}
	}
	var out []store.FacetValue
	for v, n := range counts {
		v.Count = n
		out = append(out, v)
	}
	slices.SortFunc(out, func(a, b store.FacetValue) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(b.Term, a.Term), cmp.Compare(b.Long, a.Long))
	})
	e.call(fmt.Sprintf("facet %s of %s", f.String(), field), 0)
	return out[:min(limit, len(out))], nil
}

// Weigh tells what is known; see store.Engine.
func (e *Engine) Weigh(*metadata.Index) store.Weight {
	e.mu.Lock()
	defer e.mu.Unlock()
	w := e.Weight
	if w.Documents == 0 {
		w.Documents = e.last
	}
	return w
}

// cut makes a snapshot of some documents that has no columns but those wanted.
func (e *Engine) cut(ctx context.Context, ix *metadata.Index, snap store.Snapshot, list []place, want store.Columns, counting *Engine) (store.Snapshot, error) {
	seqNos := make([]int64, len(list))
	for i, p := range list {
		seqNos[i] = p.seqNo
	}
	sources, err := snap.Sources(ctx, seqNos)
	if err != nil {
		return nil, err
	}
	tail := segment.NewTail()
	c := &cut{sources: map[int64]store.Stored{}, engine: counting}
	for i, p := range list {
		doc := &mapping.Document{}
		source, err := jsonx.Parse(sources[i].Source)
		if err != nil {
			return nil, err
		}
		if _, err := ix.Mapping.ParseDocument(doc, p.part.ID(p.doc), p.part.Routing(p.doc), source); err != nil {
			return nil, err
		}
		doc.SeqNo, doc.Version = p.seqNo, p.part.Version(p.doc)
		if !want.All {
			hide(doc, want.Fields)
		}
		tail.Append(doc)
		c.sources[p.seqNo] = sources[i]
	}
	if len(list) > 0 {
		c.parts = []segment.Part{{Segment: tail.Seal()}}
	}
	return c, nil
}

// hide takes the values out that are not wanted. Nested objects of a path that is not
// wanted are kept when a field in them is.
func hide(doc *mapping.Document, wanted []string) {
	drop := func(v mapping.Value) bool { return !slices.Contains(wanted, v.Field.Name) }
	doc.Values = slices.DeleteFunc(doc.Values, drop)
	for i := range doc.Children {
		doc.Children[i].Values = slices.DeleteFunc(doc.Children[i].Values, drop)
	}
}

// cut is a snapshot of some documents.
type cut struct {
	parts   []segment.Part
	sources map[int64]store.Stored
	engine  *Engine // counts reads of sources
}

func (c *cut) Parts() []segment.Part { return c.parts }

func (c *cut) Sources(_ context.Context, seqNos []int64) ([]store.Stored, error) {
	if c.engine != nil {
		c.engine.call("sources", 0)
	}
	out := make([]store.Stored, len(seqNos))
	for i, q := range seqNos {
		out[i] = c.sources[q]
	}
	return out, nil
}

func (c *cut) ID() string { return fmt.Sprintf("%p", c) }
func (c *cut) Release()   {}
