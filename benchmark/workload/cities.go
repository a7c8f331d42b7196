package workload

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"

	"postern/benchmark/corpus"
)

// OfCities lists the operations of Elastic's geonames track that need no script, each asked
// as the track does: the same question again and again.
func OfCities(index string, c *corpus.Cities) []Workload {
	g := geonames{index, c}
	byPopulation := func(i int) int64 { return c.All[i].Population }
	byID := func(i int) int64 { return c.All[i].GeonameID }
	some := make([]string, 0, c.Len()/8)
	for i := 0; i < c.Len(); i += 8 {
		some = append(some, c.ID(i))
	}
	ids := strings.Join(some[:min(20_000, len(some))], ",")
	among := len(some[:min(20_000, len(some))])
	austrian := func(i int) bool { return c.All[i].Country == "AT" }
	listed := func(i int) bool { return i%8 == 0 && i/8 < among }
	return []Workload{
		g.matching("default", `{"match_all":{}}`, func(int) bool { return true }),
		g.matching("term", `{"term":{"country_code.raw":"AT"}}`, austrian),
		g.matching("phrase", `{"match_phrase":{"name":"Sankt Georgen"}}`, func(i int) bool {
			return phraseIn(c.All[i].Name, "sankt", "georgen")
		}),
		g.matching("large_terms", `{"terms":{"geonameid":[`+ids+`]}}`, listed),
		g.matching("large_filtered_terms", `{"bool":{"must":[{"term":{"country_code.raw":"AT"}}],"filter":[{"terms":{"geonameid":[`+ids+`]}}]}}`, func(i int) bool { return austrian(i) && listed(i) }),
		g.matching("large_prohibited_terms", `{"bool":{"must":[{"term":{"country_code.raw":"AT"}}],"must_not":[{"terms":{"geonameid":[`+ids+`]}}]}}`, func(i int) bool { return austrian(i) && !listed(i) }),
		g.sorted("desc_sort_population", "population", true, byPopulation),
		g.sorted("asc_sort_population", "population", false, byPopulation),
		g.sorted("desc_sort_geonameid", "geonameid", true, byID),
		g.sorted("asc_sort_geonameid", "geonameid", false, byID),
		g.countries(),
		g.mostPeople(),
		g.nearest(),
	}
}

type geonames struct {
	index  string
	cities *corpus.Cities
}

func (g geonames) fixed(name, body string, check func(searchAnswer) error) Workload {
	op := Op{search(g.index, body, check)}
	return Workload{Name: name, Make: func(Step) Op { return op }}
}

// place finds a city by its _id.
func (g geonames) place(id string) (int, error) {
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return 0, err
	}
	at, ok := sort.Find(g.cities.Len(), func(i int) int { return cmp.Compare(n, g.cities.All[i].GeonameID) })
	if !ok {
		return 0, fmt.Errorf("there is no city %s", id)
	}
	return at, nil
}

// matching asks for ten hits, whose order is the engine's choice: each must match and be
// whole, none twice.
func (g geonames) matching(name, query string, match func(int) bool) Workload {
	want := 0
	for i := range g.cities.Len() {
		if match(i) {
			want++
		}
	}
	return g.fixed(name, `{"query":`+query+`}`, func(got searchAnswer) error {
		if len(got.Hits.Hits) != min(10, want) {
			return fmt.Errorf("%d hits, due were %d", len(got.Hits.Hits), min(10, want))
		}
		seen := map[int]bool{}
		for _, h := range got.Hits.Hits {
			i, err := g.place(h.ID)
			if err != nil {
				return err
			}
			if seen[i] || !match(i) || !bytes.Equal(h.Source, g.cities.AppendSource(nil, i)) {
				return fmt.Errorf("%s is there twice, does not match, or is not whole: %.200s", h.ID, h.Source)
			}
			seen[i] = true
		}
		return got.trackedTotal(want)
	})
}

func (g geonames) sorted(name, field string, descending bool, value func(int) int64) Workload {
	order := "asc"
	values := make([]int64, g.cities.Len())
	for i := range values {
		values[i] = value(i)
	}
	slices.Sort(values)
	if descending {
		order = "desc"
		slices.Reverse(values)
	}
	return g.fixed(name, fmt.Sprintf(`{"query":{"match_all":{}},"sort":[{%q:%q}]}`, field, order), func(got searchAnswer) error {
		if len(got.Hits.Hits) != min(10, len(values)) {
			return fmt.Errorf("%d hits", len(got.Hits.Hits))
		}
		for k, h := range got.Hits.Hits {
			i, err := g.place(h.ID)
			if err != nil {
				return err
			}
			if len(h.Sort) != 1 || string(h.Sort[0]) != fmt.Sprint(values[k]) || value(i) != values[k] {
				return fmt.Errorf("hit %d is %s with %s, due was %d", k, h.ID, h.Sort, values[k])
			}
		}
		return got.trackedTotal(len(values))
	})
}

// countries is country_agg_uncached: the people of each of the ten countries with most cities.
func (g geonames) countries() Workload {
	cities, people := map[string]int{}, map[string]int64{}
	for _, c := range g.cities.All {
		cities[c.Country]++
		people[c.Country] += c.Population
	}
	var names []string
	for n := range cities {
		names = append(names, n)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(cities[b], cities[a]), cmp.Compare(a, b)) })
	w := g.fixed("country_agg_uncached", `{"size":0,"aggs":{"country":{"terms":{"field":"country_code.raw"},"aggs":{"P":{"sum":{"field":"population"}}}}}}`, func(got searchAnswer) error {
		buckets := got.Aggregations["country"].Buckets
		if len(buckets) != min(10, len(names)) {
			return fmt.Errorf("%d buckets", len(buckets))
		}
		for k, b := range buckets {
			n := names[k]
			if string(b.Key) != strconv.Quote(n) || b.DocCount != cities[n] || b.P.Value == nil || int64(*b.P.Value) != people[n] {
				return fmt.Errorf("bucket %d is %s with %d and %v, due was %s with %d and %d", k, b.Key, b.DocCount, b.P.Value, n, cities[n], people[n])
			}
		}
		return nil
	})
	w.Make(Step{})[0].Path += "?request_cache=false"
	return w
}

// mostPeople is field_value_function_score.
func (g geonames) mostPeople() Workload {
	people := make([]int64, g.cities.Len())
	for i, c := range g.cities.All {
		people[i] = c.Population
	}
	slices.SortFunc(people, func(a, b int64) int { return cmp.Compare(b, a) })
	return g.fixed("field_value_function_score", `{"query":{"function_score":{"query":{"match_all":{}},"functions":[{"field_value_factor":{"field":"population","modifier":"log1p"}}]}}}`, func(got searchAnswer) error {
		return g.scores(got, func(k, i int) float64 { return math.Log10(1 + float64(people[k])) }, func(i int) float64 { return math.Log10(1 + float64(g.cities.All[i].Population)) })
	})
}

// nearest is decay_geo_gauss_function_score: around Amsterdam.
func (g geonames) nearest() Workload {
	const latitude, longitude, scale = 52.37, 4.8951, 500.0
	gauss := func(km float64) float64 { return math.Exp(km * km * math.Log(.5) / (scale * scale)) }
	distances := make([]float64, g.cities.Len())
	for i := range distances {
		distances[i] = g.cities.Kilometers(i, latitude, longitude)
	}
	nearest := slices.Sorted(slices.Values(distances))
	return g.fixed("decay_geo_gauss_function_score", fmt.Sprintf(`{"query":{"function_score":{"query":{"match_all":{}},"functions":[{"gauss":{"location":{"origin":"%v,%v","scale":"%vkm","offset":"0km","decay":0.5}}}]}}}`, latitude, longitude, scale), func(got searchAnswer) error {
		return g.scores(got, func(k, _ int) float64 { return gauss(nearest[k]) }, func(i int) float64 { return gauss(distances[i]) })
	})
}

// scores checks that the k-th hit has the k-th best score, and that this is its own.
func (g geonames) scores(got searchAnswer, due func(k, i int) float64, own func(i int) float64) error {
	if len(got.Hits.Hits) != min(10, g.cities.Len()) {
		return fmt.Errorf("%d hits", len(got.Hits.Hits))
	}
	const near = 1e-4 // locations are kept in 32 bits a coordinate
	for k, h := range got.Hits.Hits {
		i, err := g.place(h.ID)
		if err != nil {
			return err
		}
		if want := due(k, i); h.Score == nil || math.Abs(*h.Score-want) > near*want || math.Abs(own(i)-want) > near*want {
			return fmt.Errorf("hit %d is %s with %v; its own score is %v, due was %v", k, h.ID, h.Score, own(i), want)
		}
	}
	return nil
}

// phraseIn tells whether b follows a in the words of a name, as the standard analyzer cuts
// them where a name is written in Latin letters.
func phraseIn(name, a, b string) bool {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '’' && r != '_'
	})
	for k := range len(words) - 1 {
		if words[k] == a && words[k+1] == b {
			return true
		}
	}
	return false
}
