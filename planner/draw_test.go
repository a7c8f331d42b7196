package planner

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
)

// drawing draws documents and searches that are hard on pushed operators: ties, missing
// and several values, numbers that float64 does not tell apart, both zeros.
type drawing struct {
	*rand.Rand
	kinds map[string]int // what was drawn, by kind
}

const drawnMapping = `{"properties":{
 "k":{"type":"keyword"},"w":{"type":"keyword"},"n":{"type":"long"},"i":{"type":"integer"},"d":{"type":"date"},"dn":{"type":"date_nanos"},
 "f":{"type":"float"},"g":{"type":"double"},"b":{"type":"boolean"},"ip":{"type":"ip"},"t":{"type":"text"},"p":{"type":"geo_point"},
 "c":{"type":"nested","properties":{"k":{"type":"keyword"},"n":{"type":"long"}}}}}`

func (r *drawing) pick(list ...string) string { return list[r.IntN(len(list))] }

func (r *drawing) kind(name string) string {
	r.kinds[name]++
	return name
}

// value draws a value of a field as JSON.
func (r *drawing) value(field string) string {
	switch field {
	case "k":
		return strconv.Quote(r.pick("a", "b", "c", "d", "ä", ""))
	case "w":
		return strconv.Quote("w" + strconv.Itoa(r.IntN(40)))
	case "n":
		if r.IntN(2) == 0 {
			return strconv.Itoa(r.IntN(6))
		}
		return strconv.FormatInt([]int64{1 << 53, -1 << 53, math.MaxInt64 - 2, math.MinInt64 + 2}[r.IntN(4)]+int64(r.IntN(5))-2, 10)
	case "i":
		return strconv.Itoa(r.IntN(8) - 3)
	case "d":
		return strconv.Quote(fmt.Sprintf("2024-01-0%dT00:00:00.00%dZ", 1+r.IntN(4), r.IntN(3)))
	case "dn":
		return strconv.Quote(fmt.Sprintf("2024-01-01T00:00:00.000000%03dZ", r.IntN(20)))
	case "f", "g":
		return r.pick("0", "-0.0", "1.5", "-1.5", "0.1", "3", "1e30", "0.25")
	case "b":
		return r.pick("true", "false")
	case "ip":
		return strconv.Quote(r.pick("10.0.0.1", "10.0.0.2", "10.1.0.1", "::1"))
	case "p":
		return fmt.Sprintf(`{"lat":%d,"lon":%d}`, r.IntN(170)-85, r.IntN(360)-180)
	}
	words := make([]string, 1+r.IntN(5))
	for i := range words {
		words[i] = r.pick("red", "green", "blue", "dog", "fox")
	}
	return strconv.Quote(strings.Join(words, " "))
}

// document draws a source. most is how many values a field has at most.
func (r *drawing) document(most int) string {
	var members []string
	for _, f := range []string{"k", "w", "n", "i", "d", "dn", "f", "g", "b", "ip", "t", "p"} {
		var values []string
		for range min(r.IntN(5), 1+r.IntN(most)) {
			values = append(values, r.value(f))
		}
		switch len(values) {
		case 0:
		case 1:
			members = append(members, fmt.Sprintf("%q:%s", f, values[0]))
		default:
			members = append(members, fmt.Sprintf("%q:[%s]", f, strings.Join(values, ",")))
		}
	}
	if r.IntN(3) == 0 {
		members = append(members, fmt.Sprintf(`"c":[{"k":%s,"n":%d},{"k":%s}]`, r.value("k"), r.IntN(4), r.value("k")))
	}
	return "{" + strings.Join(members, ",") + "}"
}

func (r *drawing) number() string { return r.pick("n", "i", "d", "dn", "f", "g", "n", "i", "b") }

// query draws a clause.
func (r *drawing) query(depth int) string {
	kinds := 12
	if depth == 0 {
		kinds = 10
	}
	switch r.IntN(kinds) {
	case 0:
		r.kind("match_all")
		return `{"match_all":{}}`
	case 1, 2:
		f := r.pick("k", "w", "n", "i", "b", "ip", "g", "t", "d")
		r.kind("term")
		return fmt.Sprintf(`{"term":{%q:%s}}`, f, r.value(f))
	case 3:
		f := r.pick("k", "n", "g", "ip")
		r.kind("terms")
		return fmt.Sprintf(`{"terms":{%q:[%s,%s,%s]}}`, f, r.value(f), r.value(f), r.value(f))
	case 4, 5:
		f := r.number()
		for f == "b" {
			f = r.number()
		}
		r.kind("range")
		if r.IntN(2) == 0 {
			return fmt.Sprintf(`{"range":{%q:{%q:%s}}}`, f, r.pick("gt", "gte", "lt", "lte"), r.value(f))
		}
		return fmt.Sprintf(`{"range":{%q:{%q:%s,%q:%s}}}`, f, r.pick("gt", "gte"), r.value(f), r.pick("lt", "lte"), r.value(f))
	case 6:
		r.kind("exists")
		return fmt.Sprintf(`{"exists":{"field":%q}}`, r.pick("k", "n", "t", "d", "c.k"))
	case 7:
		r.kind("ids")
		return fmt.Sprintf(`{"ids":{"values":["%d","%d","none"]}}`, r.IntN(40), r.IntN(40))
	case 8:
		r.kind("wildcard")
		return fmt.Sprintf(`{"wildcard":{"w":%q}}`, r.pick("w1*", "*3", "w?"))
	case 9:
		r.kind("match")
		return fmt.Sprintf(`{%q:{"t":%s}}`, r.pick("match", "match_phrase"), r.value("t"))
	case 10:
		r.kind("nested")
		return fmt.Sprintf(`{"nested":{"path":"c","query":{"bool":{"filter":[{"term":{"c.k":%s}}],%q:[{"range":{"c.n":{"gte":%d}}}]}}}}`,
			r.value("k"), r.pick("must_not", "filter"), r.IntN(3))
	}
	r.kind("bool")
	var groups []string
	for _, name := range []string{"filter", "must", "should", "must_not"} {
		var list []string
		for range r.IntN(3) {
			list = append(list, r.query(depth-1))
		}
		if len(list) > 0 && r.IntN(2) == 0 {
			groups = append(groups, fmt.Sprintf("%q:[%s]", name, strings.Join(list, ",")))
		}
	}
	return `{"bool":{` + strings.Join(groups, ",") + `}}`
}

// sort draws one to three keys.
func (r *drawing) sort() string {
	var keys []string
	for range 1 + r.IntN(3) {
		f := r.number()
		if r.IntN(8) == 0 {
			f = r.pick("k", "_seq_no", "_score")
		}
		r.kind("sort " + f)
		order := r.pick("asc", "desc")
		missing := ""
		if !strings.HasPrefix(f, "_") {
			switch r.IntN(4) {
			case 0:
				missing = fmt.Sprintf(`,"missing":%q`, r.pick("_first", "_last"))
			case 1:
				if f == "n" || f == "i" || f == "g" {
					missing = `,"missing":` + r.value(f)
				}
			}
		}
		keys = append(keys, fmt.Sprintf(`{%q:{"order":%q%s}}`, f, order, missing))
	}
	return "[" + strings.Join(keys, ",") + "]"
}

// aggregation draws one.
func (r *drawing) aggregation() string {
	switch r.IntN(11) {
	case 9, 10:
		return r.rarer()
	case 0, 1, 2:
		f := r.pick("k", "w", "ip", "b", "i", "n", "k", "d")
		r.kind("terms of " + f)
		more := ""
		switch r.IntN(6) {
		case 0:
			more = `,"order":{"_key":"desc"}`
		case 1:
			if f == "k" || f == "w" {
				more = fmt.Sprintf(`,"missing":%s`, r.value(f))
			}
		case 2:
			more = `,"min_doc_count":2`
		case 3:
			more = `,"min_doc_count":0`
		case 4:
			if f == "k" || f == "w" {
				more = `,"include":".*[a13]"`
			}
		}
		return fmt.Sprintf(`{"terms":{"field":%q,"size":%d%s}}`, f, 1+r.IntN(12), more)
	case 3:
		r.kind("filters")
		return fmt.Sprintf(`{"filters":{"other_bucket":%v,"filters":{"x":%s,"y":%s}}}`, r.IntN(2) == 0, r.query(0), r.query(0))
	case 4:
		r.kind("filter")
		return fmt.Sprintf(`{"filter":%s}`, r.query(1))
	case 5:
		f := r.pick("n", "i", "g", "f")
		r.kind("range of " + f)
		return fmt.Sprintf(`{"range":{"field":%q,"ranges":[{"to":1},{"from":0,"to":2.5},{"from":%s}]}}`, f, r.value(f))
	case 6:
		r.kind("date_range")
		return fmt.Sprintf(`{"date_range":{"field":%q,"ranges":[{"to":%s},{"from":%s}]}}`, r.pick("d", "dn"), r.value("d"), r.value("d"))
	case 7:
		r.kind("missing")
		return fmt.Sprintf(`{"missing":{"field":%q}}`, r.pick("n", "k", "b"))
	}
	r.kind("metric")
	return fmt.Sprintf(`{%q:{"field":%q}}`, r.pick("avg", "max", "sum", "cardinality", "value_count"), r.pick("n", "g", "i"))
}

// rarer draws one of the aggregations that no store computes: they run on scans.
func (r *drawing) rarer() string {
	list := []string{
		`{"multi_terms":{"terms":[{"field":"k"},{"field":"i","missing":0}],"size":20}}`,
		`{"significant_terms":{"field":"w","min_doc_count":1},"aggs":{"x":{"max":{"field":"i"}}}}`,
		`{"significant_text":{"field":"t","min_doc_count":1,"chi_square":{}}}`,
		`{"sampler":{"shard_size":7},"aggs":{"x":{"terms":{"field":"k"}}}}`,
		`{"diversified_sampler":{"field":"b","shard_size":9},"aggs":{"x":{"sampler":{"shard_size":2},"aggs":{"y":{"sum":{"field":"i"}}}}}}`,
		`{"random_sampler":{"probability":0.3,"seed":5},"aggs":{"x":{"terms":{"field":"w"}}}}`,
		`{"geohash_grid":{"field":"p","precision":2},"aggs":{"c":{"geo_centroid":{"field":"p"}}}}`,
		`{"geotile_grid":{"field":"p","precision":3},"aggs":{"b":{"geo_bounds":{"field":"p"}}}}`,
		`{"geo_distance":{"field":"p","origin":"10,10","unit":"km","ranges":[{"to":3000},{"from":3000}]}}`,
		`{"ip_range":{"field":"ip","ranges":[{"mask":"10.0.0.0/16"},{"from":"10.0.0.2"}]}}`,
		`{"ip_prefix":{"field":"ip","prefix_length":16}}`,
		`{"adjacency_matrix":{"filters":{"x":{"term":{"k":"a"}},"y":{"range":{"i":{"gte":1}}}}}}`,
		`{"auto_date_histogram":{"field":"d","buckets":5},"aggs":{"x":{"value_count":{"field":"k"}}}}`,
		`{"variable_width_histogram":{"field":"g","buckets":3}}`,
		`{"date_histogram":{"field":"d","calendar_interval":"day"},"aggs":{"r":{"rate":{"unit":"hour"}},"p":{"percentiles":{"field":"i"}},"m":{"moving_percentiles":{"buckets_path":"p","window":2}}}}`,
		`{"top_metrics":{"metrics":[{"field":"k"},{"field":"g"}],"sort":{"d":"desc"},"size":3}}`,
		`{"string_stats":{"field":"w","show_distribution":true}}`,
		`{"boxplot":{"field":"i"}}`,
		`{"matrix_stats":{"fields":["i","g"]}}`,
		`{"t_test":{"a":{"field":"i"},"b":{"field":"g"}}}`,
		`{"geo_line":{"point":{"field":"p"},"sort":{"field":"i"},"size":5}}`,
	}
	i := r.IntN(len(list))
	name, _, _ := strings.Cut(strings.TrimPrefix(list[i], `{"`), `"`)
	r.kind(name)
	return list[i]
}

// search draws a body; hits are its size, and more decides what else it asks.
func (r *drawing) search() (members []string) {
	add := func(format string, a ...any) { members = append(members, fmt.Sprintf(format, a...)) }
	if r.IntN(6) > 0 {
		add(`"query":%s`, r.query(2))
	}
	if r.IntN(6) == 0 {
		r.kind("post_filter")
		add(`"post_filter":%s`, r.query(1))
	}
	if r.IntN(5) > 0 {
		add(`"sort":%s`, r.sort())
	}
	switch r.IntN(4) {
	case 0:
		add(`"track_total_hits":false`)
	case 1:
		add(`"track_total_hits":%d`, 1+r.IntN(50))
	case 2:
		add(`"track_total_hits":true`)
	}
	if r.IntN(3) == 0 {
		var list []string
		for i := range 1 + r.IntN(3) {
			list = append(list, fmt.Sprintf(`"a%d":%s`, i, r.aggregation()))
		}
		add(`"aggs":{%s}`, strings.Join(list, ","))
	}
	if r.IntN(8) == 0 {
		r.kind("fields")
		add(`"docvalue_fields":["n","k"],"fields":["d","c.*"],"version":true,"seq_no_primary_term":true`)
	}
	return members
}
