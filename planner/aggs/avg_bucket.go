package aggs

import "math"

type avgBucket struct{}

func (avgBucket) combine(p *pipe, _ []string, vals []float64) appender {
	if len(vals) == 0 {
		return &simpleValue{math.NaN(), &p.format}
	}
	return &simpleValue{plainSum(vals) / float64(len(vals)), &p.format}
}

// plainSum adds without compensation, as pipelines do.
func plainSum(vals []float64) (sum float64) {
	for _, v := range vals {
		sum += v
	}
	return sum
}
