package aggs

type sumBucket struct{}

func (sumBucket) combine(p *pipe, _ []string, vals []float64) appender {
	return &simpleValue{plainSum(vals), &p.format}
}
