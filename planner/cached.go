package planner

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"

	"postern/generated/api"
	"postern/internal/fence"
)

// Cache keeps encoded answers under the fence; see internal/cache.
type Cache interface {
	// Lookup is the fence's, with the answer kept under the key if it is true now.
	Lookup(ctx context.Context, key string, indices []string) (found fence.Found, answer []byte, err error)
	// Keep keeps an answer that was made after found, if that is still so.
	Keep(ctx context.Context, key string, found fence.Found, answer []byte)
}

// key is under what the plan's answer may be kept; "" for not at all: it must depend on
// nothing but the plan and the documents.
func (p *Planner) key(plan *Plan, r *api.SearchRequest) string {
	unwanted := r.RequestCache != nil && !*r.RequestCache
	if p.Cache == nil || plan.profile || unwanted || plan.UsesNow() || plan.aggregatesByNow() {
		return ""
	}
	return string(plan.Key(nil))
}

// aggregatesByNow tells that the word "now" stands somewhere in the aggregations, whose keys
// are what was asked and not the moment that it means today.
func (p *Plan) aggregatesByNow() bool {
	for _, s := range p.shards {
		if s.aggs != nil && bytes.Contains(s.aggs.AppendKey(nil), []byte("now")) {
			return true
		}
	}
	return false
}

// lookUp asks the fence for the state before an execution, and for an answer that is kept.
func (p *Planner) lookUp(ctx context.Context, plan *Plan) (fence.Found, []byte, error) {
	if plan.key != "" {
		return p.Cache.Lookup(ctx, plan.key, plan.uuids())
	}
	found, err := p.Fence.Lookup(ctx, "", plan.uuids())
	return found, nil, err
}

// keep keeps an answer unless it is partial.
func (e *execution) keepAnswer(ctx context.Context, a *Answer) {
	early := a.TerminatedEarly != nil && *a.TerminatedEarly
	if e.plan.key != "" && !a.TimedOut && !early && a.Shards.Failed == 0 {
		e.planner.Cache.Keep(ctx, e.plan.key, e.before, a.pack())
	}
}

var errEntry = errors.New("planner: a kept answer of another form")

// pack is what is kept of an answer: what a count wants of it, and its JSON behind the time
// it took.
func (a *Answer) pack() []byte {
	flags := byte(0)
	if a.Total.Tracked {
		flags |= 1
	}
	if a.Total.AtLeast {
		flags |= 2
	}
	if a.TerminatedEarly != nil {
		flags |= 4
	}
	b := append(make([]byte, 0, 512), flags)
	b = binary.AppendVarint(b, a.Total.Value)
	b = binary.AppendUvarint(b, uint64(a.Shards.Total))
	b = binary.AppendUvarint(b, uint64(a.Shards.Skipped))
	return a.appendBehindTook(b)
}

// unpack reads what pack has made.
func unpack(b []byte) (*Answer, error) {
	if len(b) == 0 {
		return nil, errEntry
	}
	flags, b := b[0], b[1:]
	value, n := binary.Varint(b)
	total, m := binary.Uvarint(b[max(n, 0):])
	skipped, k := binary.Uvarint(b[max(n, 0)+max(m, 0):])
	if n <= 0 || m <= 0 || k <= 0 {
		return nil, errEntry
	}
	a := &Answer{Total: Total{Tracked: flags&1 != 0, AtLeast: flags&2 != 0, Value: value},
		Shards: Shards{Total: int(total), Skipped: int(skipped)}, kept: b[n+m+k:]}
	if flags&4 != 0 {
		a.TerminatedEarly = new(bool)
	}
	return a, nil
}
