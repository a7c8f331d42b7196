package aggs

import (
	"math"

	gen "postern/generated/aggs"
	"postern/internal/eserr"
)

// heuristic scores how much more often a term stands in some documents than in all. The
// formulas are those of Elasticsearch's documentation of significant_terms.
type heuristic func(f frequencies) (float64, error)

// frequencies are documents: with the term among some, those, with the term among all,
// all.
type frequencies struct{ sub, subset, super, superset float64 }

// heuristics are what a request may choose of.
type heuristics struct {
	jlh        *gen.EmptyObject
	chi        *gen.ChiSquareHeuristic
	mutual     *gen.MutualInformationHeuristic
	gnd        *gen.GoogleNormalizedDistanceHeuristic
	percentage *gen.PercentageScoreHeuristic
}

// chosen is the last one given; without any it is JLH.
func (h heuristics) chosen() heuristic {
	switch {
	case h.chi != nil:
		return chiSquare(h.chi.IncludeNegatives, h.chi.BackgroundIsSuperset)
	case h.mutual != nil:
		return mutualInformation(h.mutual.IncludeNegatives, h.mutual.BackgroundIsSuperset)
	case h.gnd != nil:
		return googleDistance(h.gnd.BackgroundIsSuperset)
	case h.percentage != nil:
		return percentage
	}
	return jlh
}

func jlh(f frequencies) (float64, error) {
	if f.subset == 0 || f.superset == 0 {
		return 0, nil
	}
	// A background that is no superset may lack the term.
	inSubset, inSuperset := f.sub/f.subset, max(f.super, 1)/f.superset
	if inSubset <= inSuperset {
		return 0, nil
	}
	return (inSubset - inSuperset) * (inSubset / inSuperset), nil
}

func percentage(f frequencies) (float64, error) {
	if f.super == 0 {
		return 0, nil
	}
	return f.sub / f.super, nil
}

// contingency counts documents by whether they have the term and whether they are of the
// subset: n10 have it and are not.
type contingency struct{ n11, n10, n01, n00 float64 }

func (c contingency) with() float64    { return c.n11 + c.n10 }
func (c contingency) without() float64 { return c.n01 + c.n00 }
func (c contingency) inside() float64  { return c.n11 + c.n01 }
func (c contingency) outside() float64 { return c.n10 + c.n00 }
func (c contingency) all() float64     { return c.inside() + c.outside() }

// fewer tells that the term is rarer in the subset than outside of it.
func (c contingency) fewer() bool { return c.n11/c.inside() < c.n10/c.outside() }

func (f frequencies) contingency(superset *bool) (contingency, error) {
	if superset != nil && !*superset {
		return contingency{n11: f.sub, n10: f.super, n01: f.subset - f.sub, n00: f.superset - f.super}, nil
	}
	wrong := ""
	switch {
	case f.sub > f.super:
		wrong = "subsetFreq > supersetFreq"
	case f.subset > f.superset:
		wrong = "subsetSize > supersetSize"
	case f.super-f.sub > f.superset-f.subset:
		wrong = "supersetFreq - subsetFreq > supersetSize - subsetSize"
	}
	if wrong != "" {
		return contingency{}, eserr.IllegalArgument("%s, does your background filter not include all documents in the bucket? If so and it is intentional, set \"background_is_superset\": false\n", wrong)
	}
	return contingency{n11: f.sub, n10: f.super - f.sub, n01: f.subset - f.sub, n00: f.superset - f.super - (f.subset - f.sub)}, nil
}

func chiSquare(negatives, superset *bool) heuristic {
	return func(f frequencies) (float64, error) {
		c, err := f.contingency(superset)
		if err != nil {
			return 0, err
		}
		if !isOn(negatives) && c.fewer() {
			return math.Inf(-1), nil
		}
		d := c.n11*c.n00 - c.n01*c.n10
		return c.all() * (d * d) / (c.inside() * c.with() * c.without() * c.outside()), nil
	}
}

func isOn(b *bool) bool { return b != nil && *b }

func mutualInformation(negatives, superset *bool) heuristic {
	return func(f frequencies) (float64, error) {
		c, err := f.contingency(superset)
		if err != nil {
			return 0, err
		}
		n := c.all()
		term := func(cell, row, column float64) float64 {
			numerator, factor := math.Abs(n*cell), math.Abs(cell/n)
			if numerator < 1e-7 && factor < 1e-7 {
				return 0
			}
			return factor * math.Log(numerator/math.Abs(row*column))
		}
		score := (term(c.n00, c.without(), c.outside()) + term(c.n01, c.without(), c.inside()) +
			term(c.n10, c.with(), c.outside()) + term(c.n11, c.with(), c.inside())) / math.Log(2)
		if math.IsNaN(score) || !isOn(negatives) && c.fewer() {
			return math.Inf(-1), nil
		}
		return score, nil
	}
}

func googleDistance(superset *bool) heuristic {
	return func(f frequencies) (float64, error) {
		c, err := f.contingency(superset)
		if err != nil {
			return 0, err
		}
		x, y, both := c.with(), c.inside(), c.n11
		switch {
		case both == 0:
			return 0, nil
		case x == y && x == both:
			return 1, nil
		}
		distance := (max(math.Log(x), math.Log(y)) - math.Log(both)) / (math.Log(c.all()) - min(math.Log(x), math.Log(y)))
		return math.Exp(-distance), nil
	}
}
