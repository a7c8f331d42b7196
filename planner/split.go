package planner

import (
	"postern/internal/store"
	"postern/planner/query"
)

// Split is what a store's engine can decide of a query, and what it leaves.
type Split struct {
	// Pushed is the filter that the engine is given.
	Pushed store.Filter
	// Residual is evaluated on the documents that Pushed lets through; nil when it lets
	// through none but the query's.
	Residual query.Node
	// Exactness is how far Pushed goes, Why what kept it from being exact.
	Exactness query.Exactness
	Why       string
}

func split(n query.Node) Split {
	p := query.Push(n)
	s := Split{Pushed: p.Filter, Exactness: p.Exactness, Why: p.Why}
	if p.Exactness < query.Exact {
		s.Residual = n
	}
	return s
}

// and is a split of two queries that both match.
func (s Split) and(n query.Node) Split {
	if n == nil {
		return s
	}
	t := split(n)
	both := Split{Pushed: both(s.Pushed, t.Pushed), Exactness: min(s.Exactness, t.Exactness), Why: s.Why}
	if both.Why == "" {
		both.Why = t.Why
	}
	if s.Exactness != t.Exactness && both.Exactness == query.Never {
		both.Exactness = query.Superset
	}
	if both.Exactness < query.Exact {
		both.Residual = n
	}
	return both
}

// both is what matches two filters.
func both(a, b store.Filter) store.Filter {
	if _, all := a.(store.All); all {
		return b
	}
	if _, all := b.(store.All); all {
		return a
	}
	var list store.And
	for _, f := range [...]store.Filter{a, b} {
		if and, ok := f.(store.And); ok {
			list = append(list, and...)
		} else {
			list = append(list, f)
		}
	}
	return list
}

// onlyIDs gives how many documents a filter can match at most because it names them.
func onlyIDs(f store.Filter) (most int, ok bool) {
	switch f := f.(type) {
	case store.IDs:
		return len(f.IDs), true
	case store.And:
		for _, sub := range f {
			if n, is := onlyIDs(sub); is && (!ok || n < most) {
				most, ok = n, true
			}
		}
	}
	return most, ok
}
