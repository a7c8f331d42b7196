package aggs

import (
	"math"

	gen "postern/generated/aggs"
	"postern/internal/eserr"
	"postern/planner/query"
)

// tTest is the probability that two populations with the same mean differ as much as
// these: Student's test, two-tailed, or Welch's for unequal variances.
type tTest struct {
	kind gen.TTestType
	a, b population
}

type population struct {
	v      *values
	filter query.Node
}

type tTestResult struct {
	*tTest
	a, b moments2
}

// moments2 are sums over a population; for a paired test a's are over the differences.
type moments2 struct {
	count        int64
	sum, squares kahan
}

func (m *moments2) add(v float64) {
	m.count++
	m.sum.add(v)
	m.squares.add(v * v)
}

func (m *moments2) merge(o *moments2) {
	m.count += o.count
	m.sum.merge(o.sum)
	m.squares.merge(o.squares)
}

func (m *moments2) mean() float64 { return m.sum.sum / float64(m.count) }

func (m *moments2) variance() float64 {
	n := float64(m.count)
	return (m.squares.sum - m.sum.sum*m.sum.sum/n) / (n - 1)
}

func parseTTest(c *source) (aggregator, error) {
	r := c.a.TTest
	out := &tTest{kind: r.Type}
	for _, p := range []struct {
		from *gen.TestPopulation
		into *population
	}{{r.A, &out.a}, {r.B, &out.b}} {
		v, err := c.numbers(wanted{field: &p.from.Field, missing: p.from.Missing})
		if err != nil {
			return nil, err
		}
		p.into.v = v
		if p.from.Filter == nil {
			continue
		}
		n, err := query.Parse(c.Context, p.from.Filter)
		if err != nil {
			return nil, err
		}
		p.into.filter = query.Filter(n)
	}
	return out, nil
}

// checkTTest finds what is wrong with a request whatever the index.
func checkTTest(name string, r *gen.TTestAggregation) error {
	switch {
	case r.A == nil:
		return eserr.IllegalArgument("[a] must be specified in [%s]", name)
	case r.B == nil:
		return eserr.IllegalArgument("[b] must be specified in [%s]", name)
	case r.A.Script != nil || r.B.Script != nil:
		return eserr.Refused("[t_test] does not support scripts")
	case r.Type == gen.TTestTypePaired && (r.A.Filter != nil || r.B.Filter != nil):
		return eserr.IllegalArgument("Paired t-test doesn't support filters")
	}
	return nil
}

func (t *tTest) empty(*node) result { return &tTestResult{tTest: t} }

func (r *tTestResult) collect(x *collector, s *selection) error {
	if r.kind == gen.TTestTypePaired {
		return r.pair(x, s)
	}
	for _, p := range []struct {
		of   *population
		into *moments2
	}{{&r.tTest.a, &r.a}, {&r.tTest.b, &r.b}} {
		some := s
		if p.of.filter != nil {
			docs, err := x.matching(p.of.filter, s)
			if err != nil {
				return err
			}
			some = s.and(docs)
		}
		_, vals := x.readDoubles(p.of.v, some)
		for _, v := range vals {
			p.into.add(v)
		}
	}
	return nil
}

// pair takes the differences of the documents that have both values.
func (r *tTestResult) pair(x *collector, s *selection) error {
	first := map[uint32]float64{}
	docs, vals := x.readDoubles(r.tTest.a.v, s)
	for i, d := range docs {
		if _, again := first[d]; again {
			return pairsOfOne()
		}
		first[d] = vals[i]
	}
	docs, vals = x.readDoubles(r.tTest.b.v, s)
	for i, d := range docs {
		if i > 0 && docs[i-1] == d {
			return pairsOfOne()
		}
		if v, ok := first[d]; ok {
			r.a.add(v - vals[i])
		}
	}
	return nil
}

func pairsOfOne() error {
	return eserr.IllegalArgument("Encountered more than one value for a single document. Use a script to combine multiple values per doc into a single value.")
}

func (r *tTestResult) merge(other result) {
	o := other.(*tTestResult)
	r.a.merge(&o.a)
	r.b.merge(&o.b)
}

func (r *tTestResult) number() float64 {
	n, m := float64(r.a.count), float64(r.b.count)
	if r.kind == gen.TTestTypePaired {
		if n < 2 {
			return math.NaN()
		}
		return twoTailed(r.a.mean()/math.Sqrt(r.a.variance()/n), n-1)
	}
	if n < 2 || m < 2 {
		return math.NaN()
	}
	difference := r.a.mean() - r.b.mean()
	v, w := r.a.variance(), r.b.variance()
	if r.kind == gen.TTestTypeHomoscedastic {
		pooled := ((n-1)*v + (m-1)*w) / (n + m - 2)
		return twoTailed(difference/math.Sqrt(pooled*(1/n+1/m)), n+m-2)
	}
	a, b := v/n, w/m
	return twoTailed(difference/math.Sqrt(a+b), (a+b)*(a+b)/(a*a/(n-1)+b*b/(m-1)))
}

func (r *tTestResult) appendBody(w *writer) { w.floatOrNull("value", r.number()) }
func (r *tTestResult) prefix() string       { return "t_test" }
