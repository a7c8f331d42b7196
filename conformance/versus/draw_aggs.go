package versus

import (
	"fmt"
	"strings"
)

// aggregations draws some, with others below those that have buckets.
func (r *drawing) aggregations(depth int) string {
	if depth > 0 && r.IntN(6) == 0 {
		return r.pipelines()
	}
	var list []string
	for i := range 1 + r.IntN(2) {
		list = append(list, fmt.Sprintf(`"a%d":%s`, i, r.aggregation(depth)))
	}
	return "{" + strings.Join(list, ",") + "}"
}

func (r *drawing) aggregation(depth int) string {
	if depth == 2 && r.IntN(20) == 0 {
		return fmt.Sprintf(`{"%s":{},"aggs":%s}`, r.kind("global"), r.aggregations(depth-1))
	}
	if depth == 0 || r.IntN(3) == 0 {
		return "{" + r.metric() + "}"
	}
	body, subs := r.buckets()
	if subs == noSubs || subs == anySubs && r.IntN(2) == 0 {
		return "{" + body + "}"
	}
	return fmt.Sprintf(`{%s,"aggs":%s}`, body, r.aggregations(depth-1))
}

func (r *drawing) metric() string {
	return r.one(func() string {
		kind := r.kind(r.pick("avg", "sum", "min", "max", "stats", "extended_stats", "percentiles", "median_absolute_deviation"))
		return fmt.Sprintf(`%q:{"field":%q%s}`, kind, r.plain(), r.pick("", "", `,"missing":2`))
	}, func() string {
		return fmt.Sprintf(`"%s":{"field":%q}`, r.kind("min"), r.pick("n", "d", "b"))
	}, func() string {
		kind := r.kind(r.pick("cardinality", "value_count"))
		return fmt.Sprintf(`%q:{"field":%q}`, kind, r.pick("k", "w", "n", "i", "g", "d", "b", "ip", "p", "o.y"))
	}, func() string {
		return fmt.Sprintf(`"%s":{"field":%q,"values":[0,1.5,3]}`, r.kind("percentile_ranks"), r.plain())
	}, func() string {
		return `"` + r.kind("geo_bounds") + `":{"field":"p"}`
	}, func() string {
		return `"` + r.kind("geo_centroid") + `":{"field":"p"}`
	}, func() string {
		return fmt.Sprintf(`"%s":{"size":%d,"sort":%s,"_source":["k"]}`, r.kind("top_hits"), 1+r.IntN(3), r.sort())
	})
}

func (r *drawing) termsMore(f string) string {
	more := r.pick("", "", `,"order":{"_key":"desc"}`, `,"order":{"_key":"asc"}`, `,"order":{"_count":"asc"}`, `,"min_doc_count":2`, `,"min_doc_count":0`, `,"show_term_doc_count_error":true`)
	if (f == "k" || f == "w") && r.IntN(3) == 0 {
		more += r.pick(`,"missing":"zz"`, `,"include":".*[a13]"`, `,"exclude":["a","w3"]`, `,"include":{"partition":1,"num_partitions":3}`)
	}
	if f == "i" && r.IntN(4) == 0 {
		more += r.pick(`,"missing":-1`, `,"include":[1,2]`, `,"exclude":[0]`)
	}
	return more
}

// below is whether an aggregation has others below it.
type below int

const (
	anySubs below = iota
	needsSubs
	noSubs
)

// buckets draws an aggregation with buckets.
func (r *drawing) buckets() (body string, subs below) {
	kind := r.kind(r.pick("terms", "terms", "terms", "histogram", "date_histogram", "range", "date_range", "filters", "filter", "missing", "nested",
		"composite", "rare_terms", "significant_terms", "geo_distance", "geohash_grid", "geotile_grid", "ip_range", "ip_prefix", "sampler", "diversified_sampler",
		"random_sampler", "variable_width_histogram", "significant_text"))
	switch kind {
	case "terms":
		f := r.pick("k", "w", "n", "i", "g", "f", "d", "b", "ip", "o.y", "_index")
		body = fmt.Sprintf(`{"field":%q,"size":%d%s}`, f, 1+r.IntN(12), r.termsMore(f))
	case "rare_terms":
		body = fmt.Sprintf(`{"field":%q,"max_doc_count":%d}`, r.pick("k", "w", "i", "d", "b", "ip"), 1+r.IntN(4))
	case "significant_terms":
		body = fmt.Sprintf(`{"field":%q,"min_doc_count":%d,"size":50%s}`, r.pick("k", "w", "i", "ip"), 1+r.IntN(3),
			r.pick("", `,"percentage":{}`, `,"chi_square":{}`, `,"mutual_information":{"include_negatives":true}`, `,"gnd":{}`, `,"background_filter":{"match_all":{}}`))
	case "significant_text":
		return fmt.Sprintf(`"significant_text":{"field":"t","min_doc_count":%d,"size":50}`, 1+r.IntN(3)), noSubs
	case "histogram":
		body = fmt.Sprintf(`{"field":%q,"interval":%s%s}`, r.plain(), r.pick("1", "0.5", "2", "3"),
			r.pick("", `,"min_doc_count":1`, `,"offset":0.25`, `,"keyed":true`, `,"extended_bounds":{"min":-2,"max":4}`, `,"hard_bounds":{"min":0,"max":3}`, `,"order":{"_count":"desc"}`, `,"missing":1`))
	case "date_histogram":
		body = fmt.Sprintf(`{"field":"d",%s%s}`, r.pick(`"calendar_interval":"month"`, `"calendar_interval":"quarter"`, `"calendar_interval":"year"`, `"fixed_interval":"30d"`, `"calendar_interval":"week"`),
			r.pick("", `,"min_doc_count":1`, `,"time_zone":"Europe/Berlin"`, `,"time_zone":"-05:00"`, `,"offset":"+6h"`, `,"format":"yyyy-MM"`, `,"keyed":true`, `,"order":{"_key":"desc"}`))
	case "range":
		f := r.plain()
		body = fmt.Sprintf(`{"field":%q,"ranges":[{"to":1},{"from":0,"to":2.5,"key":"mid"},{"from":%s}]%s}`, f, r.value(f), r.pick("", `,"keyed":true`))
	case "date_range":
		body = fmt.Sprintf(`{"field":"d","ranges":[{"to":%s},{"from":"2021-06","to":"2022-01||/M"},{"from":%s}]%s}`, r.value("d"), r.value("d"),
			r.pick("", `,"format":"yyyy-MM-dd||strict_date_optional_time"`, `,"missing":"2021-07-01"`, `,"keyed":true`))
	case "filters":
		body = fmt.Sprintf(`{"other_bucket":%v,"filters":{"x":%s,"y":%s}}`, r.IntN(2) == 0, r.query(0), r.query(0))
	case "filter":
		body = r.query(1)
	case "missing":
		body = fmt.Sprintf(`{"field":%q}`, r.pick("n", "k", "b", "o.x", "p"))
	case "nested":
		return `"nested":{"path":"c"},"aggs":{"k":{"terms":{"field":"c.k"},"aggs":{"m":{"max":{"field":"c.n"}},"r":{"reverse_nested":{},"aggs":{"w":{"terms":{"field":"w","size":2}}}}}}},"meta":{"x":1}`, noSubs
	case "composite":
		return `"composite":` + r.composite(), noSubs
	case "geo_distance":
		body = fmt.Sprintf(`{"field":"p","origin":%s,"unit":"km","ranges":[{"to":2000},{"from":2000,"to":9000},{"from":9000}]%s}`, r.value("p"), r.pick("", `,"distance_type":"plane"`, `,"keyed":true`))
	case "geohash_grid":
		body = fmt.Sprintf(`{"field":"p","precision":%d,"size":%d}`, 1+r.IntN(5), 1+r.IntN(20))
	case "geotile_grid":
		body = fmt.Sprintf(`{"field":"p","precision":%d}`, r.IntN(9))
	case "ip_range":
		body = fmt.Sprintf(`{"field":"ip","ranges":[{"to":"10.0.0.2"},{"mask":"10.0.0.0/%d"},{"from":"::2"}]}`, 8+r.IntN(25))
	case "ip_prefix":
		body = fmt.Sprintf(`{"field":"ip","prefix_length":%d%s}`, r.IntN(33), r.pick("", `,"is_ipv6":true`, `,"append_prefix_length":true`, `,"min_doc_count":2`))
	case "sampler":
		return fmt.Sprintf(`"sampler":{"shard_size":%d}`, 1+r.IntN(60)), needsSubs
	case "diversified_sampler":
		return fmt.Sprintf(`"diversified_sampler":{"field":%q,"shard_size":%d,"max_docs_per_value":%d}`, r.pick("k", "b", "o.x"), 1+r.IntN(60), 1+r.IntN(3)), needsSubs
	case "random_sampler":
		return `"random_sampler":{"probability":1,"seed":4}`, needsSubs
	case "variable_width_histogram":
		return fmt.Sprintf(`"variable_width_histogram":{"field":%q,"buckets":%d}`, r.plain(), 1+r.IntN(6)), noSubs
	default:
		body = "{}"
	}
	if kind == "rare_terms" { // with others below it gives them documents of other buckets there
		subs = noSubs
	}
	return fmt.Sprintf(`%q:%s`, kind, body), subs
}

// pipelines draws buckets with a metric in each, an order by it, and pipelines over both.
func (r *drawing) pipelines() string {
	metric := r.pick("avg", "sum", "min", "max", "value_count", "cardinality")
	path, inner := "m", fmt.Sprintf(`"m":{%q:{"field":%q}}`, metric, r.plain())
	if r.IntN(4) == 0 {
		path, inner = r.pick("m.avg", "m.sum", "m.max", "m.std_deviation"), fmt.Sprintf(`"m":{"extended_stats":{"field":%q}}`, r.plain())
	}
	if r.IntN(4) == 0 {
		path, inner = "f>"+path, fmt.Sprintf(`"f":{"filter":%s,"aggs":{%s}}`, r.query(0), inner)
	}
	body, histogram := "", r.IntN(2) == 0
	if histogram {
		body = r.pick(`"histogram":{"field":"i","interval":2`, `"date_histogram":{"field":"d","calendar_interval":"month"`, `"histogram":{"field":"f","interval":100`) + r.pick("", "", `,"keyed":true`) + "}"
	} else {
		body = fmt.Sprintf(`"terms":{"field":%q,"size":%d,"order":%s}`, r.pick("k", "w", "i", "b"), 1+r.IntN(12),
			r.pick(fmt.Sprintf(`{%q:"desc"}`, path), fmt.Sprintf(`{%q:"asc"}`, path), fmt.Sprintf(`[{"_count":"asc"},{%q:"desc"}]`, path), `{"_key":"asc"}`))
	}
	if histogram {
		for i := range r.IntN(3) {
			inner += fmt.Sprintf(`,"p%d":%s`, i, r.pick(
				fmt.Sprintf(`{"%s":{"buckets_path":%q}}`, r.kind("cumulative_sum"), path),
				fmt.Sprintf(`{"%s":{"buckets_path":"_count","format":"0.0"}}`, r.kind("cumulative_sum")),
				fmt.Sprintf(`{"%s":{"buckets_path":%q,"lag":%d}}`, r.kind("serial_diff"), path, 1+r.IntN(3))))
		}
	}
	list := []string{fmt.Sprintf(`"h":{%s,"aggs":{%s}}`, body, inner)}
	for i := range 1 + r.IntN(2) {
		kind := r.kind(r.pick("avg_bucket", "sum_bucket", "min_bucket", "max_bucket", "stats_bucket", "extended_stats_bucket", "percentiles_bucket"))
		list = append(list, fmt.Sprintf(`"s%d":{%q:{"buckets_path":%q%s}}`, i, kind, r.pick("h>"+path, "h>"+path, "h>_count"),
			r.pick("", "", `,"gap_policy":"insert_zeros"`, `,"gap_policy":"keep_values"`, `,"format":"#,##0.00"`)))
	}
	return "{" + strings.Join(list, ",") + "}"
}

func (r *drawing) composite() string {
	var sources []string
	for i := range 1 + r.IntN(2) {
		order := r.pick("", `,"order":"desc"`, `,"missing_bucket":true`)
		sources = append(sources, fmt.Sprintf(`{"s%d":%s}`, i, r.one(func() string {
			return fmt.Sprintf(`{"terms":{"field":%q%s}}`, r.pick("k", "w", "i", "b", "ip", "g", "d"), order)
		}, func() string {
			return fmt.Sprintf(`{"histogram":{"field":%q,"interval":2%s}}`, r.plain(), order)
		}, func() string {
			return fmt.Sprintf(`{"date_histogram":{"field":"d","calendar_interval":"month"%s}}`, order)
		})))
	}
	return fmt.Sprintf(`{"size":%d,"sources":[%s]}`, 1+r.IntN(15), strings.Join(sources, ","))
}
