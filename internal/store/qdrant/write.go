package qdrant

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	pb "github.com/qdrant/go-client/qdrant"
	"golang.org/x/sync/errgroup"

	"postern/internal/eserr"
	"postern/internal/metadata"
	"postern/internal/store"
)

const (
	// chunkItems bounds the mutations that are decided together, and with them the points of
	// a call.
	chunkItems = 1000
	// callBytes is from where on points go in a further call.
	callBytes = 8 << 20
	// rounds is how often a document is tried that other gateways write to meanwhile.
	rounds = 200
)

// Write applies mutations; see store.Documents. A chunk takes one read of what is there,
// one call for the documents that are new, one for the others, and one read of what became
// of them; documents that another gateway was faster with are decided and written again.
//
// Searches see a write at once, so that there is nothing to refresh.
func (s *Store) Write(ctx context.Context, meta *metadata.Index, mutations []store.Mutation, _ store.Refresh) ([]store.Result, error) {
	leave, err := s.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	w := &writer{s: s, meta: meta, ix: s.index(meta.UUID), mutations: mutations, results: make([]store.Result, len(mutations))}
	for from := 0; from < len(mutations); from += chunkItems {
		if err := w.chunk(ctx, from, min(from+chunkItems, len(mutations))); err != nil {
			return nil, err
		}
	}
	return w.results, nil
}

// writer carries out one call.
type writer struct {
	s         *Store
	ix        *index
	meta      *metadata.Index
	mutations []store.Mutation
	results   []store.Result
	// wrote tells that something may have been written.
	wrote bool
	// events are what a round has written, up to the number last, for the columns in memory.
	events []event
	last   int64
}

// target is one document of a chunk.
type target struct {
	id    string
	point *pb.PointId
	// items are the places of its mutations, in their order.
	items []int
	// source and fresh are what its first mutations say.
	source, fresh bool

	prior *record // nil for absent
	// now is the state after the mutations so far; nil when they changed nothing.
	now *state
	// mine is the id of the write under way.
	mine string
	// first is the first item that is part of it.
	first int
	err   error
}

// state is what a document becomes.
type state struct {
	store.Prior
	next store.Next
}

func (w *writer) chunk(ctx context.Context, from, to int) error {
	pending := w.targets(from, to)
	for round := 0; len(pending) > 0; round++ {
		var err error
		if pending, err = w.round(ctx, pending, from, to, round); err != nil {
			return err
		}
		switch {
		case len(pending) == 0:
			return nil
		case round == rounds:
			for _, t := range pending {
				w.fail(t, 0, eserr.Contended(t.id))
			}
			return nil
		case !sleep(ctx, rand.N(time.Millisecond*time.Duration(1+min(round, 20)))):
			return w.give(pending, ctx.Err())
		}
	}
	return nil
}

// round decides and writes the pending documents once, and gives those that have to be
// decided again.
func (w *writer) round(ctx context.Context, pending []*target, from, to, round int) ([]*target, error) {
	if w.s.opts.Exclusive {
		w.ix.near.loading.RLock()
		w.events, w.last = nil, -1
		defer func() {
			w.ix.near.finish(w, w.events)
			w.ix.near.loading.RUnlock()
			w.ix.near.await(w.last)
		}()
	}
	err := w.readPriors(ctx, pending, round)
	if err == nil {
		err = w.fold(ctx, pending, from, to)
	}
	if err != nil {
		return nil, w.give(pending, err)
	}
	return w.carryOut(ctx, pending)
}

// give says that documents were not written. It is the error of the whole call as long as
// nothing was.
func (w *writer) give(pending []*target, err error) error {
	if !w.wrote || errors.Is(err, store.ErrNoIndex) {
		return err
	}
	for _, t := range pending {
		w.fail(t, 0, err)
	}
	return nil
}

// fail gives a target's items from a place on an error.
func (w *writer) fail(t *target, from int, err error) {
	for _, i := range t.items {
		if i >= from {
			w.results[i] = store.Result{Err: err}
		}
	}
}

// targets groups a chunk's mutations by document.
func (w *writer) targets(from, to int) []*target {
	all := make([]*target, 0, to-from)
	byID := make(map[string]*target, to-from)
	for i := from; i < to; i++ {
		m := &w.mutations[i]
		t := byID[m.ID]
		if t == nil {
			t = &target{id: m.ID, point: pointID(m.ID), fresh: m.Fresh}
			byID[m.ID] = t
			all = append(all, t)
		}
		t.items = append(t.items, i)
		t.source = t.source || m.NeedSource
	}
	return all
}

// readPriors reads what is there. An id that has just been made needs no look.
func (w *writer) readPriors(ctx context.Context, pending []*target, round int) error {
	var ids []*pb.PointId
	source := false
	byPoint := make(map[string]*target, len(pending))
	for _, t := range pending {
		t.prior = nil
		if t.fresh && round == 0 {
			continue
		}
		ids = append(ids, t.point)
		byPoint[t.point.GetUuid()] = t
		source = source || t.source
	}
	if len(ids) == 0 {
		return nil
	}
	found, err := w.s.retrieve(ctx, w.s.collectionName(w.meta.UUID), ids, priorKeys(source))
	if err != nil {
		return err
	}
	for _, p := range found {
		t := byPoint[p.GetId().GetUuid()]
		r, err := readRecord(p)
		if err != nil {
			return err
		}
		if r.ID != t.id {
			return collision(t.id, r.ID)
		}
		t.prior = &r
	}
	return nil
}

func collision(a, b string) error {
	return errors.New("qdrant: the ids " + a + " and " + b + " have the same point")
}

// fold decides the mutations of the pending documents in their order; each sees those of
// its document before it.
func (w *writer) fold(ctx context.Context, pending []*target, from, to int) error {
	at := make([]*target, to-from)
	for _, t := range pending {
		t.now, t.mine, t.err = nil, "", nil
		for _, i := range t.items {
			at[i-from] = t
		}
	}
	gc := w.meta.Settings.Duration("index.gc_deletes", time.Minute).Milliseconds()
	now := time.Now().UnixMilli()
	for n, t := range at {
		if t == nil {
			continue
		}
		i := from + n
		prior := t.prior.prior(now, gc)
		if t.now != nil {
			prior = t.now.Prior
		}
		next, err := w.mutations[i].Apply(prior)
		r := &w.results[i]
		*r = store.Result{Err: err, Found: prior.Found}
		if err != nil {
			continue
		}
		r.Action = next.Action
		if next.Action == store.Noop {
			r.Version, r.SeqNo, r.PrimaryTerm, r.Source = prior.Version, prior.SeqNo, prior.PrimaryTerm, prior.Source
			continue
		}
		if r.SeqNo, r.PrimaryTerm, err = w.s.draw(ctx, w.ix, w, t.above()); err != nil {
			return err
		}
		r.Version, r.Source = next.Version, next.Source
		if t.now == nil {
			t.mine, t.first = newWriteID(), i
		}
		t.now = &state{next: next, Prior: store.Prior{Found: next.Action == store.Put, Tombstone: next.Action == store.Delete,
			Version: r.Version, SeqNo: r.SeqNo, PrimaryTerm: r.PrimaryTerm, Routing: next.Routing, Source: next.Source}}
	}
	return nil
}

// above is the _seq_no that a document's next one must exceed, be it that of a tombstone
// beyond its time.
func (t *target) above() int64 {
	switch {
	case t.now != nil:
		return t.now.SeqNo
	case t.prior != nil:
		return t.prior.SeqNo
	}
	return -1
}

// carryOut writes what was decided, and gives the documents that have to be decided again.
func (w *writer) carryOut(ctx context.Context, pending []*target) ([]*target, error) {
	var writes []*target
	for _, t := range pending {
		if t.now != nil {
			writes = append(writes, t)
		}
	}
	if len(writes) == 0 {
		return nil, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, w.give(pending, err)
	}
	w.wrote = true
	ctx = context.WithoutCancel(ctx) // once begun, the outcome is waited for
	w.send(ctx, writes)
	outcomes, err := w.confirm(ctx, writes)
	if err != nil {
		return nil, err
	}
	var again []*target
	for i, t := range writes {
		switch outcomes[i] {
		case won:
			w.follow(t)
		case lost:
			again = append(again, t)
			w.distrust(t)
		case undecided:
			w.fail(t, t.first, t.err)
			w.distrust(t)
		}
	}
	return again, nil
}

// send makes the calls; what failed stands in the targets.
func (w *writer) send(ctx context.Context, writes []*target) {
	var calls errgroup.Group
	calls.SetLimit(connections)
	var inserts, updates []*target
	for _, t := range writes {
		if t.prior == nil {
			inserts = append(inserts, t)
		} else {
			updates = append(updates, t)
		}
	}
	for _, list := range [][]*target{inserts, updates} {
		for len(list) > 0 {
			up := &pb.UpsertPoints{CollectionName: w.s.collectionName(w.meta.UUID), UpdateMode: pb.UpdateMode_InsertOnly.Enum()}
			var expected []string
			n, bytes := 0, 0
			for ; n < len(list) && bytes < callBytes; n++ {
				t := list[n]
				up.Points = append(up.Points, w.pointOf(t))
				bytes += len(t.now.Source) + 512
				if t.prior != nil {
					expected = append(expected, t.prior.write())
				}
			}
			if len(expected) > 0 {
				up.UpdateMode, up.UpdateFilter = pb.UpdateMode_UpdateOnly.Enum(), must(matchAny(keyWrite, expected...))
			}
			sent := list[:n]
			list = list[n:]
			calls.Go(func() error {
				if err := w.s.upsert(ctx, up); err != nil {
					for _, t := range sent {
						t.err = err
					}
				}
				return nil
			})
		}
	}
	calls.Wait() // its errors are the targets'
}

// pointOf is the point that a target becomes.
func (w *writer) pointOf(t *target) *pb.PointStruct {
	var before []string
	if t.prior != nil {
		before = t.prior.chain
	}
	payload := map[string]*pb.Value{keyID: textValue(termText(t.id)), keySeqNo: intValue(t.now.SeqNo), keyVersion: intValue(t.now.Version),
		keyTerm: intValue(t.now.PrimaryTerm), keyWrite: textValue(t.mine), keyChain: textList(linked(t.mine, before))}
	if t.now.Tombstone {
		payload[keyDeleted] = intValue(max(1, time.Now().UnixMilli()))
		return &pb.PointStruct{Id: t.point, Payload: payload}
	}
	doc := t.now.next.Doc
	putBytes(payload, t.now.Source)
	if t.now.Routing != "" {
		payload[keyRouting] = textValue(termText(t.now.Routing))
	}
	if len(doc.Ignored) > 0 {
		var names []string
		for _, name := range doc.Ignored {
			names = append(names, termText(name))
		}
		payload[keyIgnored] = textList(names)
	}
	c := columnsOf(doc)
	payload[keyCover] = textList(c.cover)
	payload[keyMapping] = intValue(w.meta.MappingVersion)
	if len(c.fields) > 0 {
		payload[keyColumns] = objectValue(c.fields)
	}
	return &pb.PointStruct{Id: t.point, Payload: payload}
}

// confirm reads what became of the writes. A fresh document's call that has come back needs
// no look.
func (w *writer) confirm(ctx context.Context, writes []*target) ([]outcome, error) {
	outcomes := make([]outcome, len(writes))
	var ids []*pb.PointId
	for _, t := range writes {
		var refused *refusal
		switch {
		case errors.Is(t.err, store.ErrNoIndex):
			return nil, t.err
		case errors.As(t.err, &refused), t.fresh && t.prior == nil && t.err == nil:
		default:
			ids = append(ids, t.point)
		}
	}
	chains := map[string][]string{}
	if len(ids) > 0 {
		found, err := w.s.retrieve(ctx, w.s.collectionName(w.meta.UUID), ids, chainKeys())
		if errors.Is(err, store.ErrNoIndex) {
			return nil, err
		}
		if err != nil {
			for i, t := range writes {
				outcomes[i], t.err = undecided, unknown(errors.Join(t.err, err))
			}
			return outcomes, nil
		}
		for _, p := range found {
			r, err := readRecord(p)
			if err != nil {
				return nil, err
			}
			chains[p.GetId().GetUuid()] = r.chain
		}
	}
	for i, t := range writes {
		outcomes[i] = t.outcome(chains[t.point.GetUuid()])
	}
	return outcomes, nil
}

// outcome is what became of a target's write, given the chain that was read after it.
func (t *target) outcome(chain []string) outcome {
	prior := ""
	if t.prior != nil {
		prior = t.prior.write()
	}
	var refused *refusal
	switch {
	case errors.As(t.err, &refused):
		return undecided // and it stands in err why nothing was written
	case t.fresh && t.prior == nil && t.err == nil:
		return won
	}
	o := judge(chain, t.mine, prior)
	if o != undecided {
		return o
	}
	if t.err == nil {
		if len(chain) == 0 || chain[0] == prior {
			return lost // the call has come back, so it will not happen any more
		}
		t.err = unknown(errors.New("more writes than a chain holds came after it"))
	}
	return undecided
}

// distrust turns off the columns in memory: somebody else writes, or a write may yet happen.
func (w *writer) distrust(t *target) {
	var refused *refusal
	if w.s.opts.Exclusive && !errors.As(t.err, &refused) && w.ix.near.distrust() {
		w.s.log.Warn("columns are no longer kept in memory: not all writes are known", "index", w.meta.Name)
	}
}

// follow notes a write that has happened.
func (w *writer) follow(t *target) {
	if w.s.opts.Exclusive {
		w.lay(t)
	}
	for _, i := range t.items {
		switch r := &w.results[i]; {
		case r.Err != nil:
		case r.Action == store.Put:
			w.ix.indexed.Add(1)
		case r.Action == store.Delete:
			w.ix.deleted.Add(1)
		}
	}
	was := t.prior != nil && t.prior.Found
	switch {
	case t.now.Found && !was:
		w.ix.documents.Add(1)
	case t.now.Tombstone && was:
		w.ix.documents.Add(-1)
	}
	if t.now.Tombstone || w.ix.written.CompareAndSwap(false, true) {
		w.s.sweepLater(w.ix, w.meta)
	}
}

// lay notes a write for the columns in memory.
func (w *writer) lay(t *target) {
	e := event{seq: t.now.SeqNo, replaces: -1}
	if t.prior != nil && t.prior.Found {
		e.replaces = t.prior.SeqNo
	}
	if doc := t.now.next.Doc; t.now.Found {
		doc.ID, doc.Routing, doc.SeqNo, doc.Version = t.id, t.now.Routing, t.now.SeqNo, t.now.Version
		e.doc = doc
	}
	w.events = append(w.events, e)
	w.last = max(w.last, e.seq)
}
