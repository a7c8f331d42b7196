package aggs

import "math"

type extendedStatsResult struct {
	statsResult
	sigma   float64
	squares kahan
}

const defaultSigma = 2

func parseExtendedStats(c *source) (aggregator, error) {
	a := c.a.ExtendedStats
	sigma := float64(defaultSigma)
	if a.Sigma != nil {
		sigma = *a.Sigma
	}
	return parseNumericMetric(c, a.Field, a.Missing, a.Format, func(v *values) result {
		return &extendedStatsResult{statsResult: statsResult{v: v, min: math.Inf(1), max: math.Inf(-1)}, sigma: sigma}
	})
}

func (r *extendedStatsResult) collect(x *collector, s *selection) error {
	_, vals := x.readDoubles(r.v, s)
	r.add(vals)
	return nil
}

func (r *extendedStatsResult) add(vals []float64) {
	r.statsResult.add(vals)
	for _, v := range vals {
		r.squares.add(v * v)
	}
}

func (r *extendedStatsResult) merge(other result) {
	o := other.(*extendedStatsResult)
	r.statsResult.merge(&o.statsResult)
	r.squares.merge(o.squares)
}

func (r *extendedStatsResult) variance() float64 {
	n := float64(r.count)
	v := (r.squares.sum - r.sum.sum*r.sum.sum/n) / n
	if v < 0 {
		return 0
	}
	return v
}

func (r *extendedStatsResult) sampling() float64 {
	n := float64(r.count)
	v := (r.squares.sum - r.sum.sum*r.sum.sum/n) / (n - 1)
	if v < 0 {
		return 0
	}
	return v
}

// The figures beyond those of stats, in the answer's order.
func extendedFigures() []string {
	return []string{"sum_of_squares", "variance", "variance_population", "variance_sampling", "std_deviation", "std_deviation_population", "std_deviation_sampling"}
}

// boundFigures are the answer's bounds with their names in order paths.
func boundFigures() [][2]string {
	return [][2]string{{"upper", "std_upper"}, {"lower", "std_lower"}, {"upper_population", "std_upper_population"},
		{"lower_population", "std_lower_population"}, {"upper_sampling", "std_upper_sampling"}, {"lower_sampling", "std_lower_sampling"}}
}

func (r *extendedStatsResult) figure(name string) (float64, bool) {
	switch name {
	case "sum_of_squares":
		return r.squares.sum, true
	case "variance", "variance_population":
		return r.variance(), true
	case "variance_sampling":
		return r.sampling(), true
	case "std_deviation", "std_deviation_population":
		return math.Sqrt(r.variance()), true
	case "std_deviation_sampling":
		return math.Sqrt(r.sampling()), true
	case "std_upper", "std_upper_population":
		return r.avg() + r.sigma*math.Sqrt(r.variance()), true
	case "std_lower", "std_lower_population":
		return r.avg() - r.sigma*math.Sqrt(r.variance()), true
	case "std_upper_sampling":
		return r.avg() + r.sigma*math.Sqrt(r.sampling()), true
	case "std_lower_sampling":
		return r.avg() - r.sigma*math.Sqrt(r.sampling()), true
	}
	return r.statsResult.figure(name)
}

func (r *extendedStatsResult) appendBody(w *writer) {
	r.statsResult.appendBody(w)
	show := func(name, figure string) {
		v, _ := r.figure(figure)
		if r.count == 0 {
			w.floatOrNull(name, math.NaN())
			return
		}
		w.float(name, v) // of one value there is no sampling variance
	}
	for _, name := range extendedFigures() {
		show(name, name)
	}
	w.object("std_deviation_bounds", func() {
		for _, b := range boundFigures() {
			show(b[0], b[1])
		}
	})
	f := &r.v.format
	if r.count == 0 || !f.shown() {
		return
	}
	for i, name := range extendedFigures() {
		v, _ := r.figure(name)
		if i < 4 {
			w.bound(name+"_as_string", f, v)
		} else {
			w.string(name+"_as_string", f.double(v))
		}
	}
	w.object("std_deviation_bounds_as_string", func() {
		for _, b := range boundFigures() {
			v, _ := r.figure(b[1])
			w.string(b[0], f.double(v))
		}
	})
}

func (r *extendedStatsResult) prefix() string { return "extended_stats" }
