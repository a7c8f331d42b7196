package aggs

import (
	gen "postern/generated/aggs"
	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// Check finds what is wrong with aggregations whatever the index: these errors are the
// request's, not those of a shard.
func Check(list []jsonx.Pair[gen.AggregationContainer]) error {
	return check(list, nil)
}

func check(list []jsonx.Pair[gen.AggregationContainer], of *gen.AggregationContainer) error {
	if err := checkPipes(list, of); err != nil {
		return err
	}
	for i := range list {
		a := &list[i].Value
		if len(a.Aggregations) > 0 && (isMetric(a.Kind) || a.Kind == gen.KindSignificantText) {
			return eserr.IllegalArgument("Aggregator [%s] of type [%s] cannot accept sub-aggregations", list[i].Key, a.Kind)
		}
		if err := checkOne(list[i].Key, a); err != nil {
			return err
		}
		if err := check(a.Aggregations, a); err != nil {
			return err
		}
	}
	return nil
}

func checkOne(name string, a *gen.AggregationContainer) error {
	switch a.Kind {
	case gen.KindAdjacencyMatrix:
		return checkAdjacency(name, a.AdjacencyMatrix)
	case gen.KindMultiTerms:
		return checkMultiTerms(name, a.MultiTerms)
	case gen.KindComposite:
		return checkComposite(a.Composite)
	case gen.KindGeoDistance:
		return checkGeoDistance(name, a.GeoDistance)
	case gen.KindGeohashGrid, gen.KindGeotileGrid:
		return checkGrid(a)
	case gen.KindIPRange:
		return checkIPRange(a.IPRange)
	case gen.KindSignificantText:
		return checkSignificantText(a.SignificantText)
	case gen.KindRate:
		return checkRate(a.Rate)
	case gen.KindTopMetrics:
		return checkTopMetrics(a.TopMetrics)
	case gen.KindTTest:
		return checkTTest(name, a.TTest)
	case gen.KindRareTerms:
		return checkRareTerms(name, a.RareTerms)
	case gen.KindPercentiles:
		return checkPercentiles(name, a.Percentiles)
	case gen.KindPercentileRanks:
		return checkPercentileRanks(name, a.PercentileRanks)
	case gen.KindWeightedAvg:
		return checkWeightedAvg(a.WeightedAvg)
	}
	return nil
}

// isMetric tells the aggregations that have no buckets.
func isMetric(kind gen.AggregationContainerKind) bool {
	switch kind {
	case gen.KindAvg, gen.KindBoxplot, gen.KindCardinality, gen.KindExtendedStats, gen.KindGeoBounds, gen.KindGeoCentroid, gen.KindGeoLine, gen.KindMatrixStats, gen.KindMax, gen.KindMedianAbsoluteDeviation, gen.KindMin,
		gen.KindPercentileRanks, gen.KindPercentiles, gen.KindRate, gen.KindStats, gen.KindStringStats, gen.KindSum, gen.KindTopMetrics, gen.KindTTest, gen.KindTopHits, gen.KindValueCount, gen.KindWeightedAvg:
		return true
	}
	return false
}
