package aggs

import (
	"slices"
	"strings"

	gen "postern/generated/aggs"
	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// checkPipes finds pipelines that cannot be where they are or that read what is not
// there. of is the aggregation that they stand in, nil at the top.
func checkPipes(list []jsonx.Pair[gen.AggregationContainer], of *gen.AggregationContainer) error {
	var wrong []string
	c := pipeCheck{list: list, done: map[string]bool{}, doing: map[string]bool{}}
	for i := range list {
		p, err := parsePipe(list[i].Key, &list[i].Value)
		if err != nil {
			return err
		}
		if p == nil {
			continue
		}
		if len(list[i].Value.Aggregations) > 0 {
			return eserr.IllegalArgument("Aggregation [%s] cannot define sub-aggregations", p.name)
		}
		if err := c.resolve(p.name); err != nil {
			return eserr.ActionValidation(err.Reason)
		}
		if err := checkPipe(p.name, &list[i].Value); err != nil {
			return err
		}
		wrong = append(wrong, c.place(p, &list[i].Value, of)...)
	}
	if len(wrong) > 0 {
		return eserr.ActionValidation(wrong...)
	}
	return nil
}

// checkPipe checks the values of one request.
func checkPipe(name string, a *gen.AggregationContainer) error {
	switch a.Kind {
	case gen.KindPercentilesBucket:
		for _, p := range a.PercentilesBucket.Percents {
			if p < 0 || p > 100 {
				return eserr.IllegalArgument("percents must only contain non-null doubles from 0.0-100.0 inclusive")
			}
		}
	case gen.KindBucketSort:
		s := a.BucketSort
		if s.From == nil && s.Size == nil && len(s.Sort) == 0 {
			return eserr.ActionValidation("[" + name + "] is configured to perform nothing. Please set either of [sort, size, from] to use bucket_sort")
		}
	case gen.KindMovingPercentiles:
		if w := a.MovingPercentiles.Window; w == nil || *w <= 0 {
			return eserr.IllegalArgument("[window] must be a positive, non-zero integer.")
		}
	case gen.KindBucketCorrelation:
		return checkCorrelation(a.BucketCorrelation)
	case gen.KindNormalize:
		if a.Normalize.Method == 0 {
			return eserr.IllegalArgument("Required [method]")
		}
	}
	return nil
}

// pipeCheck follows the paths of pipelines among some aggregations.
type pipeCheck struct {
	list        []jsonx.Pair[gen.AggregationContainer]
	done, doing map[string]bool
}

func at(list []jsonx.Pair[gen.AggregationContainer], name string) *gen.AggregationContainer {
	i := slices.IndexFunc(list, func(p jsonx.Pair[gen.AggregationContainer]) bool { return p.Key == name })
	if i < 0 {
		return nil
	}
	return &list[i].Value
}

// resolve checks that all that a pipeline reads is there, and not the pipeline itself.
func (c *pipeCheck) resolve(name string) *eserr.Error {
	if c.done[name] {
		return nil
	}
	if c.doing[name] {
		return eserr.IllegalArgument("Cyclical dependency found with pipeline aggregator [%s]", name)
	}
	c.doing[name] = true
	a := at(c.list, name)
	_, path, _ := pipeOf(a)
	for _, text := range pathsOf(a, path) {
		if err := c.follow(text); err != nil {
			return err
		}
	}
	c.done[name] = true
	return nil
}

func (c *pipeCheck) follow(text string) *eserr.Error {
	if text == "_count" || text == "_key" {
		return nil
	}
	path, err := parsePath(text)
	if err != nil {
		fault, _ := eserr.As(err)
		return fault
	}
	a := at(c.list, path[0].name)
	if a == nil {
		return eserr.IllegalArgument("No aggregation found for path [%s]", text)
	}
	if p, _, _ := pipeOf(a); p != nil {
		return c.resolve(path[0].name)
	}
	for i, e := range path[1:] {
		last := i == len(path)-2
		if last && (strings.EqualFold(e.name, "_key") || e.name == "_count") {
			break
		}
		sub := at(a.Aggregations, e.name)
		if sub == nil {
			return eserr.IllegalArgument("No aggregation [%s] found for path [%s]", e.name, text)
		}
		a = sub
	}
	return nil
}

// place says what is wrong with where a pipeline stands.
func (c *pipeCheck) place(p *pipe, a, of *gen.AggregationContainer) []string {
	kind := a.Kind.String()
	if p.sibling != nil {
		return c.placeSibling(p)
	}
	switch a.Kind {
	case gen.KindBucketSort, gen.KindNormalize:
		switch {
		case of == nil:
			return []string{kind + " aggregation [" + p.name + "] must be declared inside of another aggregation"}
		case !hasManyBuckets(of.Kind):
			return []string{"The parent of " + kind + " aggregation [" + p.name + "] must be a multi-bucket aggregation"}
		}
		return nil
	}
	must := kind + " aggregation [" + p.name + "] must have a histogram, date_histogram or auto_date_histogram as parent"
	var least *int64
	switch {
	case of == nil:
		return []string{must + " but doesn't have a parent"}
	case of.Kind == gen.KindHistogram:
		least = of.Histogram.MinDocCount
	case of.Kind == gen.KindDateHistogram:
		least = of.DateHistogram.MinDocCount
	case of.Kind == gen.KindAutoDateHistogram:
	default:
		return []string{must}
	}
	if least != nil && *least != 0 {
		return []string{"parent histogram of " + kind + " aggregation [" + p.name + "] must have min_doc_count of 0"}
	}
	return nil
}

// placeSibling checks that the path of a sibling leads through buckets.
func (c *pipeCheck) placeSibling(p *pipe) []string {
	if len(p.paths) == 0 {
		return nil
	}
	path, err := parsePath(p.paths[0])
	if err != nil {
		return nil
	}
	list := c.list
	var a *gen.AggregationContainer
	for _, e := range path {
		if a = at(list, e.name); a == nil {
			return nil // refused before
		}
		if hasManyBuckets(a.Kind) && !e.bucketKey() {
			return nil
		}
		if a.Kind == gen.KindComposite {
			break // its buckets are none to Elasticsearch
		}
		list = a.Aggregations
	}
	return []string{"Unable to find unqualified multi-bucket aggregation in buckets_path. Path must include a multi-bucket aggregation for aggregation [" + p.name +
		"] found :" + builderClass(a.Kind) + " for buckets path: " + p.paths[0]}
}

// builderClass is what Elasticsearch calls the parser of an aggregation.
func builderClass(kind gen.AggregationContainerKind) string {
	place := "bucket"
	switch {
	case isMetric(kind):
		place = "metrics"
	case kind == gen.KindComposite:
		place = "bucket.composite"
	}
	return "org.elasticsearch.search.aggregations." + place + "." + camel(kind) + "AggregationBuilder"
}

// camel is the kind as Java writes it.
func camel(kind gen.AggregationContainerKind) string {
	switch kind {
	case gen.KindDiversifiedSampler:
		return "Diversified"
	case gen.KindGeoDistance:
		return "GeoDistanceRange"
	case gen.KindGeohashGrid:
		return "GeoHashGrid"
	case gen.KindGeotileGrid:
		return "GeoTileGrid"
	case gen.KindIPRange:
		return "BinaryRange"
	}
	var name strings.Builder
	for word := range strings.SplitSeq(kind.String(), "_") {
		name.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return name.String()
}

// hasManyBuckets tells the aggregations that have a list of buckets.
func hasManyBuckets(kind gen.AggregationContainerKind) bool {
	switch kind {
	case gen.KindComposite, gen.KindFilter, gen.KindGlobal, gen.KindMissing, gen.KindNested, gen.KindReverseNested,
		gen.KindSampler, gen.KindDiversifiedSampler, gen.KindRandomSampler:
		return false
	}
	return !isMetric(kind)
}
