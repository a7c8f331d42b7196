package aggs

import (
	"math"

	gen "postern/generated/aggs"
	"postern/internal/eserr"
)

// bucketCorrelation is the correlation between being one of some documents, which the
// buckets count, and a variable whose mean in each bucket is known: Pearson's, of the
// variable and an indicator of one or zero.
type bucketCorrelation struct {
	all          float64
	expectations []float64
	fractions    []float64 // of the documents in each bucket
}

func newBucketCorrelation(a *gen.BucketCorrelationAggregation) bucketCorrelation {
	var c bucketCorrelation
	if a.Function == nil || a.Function.CountCorrelation == nil || a.Function.CountCorrelation.Indicator == nil {
		return c
	}
	i := a.Function.CountCorrelation.Indicator
	c.all, c.expectations, c.fractions = float64(i.DocCount), i.Expectations, i.Fractions
	if c.fractions == nil {
		for range c.expectations {
			c.fractions = append(c.fractions, 1/float64(len(c.expectations)))
		}
	}
	return c
}

func (c bucketCorrelation) combine(p *pipe, _ []string, counts []float64) appender {
	return &simpleValue{c.of(counts), &p.format}
}

// of is not a number where the buckets are not those that the means were given for.
func (c bucketCorrelation) of(counts []float64) float64 {
	if len(counts) != len(c.expectations) || len(counts) != len(c.fractions) {
		return math.NaN()
	}
	mean, square, inside := 0.0, 0.0, 0.0
	for i, x := range c.expectations {
		mean += c.fractions[i] * x
		square += c.fractions[i] * x * x
		inside += counts[i]
	}
	share := inside / c.all
	together := 0.0
	for i, x := range c.expectations {
		together += (counts[i]*(1-share) - (c.all*c.fractions[i]-counts[i])*share) * (x - mean)
	}
	return together / c.all / math.Sqrt((square-mean*mean)*share*(1-share))
}

// checkCorrelation finds what is wrong with a request whatever the index.
func checkCorrelation(a *gen.BucketCorrelationAggregation) error {
	c := newBucketCorrelation(a)
	switch {
	case a.Function == nil || a.Function.CountCorrelation == nil || a.Function.CountCorrelation.Indicator == nil:
		return eserr.IllegalArgument("Required [function]")
	case len(c.expectations) < 2:
		return eserr.IllegalArgument("[expectations] must have a length of at least [2]")
	case len(c.fractions) != len(c.expectations):
		return eserr.IllegalArgument("[expectations] and [fractions] must have the same length")
	case c.all <= 0:
		return eserr.IllegalArgument("[doc_count] must be greater than 0")
	}
	return nil
}
