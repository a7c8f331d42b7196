package versus

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// drawing draws mappings, documents and requests that are hard on an engine: ties,
// missing and several values, numbers that float64 does not tell apart, both zeros.
type drawing struct {
	*rand.Rand
	kinds map[string]int
}

func (r *drawing) pick(list ...string) string { return list[r.IntN(len(list))] }

func (r *drawing) kind(name string) string {
	r.kinds[name]++
	return name
}

// one draws an alternative.
func (r *drawing) one(list ...func() string) string { return list[r.IntN(len(list))]() }

// The fields of every world; their parameters are drawn.
func (r *drawing) mapping() string {
	whole := func() string { return r.pick("long", "integer", "long", "short") }
	real := func() string { return r.pick("double", "float", "double", "half_float") }
	null := func(value string) string {
		if r.IntN(5) == 0 {
			return `,"null_value":` + value
		}
		return ""
	}
	fields := []string{
		`"k":{"type":"keyword"` + null(`"none"`) + `}`, `"w":{"type":"keyword"}`, `"n":{"type":"long"` + null("3") + `}`,
		`"i":{"type":"` + whole() + `"}`, `"f":{"type":"` + real() + `"}`, `"g":{"type":"double"}`, `"d":{"type":"date"}`,
		`"b":{"type":"boolean"` + null("true") + `}`, `"ip":{"type":"ip"}`, `"p":{"type":"geo_point"}`,
		`"t":{"type":"text","fields":{"raw":{"type":"keyword"}}}`,
		`"c":{"type":"nested","properties":{"k":{"type":"keyword"},"n":{"type":"long"}}}`,
		`"o":{"properties":{"x":{"type":"integer"},"y":{"type":"keyword"}}}`,
	}
	return `{"settings":{"number_of_shards":1,"number_of_replicas":0},"mappings":{"properties":{` + strings.Join(fields, ",") + `}}}`
}

func (r *drawing) world() World {
	w := World{Mapping: r.mapping()}
	most := 1 + r.IntN(3)
	for range r.IntN(120) {
		w.Documents = append(w.Documents, r.document(most))
	}
	return w
}

// value draws a value of a field as JSON.
func (r *drawing) value(field string) string {
	switch field {
	case "k", "c.k", "o.y", "t.raw":
		return strconv.Quote(r.pick("a", "b", "c", "d", "ä", "", "ab", "B"))
	case "w":
		return strconv.Quote("w" + strconv.Itoa(r.IntN(40)))
	case "n":
		if r.IntN(3) > 0 {
			return strconv.Itoa(r.IntN(8))
		}
		return strconv.FormatInt([]int64{1 << 53, -1 << 53, math.MaxInt64 - 2, math.MinInt64 + 2}[r.IntN(4)]+int64(r.IntN(5))-2, 10)
	case "i", "c.n", "o.x":
		return strconv.Itoa(r.IntN(9) - 3)
	case "d":
		return strconv.Quote(fmt.Sprintf("20%02d-%02d-%02dT%02d:00:00.00%dZ", 20+r.IntN(3), 1+r.IntN(12), 1+r.IntN(28), r.IntN(24), r.IntN(3)))
	case "f", "g":
		return r.pick("0", "-0.0", "1.5", "-1.5", "0.1", "3", "1e4", "0.25", "7.75", "-3")
	case "b":
		return r.pick("true", "false")
	case "ip":
		return strconv.Quote(r.pick("10.0.0.1", "10.0.0.2", "10.1.0.1", "::1", "192.168.3.4", "2001:db8::7"))
	case "p":
		return fmt.Sprintf(`{"lat":%g,"lon":%g}`, float64(r.IntN(340)-170)/2, float64(r.IntN(720)-360)/2)
	}
	words := make([]string, 1+r.IntN(6))
	for i := range words {
		words[i] = r.pick("red", "green", "blue", "dog", "fox", "Fox", "the", "quick")
	}
	return strconv.Quote(strings.Join(words, " "))
}

func (r *drawing) document(most int) string {
	var members []string
	for _, f := range []string{"k", "w", "n", "i", "f", "g", "d", "b", "ip", "p", "t"} {
		var values []string
		for range min(r.IntN(5), 1+r.IntN(most)) {
			// Elasticsearch counts a document once for each time that it repeats a value.
			if v := r.value(f); !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
		switch len(values) {
		case 0:
			if r.IntN(12) == 0 && f != "p" {
				members = append(members, fmt.Sprintf("%q:null", f))
			}
		case 1:
			members = append(members, fmt.Sprintf("%q:%s", f, values[0]))
		default:
			members = append(members, fmt.Sprintf("%q:[%s]", f, strings.Join(values, ",")))
		}
	}
	if r.IntN(3) == 0 {
		members = append(members, fmt.Sprintf(`"c":[{"k":%s,"n":%d},{"k":%s}]`, r.value("k"), r.IntN(4), r.value("k")))
	}
	if r.IntN(3) == 0 {
		members = append(members, fmt.Sprintf(`"o":{"x":%s,"y":%s}`, r.value("o.x"), r.value("o.y")))
	}
	return "{" + strings.Join(members, ",") + "}"
}

// plain draws a field of numbers whose sums don't depend on how they are rounded.
func (r *drawing) plain() string { return r.pick("i", "f", "g", "o.x") }

func (r *drawing) request(w World) Request {
	var members []string
	add := func(format string, a ...any) { members = append(members, fmt.Sprintf(format, a...)) }
	if r.IntN(6) > 0 {
		add(`"query":%s`, r.query(2))
	}
	aggregated := r.IntN(3) > 0
	size := r.IntN(12)
	if aggregated && r.IntN(3) > 0 {
		size = 0
	}
	add(`"size":%d`, size)
	if r.IntN(4) == 0 {
		add(`"from":%d`, r.IntN(6))
	}
	if r.IntN(2) == 0 {
		add(`"sort":%s`, r.sort())
	}
	if r.IntN(6) == 0 {
		add(`"post_filter":%s`, r.query(1))
	}
	if r.IntN(4) == 0 {
		add(`"track_total_hits":%s`, r.pick("true", "false", "5", "1000"))
	}
	if aggregated {
		add(`"aggs":%s`, r.aggregations(2))
	}
	switch r.IntN(8) {
	case 0:
		add(`"_source":%s`, r.pick(`false`, `["k","c.*"]`, `{"excludes":["t","o"]}`))
	case 1:
		add(`"docvalue_fields":["n","k","d","ip"],"_source":false`)
	case 2:
		add(`"fields":["d","c.*","g","o.*"],"version":true,"seq_no_primary_term":true`)
	}
	return Request{"typed_keys=" + r.pick("true", "false"), "{" + strings.Join(members, ",") + "}"}
}

func (r *drawing) sort() string {
	var keys []string
	for range 1 + r.IntN(2) {
		f := r.pick("n", "i", "f", "g", "d", "b", "k", "w", "ip", "_score", "o.x")
		r.kind("sort " + f)
		if f == "_score" {
			keys = append(keys, `{"_score":{"order":"`+r.pick("asc", "desc")+`"}}`)
			continue
		}
		more := ""
		if r.IntN(3) == 0 {
			more = fmt.Sprintf(`,"missing":%q`, r.pick("_first", "_last"))
		}
		if r.IntN(4) == 0 {
			more += fmt.Sprintf(`,"mode":%q`, r.pick("min", "max"))
		}
		keys = append(keys, fmt.Sprintf(`{%q:{"order":%q%s}}`, f, r.pick("asc", "desc"), more))
	}
	return "[" + strings.Join(keys, ",") + "]"
}
