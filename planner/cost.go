package planner

import (
	"sync"

	"postern/internal/store"
)

// Milliseconds of calls to Qdrant 1.18 with 10,000 documents, from Go over gRPC, as
// measured (DESIGN §12), in the parts they are made of: the way there and back, and the
// work of Qdrant, of which that over documents grows with them.
const (
	costCall      = .22   // a health check
	costDocument  = .0074 // (.47 − .33) / 19: one more document that is handed out
	costPage      = .43   // ordering, beside the call and the documents: .80 for twenty
	costCount     = .29   // counting, beside the call and the documents: .56
	costMatch     = .05   // matching 10,000 documents, in process
	costValue     = .0535 // (1.29 − .22) / 20: one value of a facet, of 10,000 documents
	costValueOf   = .139  // (3.0 − .22) / 20: the same with a filter
	costNear      = .2    // evaluating 10,000 documents in memory
	costOverlap   = .4    // what a second call adds that runs beside the first: (1.03 − .80) / .56
	measuredAt    = 10000 // documents
	usualValues   = 20    // of a field not asked about yet
	usualSelected = .1    // of the documents, by a filter
)

// cost is an estimate in milliseconds.
type cost float64

// scaled is work that was measured over 10,000 documents.
func scaled(ms float64, documents int64) cost {
	return cost(ms * max(1, float64(documents)/measuredAt))
}

func costOfPage(documents int64, limit int) cost {
	handed := min(int64(limit), documents)
	return costCall + costPage + scaled(costMatch, documents) - costMatch + cost(handed)*costDocument
}

func costOfCount(documents int64) cost {
	return costCall + costCount + scaled(costMatch, documents)
}

func costOfFacet(documents int64, values int, filtered bool) cost {
	each := costValue
	if filtered {
		each = costValueOf
	}
	return costCall + cost(values)*scaled(each, documents)
}

// costOfScan is that of handing out the needed columns of what a filter lets through,
// and the sources of a page.
func costOfScan(documents int64, filtered bool, page int) cost {
	handed := float64(documents)
	if filtered {
		handed *= usualSelected
	}
	return costCall + scaled(costMatch, documents) + cost(handed)*costDocument + costOfSources(page)
}

func costOfNear(documents int64, page int) cost {
	return cost(costNear*float64(documents)/measuredAt) + costOfSources(page)
}

func costOfSources(page int) cost {
	if page == 0 {
		return 0
	}
	return costCall + cost(page)*costDocument
}

// together is the cost of calls that run at the same time.
func together(calls []cost) cost {
	var longest, sum cost
	for _, c := range calls {
		longest, sum = max(longest, c), sum+c
	}
	return longest + costOverlap*(sum-longest)
}

// ledger remembers what makes estimates better. It is safe for concurrent use.
type ledger struct {
	mu      sync.Mutex
	values  map[fieldOf]int // of a facet, when it was last asked
	spent   map[string]cost // on an index since its columns were last in memory, above what that costs
	covered map[fieldOf]coverage
}

type fieldOf struct{ index, field string }

// maxRemembered bounds each of the ledger's maps; one that is full begins anew.
const maxRemembered = 4096

func put[K comparable, V any](m *map[K]V, k K, v V) {
	if *m == nil || len(*m) >= maxRemembered {
		*m = map[K]V{}
	}
	(*m)[k] = v
}

func (l *ledger) valuesOf(index, field string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n, ok := l.values[fieldOf{index, field}]; ok {
		return n
	}
	return usualValues
}

func (l *ledger) sawValues(index, field string, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	put(&l.values, fieldOf{index, field}, n)
}

// coverage is what was last known of a field. That there was none uncovered holds for one
// version of the documents; that there was one is only a hint.
type coverage struct {
	at   documentsVersion
	none bool
}

func (l *ledger) sawCoverage(what learned, at documentsVersion) {
	l.mu.Lock()
	defer l.mu.Unlock()
	put(&l.covered, what.field, coverage{at, what.covered})
}

func (l *ledger) isCovered(field fieldOf, at documentsVersion) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.covered[field]
	return c.none && c.at == at
}

func (l *ledger) hasUncovered(field fieldOf) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	c, ok := l.covered[field]
	return ok && !c.none
}

// worthKeeping adds what a search costs more than it would with the columns in memory,
// and tells once that has come to as much as bringing them there costs: then whoever goes
// on asking has paid at most twice the least possible.
func (l *ledger) worthKeeping(index string, more, scan cost) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	sum := l.spent[index] + more
	if sum >= scan {
		delete(l.spent, index)
		return true
	}
	put(&l.spent, index, sum)
	return false
}

// choice is how a part of a search is answered.
type choice uint8

const (
	// snapshot evaluates all documents.
	snapshot choice = iota
	// scanned evaluates those that may match.
	scanned
	// pushed asks the engine.
	pushed
)

// String is the name that plans show.
func (c choice) String() string { return [...]string{"snapshot", "scan", "push"}[c] }

// choose decides by cost; the answer is the same.
func choose(w store.Weight, pushable, scannable bool, push, scan cost, page int, near func(more, scan cost) bool) choice {
	best, least := snapshot, costOfScan(w.Documents, false, page)
	if near != nil && w.Near {
		least = costOfNear(w.Documents, page)
	}
	if scannable && scan < least {
		best, least = scanned, scan
	}
	if pushable && push < least {
		best, least = pushed, push
	}
	if near != nil && w.Keeps && !w.Near && best != snapshot &&
		near(least-costOfNear(w.Documents, page), costOfScan(w.Documents, false, page)) {
		return snapshot
	}
	return best
}
