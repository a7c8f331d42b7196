package query

import (
	"math"

	"postern/internal/store"
)

// Exactness tells how far a store's filter says what a node matches.
type Exactness uint8

const (
	// Never says nothing: the filter is that of all documents.
	Never Exactness = iota
	// Superset matches what the node matches, and perhaps more.
	Superset
	// Exact matches what the node matches.
	Exact
)

// String is the name that plans show.
func (e Exactness) String() string { return [...]string{"never", "superset", "exact"}[e] }

// Pushed is what a store can be asked of a node. The Filter is never nil.
type Pushed struct {
	Filter    store.Filter
	Exactness Exactness
	// Why tells what kept it from being Exact.
	Why string
}

// pushable is a node of which a store can be asked something. A node that is none is
// never pushed, and may look at any column.
type pushable interface {
	// push gives the filter; inObject tells that it is asked of the objects of a nested
	// path.
	push(inObject bool) Pushed
	// reads adds the columns that match looks at.
	reads(r *Reading)
}

// Push gives what a store can be asked of a node.
func Push(n Node) Pushed { return pushed(n, false) }

func pushed(n Node, inObject bool) Pushed {
	if p, ok := n.(pushable); ok {
		return p.push(inObject)
	}
	return never("a clause that no store knows")
}

func never(why string) Pushed { return Pushed{store.All{}, Never, why} }

func exactly(f store.Filter) Pushed { return Pushed{Filter: f, Exactness: Exact} }

// wider matches perhaps more.
func wider(f store.Filter, why string) Pushed { return Pushed{f, Superset, why} }

// none matches no document.
func none() Pushed { return exactly(store.Or{}) }

// pushedAll is what a store can be asked of several nodes that all match: what is never
// pushed is left out.
func pushedAll(list []Pushed) Pushed {
	var filters store.And
	all := Pushed{Exactness: Exact}
	for _, p := range list {
		if p.Exactness < Exact {
			all.Exactness = Superset
			if all.Why == "" {
				all.Why = p.Why
			}
		}
		if _, everything := p.Filter.(store.All); !everything {
			filters = append(filters, p.Filter)
		}
	}
	switch len(filters) {
	case 0:
		all.Filter = store.All{}
		if all.Exactness == Superset {
			all.Exactness = Never
		}
	case 1:
		all.Filter = filters[0]
	default:
		all.Filter = filters
	}
	return all
}

// pushedAny is what a store can be asked of several nodes of which any matches: one that
// is never pushed makes all of it so.
func pushedAny(list []Pushed) Pushed {
	any := Pushed{Exactness: Exact}
	var filters store.Or
	for _, p := range list {
		if p.Exactness == Never {
			return p
		}
		if p.Exactness < any.Exactness {
			any.Exactness, any.Why = p.Exactness, p.Why
		}
		filters = append(filters, p.Filter)
	}
	if any.Filter = filters; len(filters) == 1 {
		any.Filter = filters[0]
	}
	return any
}

// pushedNot is what a store can be asked of a node that must not match: the rest of a
// superset may lack what the node does not match.
func pushedNot(p Pushed) Pushed {
	if p.Exactness < Exact {
		if p.Why == "" {
			p.Why = "the negation of a superset"
		}
		return never(p.Why)
	}
	return exactly(store.Not{Filter: p.Filter})
}

func pushAll(nodes []Node, inObject bool) []Pushed {
	list := make([]Pushed, len(nodes))
	for i, n := range nodes {
		list[i] = pushed(n, inObject)
	}
	return list
}

// beyondDouble is why a bound is widened.
const beyondDouble = "a bound that float64 does not hold exactly"

// PushLongs is the range of whole numbers in [lo, hi]. Bounds are compared as float64, so
// those that it does not tell from their neighbours move outward.
func PushLongs(field string, lo, hi int64) Pushed {
	switch {
	case lo > hi:
		return none()
	case lo == hi:
		return exactly(store.Longs{Field: field, Values: []int64{lo}})
	}
	from, exactFrom := atMost(lo)
	to, exactTo := math.Inf(1), true
	if hi < math.MaxInt64 {
		to, exactTo = atMost(-hi)
		to = -to
	}
	p := exactly(store.Range{Field: field, From: from, To: to})
	if !exactFrom || !exactTo {
		p.Exactness, p.Why = Superset, beyondDouble
	}
	return p
}

// atMost is the greatest float64 that is no greater than v, and whether comparing with it
// tells v from all lesser numbers.
func atMost(v int64) (f float64, exact bool) {
	if v == math.MinInt64 {
		return math.Inf(-1), true
	}
	const whole = 1 << 53
	if -whole < v && v <= whole {
		return float64(v), true
	}
	f = float64(v)
	if f >= math.MaxInt64 || int64(f) > v {
		f = math.Nextafter(f, math.Inf(-1))
	}
	return f, false
}

// Reading collects the columns that nodes look at.
type Reading struct {
	// Fields are the columns and the nested paths, perhaps several times.
	Fields []string
	// Any tells that some node may look at any column.
	Any bool
}

// Node adds what a node looks at.
func (r *Reading) Node(n Node) {
	if p, ok := n.(pushable); ok {
		p.reads(r)
	} else {
		r.Any = true
	}
}

// Field adds a column.
func (r *Reading) Field(name string) { r.Fields = append(r.Fields, name) }

func (r *Reading) nodes(list []Node) {
	for _, n := range list {
		r.Node(n)
	}
}

// SameScore tells that all matches of a node have the same score, whatever else is in the
// index.
func SameScore(n Node) bool {
	switch n := n.(type) {
	case matchAll, matchNone, *constantScore, *terms, *termRange, *pattern, *longs, *longRange, *doubles, *doubleRange, *exists, *ids, *seqNos:
		return true
	case *boosted:
		return SameScore(n.inner)
	case *boolean:
		switch {
		case len(n.must)+len(n.should) == 0:
			return true
		case len(n.must) == 1 && len(n.should) == 0:
			return SameScore(n.must[0])
		}
		return len(n.must) == 0 && len(n.should) == 1 && n.need == 1 && SameScore(n.should[0])
	}
	return false
}
