// Package memory is the fence of one process.
package memory

import (
	"context"
	"slices"
	"strconv"
	"sync"

	"postern/internal/fence"
)

// Fence keeps all state in maps under one lock; each step is a few map operations.
type Fence struct {
	entries  int // bounds on what is kept
	logLimit int

	mu          sync.Mutex
	directory   uint64
	directoryUp int // open tokens on the directory
	nextToken   uint64
	indices     map[string]*index
	tokens      map[string]*token
	answers     map[string]answer
	order       []string // keys of answers, oldest first
}

type index struct {
	meta, data uint64
	seqNo      int64 // the next to be given
	open       int   // open tokens
	unbounded  int   // of them without ids
	claims     map[string]*claim
	log        []logged
	logFrom    uint64 // sequences up to this one are no longer in the log
	uncovered  map[string]struct{}
}

// logged is one written id; an empty id with unbounded set stands for unknown ids.
type logged struct {
	sequence  uint64
	id        string
	unbounded bool
}

// A claim is the hold of one open token on one id.
type claim struct{ released chan struct{} }

type token struct {
	fence.Token
	scope fence.Scope
	ids   []string
	hold  *claim
}

type answer struct {
	vector fence.Vector
	entry  []byte
}

var _ fence.Fence = (*Fence)(nil)

// New makes a fence that keeps at most the given number of answers, and of log lines an
// index.
func New(answers, log int) *Fence {
	return &Fence{entries: answers, logLimit: log,
		indices: map[string]*index{}, tokens: map[string]*token{}, answers: map[string]answer{}}
}

// Begin opens a token; see fence.Fence.
func (f *Fence) Begin(ctx context.Context, in fence.Intent) (fence.Token, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for {
		if err := ctx.Err(); err != nil {
			return fence.Token{}, err
		}
		if f.moved(in.Planned) {
			return fence.Token{}, fence.ErrMoved
		}
		held := f.held(in)
		if held == nil {
			return f.open(in), nil
		}
		f.mu.Unlock()
		select {
		case <-held.released:
		case <-ctx.Done():
		}
		f.mu.Lock()
	}
}

func (f *Fence) moved(planned fence.Vector) bool {
	if planned.Incarnation == 0 {
		return false
	}
	if planned.Directory != f.directory {
		return true
	}
	for _, v := range planned.Indices {
		ix := f.indices[v.UUID]
		if ix == nil && v.Meta != 0 || ix != nil && ix.meta != v.Meta {
			return true
		}
	}
	return false
}

func (f *Fence) held(in fence.Intent) *claim {
	ix := f.indices[in.Index]
	if ix == nil {
		return nil
	}
	for _, id := range in.IDs {
		if c := ix.claims[id]; c != nil {
			return c
		}
	}
	return nil
}

func (f *Fence) open(in fence.Intent) fence.Token {
	f.nextToken++
	t := &token{Token: fence.Token{ID: strconv.FormatUint(f.nextToken, 10), Index: in.Index}, scope: in.Scope, hold: &claim{make(chan struct{})}}
	if in.Scope == fence.Directory {
		f.directory++
		f.directoryUp++
		t.Sequence = f.directory
	}
	if in.Index != "" {
		ix := f.index(in.Index)
		ix.open++
		switch in.Scope {
		case fence.Documents:
			ix.data++
			t.Sequence = ix.data
			t.SeqNo = ix.seqNo
			ix.seqNo += int64(in.SeqNos)
			t.ids = slices.Clone(in.IDs)
			if in.IDs == nil {
				ix.unbounded++
				ix.log = append(ix.log, logged{sequence: ix.data, unbounded: true})
			}
			for _, id := range in.IDs {
				ix.claims[id] = t.hold
				ix.log = append(ix.log, logged{sequence: ix.data, id: id})
			}
			ix.trim(f.logLimit)
			for _, field := range in.Uncovered {
				ix.uncovered[field] = struct{}{}
			}
		case fence.Metadata:
			ix.meta++
			t.Sequence = ix.meta
		}
	}
	f.tokens[t.ID] = t
	return t.Token
}

func (f *Fence) index(uuid string) *index {
	ix := f.indices[uuid]
	if ix == nil {
		ix = &index{claims: map[string]*claim{}, uncovered: map[string]struct{}{}}
		f.indices[uuid] = ix
	}
	return ix
}

// trim drops whole mutations from the log's old end, so that a position is either
// wholly answerable or not at all.
func (ix *index) trim(limit int) {
	if len(ix.log) <= limit {
		return
	}
	cut := len(ix.log) - limit/2
	for cut < len(ix.log) && ix.log[cut].sequence == ix.log[cut-1].sequence {
		cut++
	}
	ix.logFrom = ix.log[cut-1].sequence
	ix.log = slices.Clone(ix.log[cut:])
}

// Complete closes a token; see fence.Fence.
func (f *Fence) Complete(done fence.Token) {
	f.mu.Lock()
	defer f.mu.Unlock()
	t := f.tokens[done.ID]
	if t == nil {
		return
	}
	delete(f.tokens, done.ID)
	if t.scope == fence.Directory {
		f.directoryUp--
	}
	if ix := f.indices[t.Index]; t.Index != "" && ix != nil {
		ix.open--
		if t.scope == fence.Documents && t.ids == nil {
			ix.unbounded--
		}
		for _, id := range t.ids {
			if ix.claims[id] == t.hold {
				delete(ix.claims, id)
			}
		}
	}
	close(t.hold.released)
}

// Lookup reads the vector and a valid entry; see fence.Fence.
func (f *Fence) Lookup(_ context.Context, key string, indices []string) (fence.Found, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	found := fence.Found{Vector: f.vector(indices), Quiet: f.quiet(indices)}
	for _, uuid := range indices {
		found.Positions = append(found.Positions, f.position(uuid))
	}
	if a, ok := f.answers[key]; key != "" && ok && found.Quiet && a.vector.Equal(found.Vector) {
		found.Entry = a.entry
	}
	return found, nil
}

func (f *Fence) vector(indices []string) fence.Vector {
	v := fence.Vector{Incarnation: 1, Directory: f.directory}
	for _, uuid := range indices {
		iv := fence.IndexVersion{UUID: uuid}
		if ix := f.indices[uuid]; ix != nil {
			iv.Meta, iv.Data = ix.meta, ix.data
		}
		v.Indices = append(v.Indices, iv)
	}
	return v
}

func (f *Fence) quiet(indices []string) bool {
	if f.directoryUp > 0 {
		return false
	}
	for _, uuid := range indices {
		if ix := f.indices[uuid]; ix != nil && ix.open > 0 {
			return false
		}
	}
	return true
}

func (f *Fence) position(uuid string) fence.Position {
	ix := f.indices[uuid]
	if ix == nil {
		return fence.Position{}
	}
	p := fence.Position{Sequence: ix.data, Unbounded: ix.unbounded > 0}
	for id := range ix.claims {
		p.Open = append(p.Open, id)
	}
	for field := range ix.uncovered {
		p.Uncovered = append(p.Uncovered, field)
	}
	slices.Sort(p.Open)
	slices.Sort(p.Uncovered)
	return p
}

// Publish keeps an entry; see fence.Fence.
func (f *Fence) Publish(_ context.Context, key string, found fence.Found, entry []byte) (bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	v := found.Vector
	indices := make([]string, len(v.Indices))
	for i := range v.Indices {
		indices[i] = v.Indices[i].UUID
	}
	if !found.Quiet || !f.quiet(indices) || !f.vector(indices).Equal(v) {
		return false, nil
	}
	if _, known := f.answers[key]; !known {
		for len(f.order) >= f.entries && len(f.order) > 0 {
			delete(f.answers, f.order[0])
			f.order = f.order[1:]
		}
		f.order = append(f.order, key)
	}
	f.answers[key] = answer{v, entry}
	return true, nil
}

// Since lists written ids; see fence.Fence.
func (f *Fence) Since(_ context.Context, uuid string, after uint64) ([]string, bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	ix := f.indices[uuid]
	if ix == nil {
		return nil, after == 0, nil
	}
	if after < ix.logFrom {
		return nil, false, nil
	}
	var ids []string
	for _, l := range ix.log {
		switch {
		case l.sequence <= after:
		case l.unbounded:
			return nil, false, nil
		default:
			ids = append(ids, l.id)
		}
	}
	return ids, true, nil
}

// Clear drops all answers; see fence.Fence.
func (f *Fence) Clear(context.Context) (int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := int64(len(f.answers))
	clear(f.answers)
	return n, nil
}

// Forget drops a deleted index; tokens still open on it can be completed all the same.
func (f *Fence) Forget(_ context.Context, uuid string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.indices, uuid)
	return nil
}
