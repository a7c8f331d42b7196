package aggs

import (
	"math"
	"slices"
	"strconv"

	gen "postern/generated/aggs"
	"postern/internal/eserr"
	"postern/internal/sketch"
)

// percentiles is percentiles and percentile_ranks: points on the distribution of a
// field's values, by their share of them or by value.
type percentiles struct {
	v      *values
	ranks  bool
	points []float64
	keyed  bool
	digest digestOptions
	digits int // of a histogram; -1 stands for a t-digest
}

type digestOptions struct {
	compression float64
	centred     bool
}

func (o digestOptions) quantiles() *sketch.Quantiles {
	return sketch.NewQuantiles(o.compression, o.centred)
}

// defaultPercents are those of percentiles that names none.
func defaultPercents() []float64 { return []float64{1, 5, 25, 50, 75, 95, 99} }

const (
	defaultCompression = 100
	defaultDigits      = 3
	maxDigits          = 5
)

type percentilesResult struct {
	*percentiles
	quantiles *sketch.Quantiles // or
	hdr       *sketch.HDR
}

func parsePercentiles(c *source) (aggregator, error) {
	a := c.a.Percentiles
	points := a.Percents
	if points == nil {
		points = defaultPercents()
	}
	return (&percentiles{points: points}).parse(c, wanted{field: a.Field, missing: a.Missing, format: a.Format}, a.Keyed, a.Hdr, a.Tdigest)
}

func parsePercentileRanks(c *source) (aggregator, error) {
	a := c.a.PercentileRanks
	return (&percentiles{points: a.Values, ranks: true}).parse(c, wanted{field: a.Field, missing: a.Missing, format: a.Format}, a.Keyed, a.Hdr, a.Tdigest)
}

func (p *percentiles) parse(c *source, w wanted, keyed *bool, hdr *gen.HdrMethod, digest *gen.TDigest) (aggregator, error) {
	var err error
	if p.v, err = c.numbers(w); err != nil {
		return nil, err
	}
	p.points = slices.Sorted(slices.Values(p.points))
	p.keyed, p.digits = keyed == nil || *keyed, -1
	p.digest.compression = defaultCompression
	switch {
	case hdr != nil:
		p.digits = defaultDigits
		if hdr.NumberOfSignificantValueDigits != nil {
			p.digits = *hdr.NumberOfSignificantValueDigits
		}
	case digest != nil:
		if digest.Compression != nil {
			p.digest.compression = *digest.Compression
		}
		p.digest.centred = digest.ExecutionHint == gen.TDigestExecutionHintHighAccuracy
	}
	return p, nil
}

// checkPercentiles finds what is wrong with a request whatever the index.
func checkPercentiles(name string, a *gen.PercentilesAggregation) error {
	failed := func(format string, args ...any) error { return failedToBuild("percentiles", format, args...) }
	if a.Hdr != nil && a.Tdigest != nil {
		return failed("Only one percentiles method should be declared.")
	}
	if a.Percents != nil && len(a.Percents) == 0 {
		return failed("[percents] must not be empty: [%s]", name)
	}
	sorted := slices.Sorted(slices.Values(a.Percents))
	for i, p := range sorted {
		if i > 0 && p == sorted[i-1] {
			return failed("percent [%s] has been specified twice: [%s]", javaDouble(p), name)
		}
	}
	for _, p := range sorted {
		if p < 0 || p > 100 {
			return failed("percent must be in [0,100], got [%s]: [%s]", javaDouble(p), name)
		}
	}
	return checkDigits(a.Hdr)
}

func checkPercentileRanks(name string, a *gen.PercentileRanksAggregation) error {
	switch {
	case a.Hdr != nil && a.Tdigest != nil:
		return failedToBuild("percentile_ranks", "Only one percentiles method should be declared.")
	case a.Values == nil:
		return failedToBuild("percentile_ranks", "[values] must not be null: [%s]", name)
	case len(a.Values) == 0:
		return failedToBuild("percentile_ranks", "[values] must not be an empty array: [%s]", name)
	}
	return checkDigits(a.Hdr)
}

func checkDigits(hdr *gen.HdrMethod) error {
	if hdr != nil && hdr.NumberOfSignificantValueDigits != nil && *hdr.NumberOfSignificantValueDigits > maxDigits {
		return eserr.IllegalArgument("[numberOfSignificantValueDigits] must be between 0 and 5")
	}
	return nil
}

// failedToBuild is the error of a parser that has read all and makes nothing of it.
func failedToBuild(parser, format string, a ...any) error {
	e := eserr.IllegalArgument("Failed to build [%s] after last required field arrived", parser)
	e.Type = "x_content_parse_exception"
	return e.Cause(eserr.IllegalArgument(format, a...))
}

func (p *percentiles) empty(*node) result {
	r := &percentilesResult{percentiles: p}
	if p.digits >= 0 {
		r.hdr = sketch.NewHDR(p.digits)
	} else {
		r.quantiles = p.digest.quantiles()
	}
	return r
}

func (r *percentilesResult) collect(x *collector, s *selection) error {
	_, vals := x.readDoubles(r.v, s)
	if r.hdr == nil {
		r.quantiles.Add(vals)
		return nil
	}
	if bad, ok := r.hdr.Add(vals); !ok {
		e := eserr.IllegalArgument("The value %s is out of bounds for histogram: negative values cannot be recorded", javaDouble(bad))
		e.Type = "array_index_out_of_bounds_exception"
		return e
	}
	return nil
}

func (r *percentilesResult) merge(other result) {
	o := other.(*percentilesResult)
	if r.v.hasNothing() && !o.v.hasNothing() {
		r.percentiles = o.percentiles
	}
	if r.hdr != nil {
		r.hdr.Merge(o.hdr)
	} else {
		r.quantiles.Merge(o.quantiles)
	}
}

// at gives the value of each point.
func (r *percentilesResult) at(points []float64) []float64 {
	if r.hdr != nil && !r.ranks {
		return r.hdr.Percentiles(points)
	}
	out := make([]float64, len(points))
	for i, p := range points {
		switch {
		case r.hdr != nil:
			out[i] = r.hdr.Rank(p)
		case r.ranks:
			out[i] = 100 * r.quantiles.Rank(p)
		default:
			out[i] = r.quantiles.Quantile(p / 100)
		}
	}
	return out
}

func (r *percentilesResult) figure(name string) (float64, bool) {
	p, err := strconv.ParseFloat(name, 64)
	if err != nil || !slices.Contains(r.points, p) {
		return 0, false
	}
	return r.at([]float64{p})[0], true
}

func (r *percentilesResult) appendBody(w *writer) {
	w.points(r.points, r.at(r.points), r.keyed, &r.v.format)
}

// points writes values by their percentages, or the other way round.
func (w *writer) points(points, vals []float64, keyed bool, f *format) {
	shown := func(i int) bool { return f.shown() && !math.IsNaN(vals[i]) }
	w.name("values")
	if keyed {
		w.braces('{', '}', func() {
			for i, p := range points {
				key := javaDouble(p)
				w.floatOrNull(key, vals[i])
				if shown(i) {
					w.string(key+"_as_string", f.double(vals[i]))
				}
			}
		})
		return
	}
	w.braces('[', ']', func() {
		for i, p := range points {
			w.item(func() {
				w.float("key", p)
				w.floatOrNull("value", vals[i])
				if shown(i) {
					w.string("value_as_string", f.double(vals[i]))
				}
			})
		}
	})
}

func (r *percentilesResult) prefix() string {
	method := "tdigest"
	if r.hdr != nil {
		method = "hdr"
	}
	if r.ranks {
		return method + "_percentile_ranks"
	}
	return method + "_percentiles"
}
