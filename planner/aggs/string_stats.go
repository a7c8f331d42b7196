package aggs

import (
	"cmp"
	"math"
	"slices"
	"unicode/utf16"

	"postern/internal/javamap"
	"postern/internal/mapping"
)

// stringStats is the lengths of a field's terms and how evenly their characters are
// distributed.
type stringStats struct {
	v            *values
	distribution bool
}

// stringStatsResult counts UTF-16 units, as Java does.
type stringStatsResult struct {
	*stringStats
	count, total int64
	min, max     int64
	units        map[uint16]int64
}

func parseStringStats(c *source) (aggregator, error) {
	a := c.a.StringStats
	v, err := c.values(wanted{field: a.Field, missing: a.Missing, only: mapping.KindKeyword, unmapped: mapping.KindKeyword})
	return &stringStats{v, a.ShowDistribution != nil && *a.ShowDistribution}, err
}

func (a *stringStats) empty(*node) result {
	return &stringStatsResult{stringStats: a, min: math.MaxInt64, max: math.MinInt64, units: map[uint16]int64{}}
}

func (r *stringStatsResult) collect(x *collector, s *selection) error {
	k := r.v.keyword(s.seg)
	without := 0
	if k != nil {
		counts := make([]int64, k.NumTerms())
		for _, d := range s.docs() {
			ords := k.Ords(d)
			for _, o := range ords {
				counts[o]++
			}
			if len(ords) == 0 {
				without++
			}
		}
		for ord, n := range counts {
			if n > 0 {
				r.add(k.Term(uint32(ord)), n)
			}
		}
	} else {
		without = s.len()
	}
	if without > 0 && r.v.hasMissing() {
		r.add(r.v.missingText, int64(without))
	}
	return nil
}

func (r *stringStatsResult) add(term string, times int64) {
	units := utf16.Encode([]rune(term))
	n := int64(len(units))
	r.count, r.total = r.count+times, r.total+n*times
	r.min, r.max = min(r.min, n), max(r.max, n)
	for _, u := range units {
		r.units[u] += times
	}
}

func (r *stringStatsResult) merge(other result) {
	o := other.(*stringStatsResult)
	r.count, r.total = r.count+o.count, r.total+o.total
	r.min, r.max = min(r.min, o.min), max(r.max, o.max)
	for u, n := range o.units {
		r.units[u] += n
	}
}

func (r *stringStatsResult) average() float64 { return float64(r.total) / float64(r.count) }

// entropy is that of the characters, in bits.
func (r *stringStatsResult) entropy() float64 {
	sum := 0.0
	for _, s := range r.shares() {
		if s.share > 0 {
			sum += s.share * math.Log2(s.share)
		}
	}
	return 0 - sum
}

type charShare struct {
	char  string
	share float64
}

// shares are those of the characters, the most frequent first.
func (r *stringStatsResult) shares() []charShare {
	list := make([]charShare, 0, len(r.units))
	for u, n := range r.units {
		list = append(list, charShare{string(utf16.Decode([]uint16{u})), float64(n) / float64(r.total)})
	}
	slices.SortFunc(list, func(a, b charShare) int { return cmp.Compare(a.char, b.char) })
	chars := make([]string, len(list))
	for i, s := range list {
		chars[i] = s.char
	}
	ordered := make([]charShare, 0, len(list))
	for _, i := range javamap.Order(chars) {
		ordered = append(ordered, list[i])
	}
	slices.SortStableFunc(ordered, func(a, b charShare) int { return cmp.Compare(b.share, a.share) })
	return ordered
}

func (r *stringStatsResult) figure(name string) (float64, bool) {
	switch name {
	case "count":
		return float64(r.count), true
	case "min_length":
		return float64(r.min), true
	case "max_length":
		return float64(r.max), true
	case "avg_length":
		return r.average(), true
	case "entropy":
		return r.entropy(), true
	}
	return 0, false
}

func (r *stringStatsResult) appendBody(w *writer) {
	w.int("count", r.count)
	if r.count > 0 {
		w.int("min_length", r.min)
		w.int("max_length", r.max)
		w.float("avg_length", r.average())
		w.float("entropy", r.entropy())
	} else {
		for _, name := range []string{"min_length", "max_length", "avg_length"} {
			w.floatOrNull(name, math.NaN())
		}
		w.float("entropy", 0)
	}
	if !r.distribution {
		return
	}
	if r.count == 0 {
		w.floatOrNull("distribution", math.NaN())
		return
	}
	w.object("distribution", func() {
		for _, s := range r.shares() {
			w.float(s.char, s.share)
		}
	})
}

func (r *stringStatsResult) prefix() string { return "string_stats" }
