package planner

import (
	"math"

	"postern/internal/store"
	"postern/planner/query"
)

// pushKey is a sort key as a store's engine sees it.
type pushKey struct {
	*sortField
	// ordered tells that the engine can order by it.
	ordered bool
}

// pushKeys are the keys of a sort that tell documents apart. ok is false for one that
// means something else among few documents than among all.
func pushKeys(fields []*sortField, sameScore, cursor bool) (keys []pushKey, ok bool) {
	for _, f := range fields {
		switch f.kind {
		case sortLong, sortDouble:
			own := len(f.steps) == 0 && f.scale == 0 && (f.out == f.source || f.source == doubleValue && f.out == floatValue)
			keys = append(keys, pushKey{f, own})
		case sortSeqNo:
			keys = append(keys, pushKey{f, true})
		case sortTerm:
			keys = append(keys, pushKey{f, false})
		case sortScore:
			if !sameScore || cursor {
				return nil, false
			}
		case sortConst, sortNone:
			if cursor {
				return nil, false
			}
		default:
			return nil, false
		}
	}
	return keys, true
}

// column is the column that the key's values lie in.
func (k pushKey) column() string { return k.field }

func (k pushKey) order() store.Order { return store.Order{Field: k.column(), Desc: k.desc} }

// lacking are the documents without a value.
func (k pushKey) lacking() store.Filter {
	if k.kind == sortSeqNo {
		return store.Or{}
	}
	return store.Not{Filter: store.Exists{Field: k.column()}}
}

// lackingLast tells that documents without a value come after those with a key.
func (k pushKey) lackingLast(key uint64) bool {
	return k.kind == sortSeqNo || k.keyOf(k.missing) > key
}

// with are the documents with one value, and those without any if they sort as it.
func (k pushKey) with(v sortValue) store.Filter {
	var f store.Filter = store.Range{Field: k.column(), From: v.f, To: v.f}
	if v.kind == longValue {
		f = store.Longs{Field: k.column(), Values: []int64{v.i}}
	}
	if k.kind != sortSeqNo && k.keyOf(v) == k.keyOf(k.missing) {
		return store.Or{f, k.lacking()}
	}
	return f
}

// beyond are the documents whose value comes after one in the key's order, those without
// a value included if they do. It may match others near it when it is not exact.
func (k pushKey) beyond(v sortValue) (f store.Filter, exact bool) {
	f, exact = k.valuesBeyond(v)
	if k.kind != sortSeqNo && k.keyOf(k.missing) > k.keyOf(v) {
		return store.Or{f, k.lacking()}, exact
	}
	return f, exact
}

func (k pushKey) valuesBeyond(v sortValue) (store.Filter, bool) {
	if v.kind == longValue {
		var p query.Pushed
		switch {
		case k.desc && v.i == math.MinInt64, !k.desc && v.i == math.MaxInt64:
			return store.Or{}, true
		case k.desc:
			p = query.PushLongs(k.column(), math.MinInt64, v.i-1)
		default:
			p = query.PushLongs(k.column(), v.i+1, math.MaxInt64)
		}
		return p.Filter, p.Exactness == query.Exact
	}
	r := store.Range{Field: k.column(), From: math.Inf(-1), To: math.Inf(1)}
	at, exact := v.f, v.f != 0 // the engine does not tell the two zeros apart
	switch {
	case k.desc && exact:
		r.To = math.Nextafter(at, math.Inf(-1))
	case k.desc:
		r.To = at
	case exact:
		r.From = math.Nextafter(at, math.Inf(1))
	default:
		r.From = at
	}
	if math.IsInf(at, 1) && !k.desc || math.IsInf(at, -1) && k.desc {
		return store.Or{}, true
	}
	return r, exact
}

// beyondAll are the documents that come after a cursor; exact is false when the engine
// cannot tell.
func beyondAll(keys []pushKey, after []sortValue) (f store.Filter, exact bool) {
	if len(keys) == 0 {
		return store.Or{}, true
	}
	k, v := keys[0], after[0]
	if !k.ordered {
		return nil, false
	}
	strictly, exact := k.beyond(v)
	if !exact {
		return nil, false
	}
	rest, exact := beyondAll(keys[1:], after[1:])
	if !exact {
		return nil, false
	}
	if or, ok := rest.(store.Or); ok && len(or) == 0 {
		return strictly, true
	}
	return store.Or{strictly, both(k.with(v), rest)}, true
}
