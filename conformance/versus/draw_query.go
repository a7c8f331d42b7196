package versus

import (
	"fmt"
	"strconv"
	"strings"
)

// query draws a clause.
func (r *drawing) query(depth int) string {
	leaf := []func() string{
		func() string { return `{"` + r.kind("match_all") + `":{}}` },
		func() string { return r.term("term") },
		func() string { return r.term("term") },
		r.terms, r.rangeQuery, r.rangeQuery,
		func() string {
			return fmt.Sprintf(`{"%s":{"field":%q}}`, r.kind("exists"), r.pick("k", "n", "t", "d", "c.k", "o", "p", "nope"))
		},
		func() string {
			return fmt.Sprintf(`{"%s":{"values":["%d","%d","none"]}}`, r.kind("ids"), r.IntN(60), r.IntN(60))
		},
		func() string {
			return fmt.Sprintf(`{"%s":{%q:{"value":%q}}}`, r.kind("wildcard"), r.pick("w", "k", "t"), r.pick("w1*", "*3", "w?", "*a*", "f?x"))
		},
		func() string {
			return fmt.Sprintf(`{"%s":{%q:{"value":%q}}}`, r.kind("prefix"), r.pick("w", "k", "t"), r.pick("w1", "a", "qu", ""))
		},
		func() string {
			return fmt.Sprintf(`{"%s":{%q:{"value":%q}}}`, r.kind("regexp"), r.pick("w", "t"), r.pick("w[0-3]+", "f.x", "(red|blue)", "w2?"))
		},
		func() string {
			return fmt.Sprintf(`{"%s":{"t":{"value":%q}}}`, r.kind("fuzzy"), r.pick("fix", "blu", "gren", "dog"))
		},
		r.match, r.match, r.match,
		func() string {
			return fmt.Sprintf(`{"%s":{"query":%s,"fields":["t","k"]%s}}`, r.kind("multi_match"), r.value("t"), r.pick("", `,"type":"most_fields"`, `,"tie_breaker":0.3`))
		},
		func() string {
			return fmt.Sprintf(`{"%s":{"query":%q,"default_field":%q}}`, r.kind("query_string"), r.pick("red AND fox", "quick -dog", `"red fox"`, "f*", "(red OR blue) AND dog"), r.pick("t", "k"))
		},
		func() string {
			return fmt.Sprintf(`{"%s":{"query":%q,"fields":["t"]}}`, r.kind("simple_query_string"), r.pick("red + fox", "quick -dog", `"red fox"~2`, "fo*", "red | blue"))
		},
	}
	if depth == 0 {
		return r.one(leaf...)
	}
	inner := func() string { return r.query(depth - 1) }
	return r.one(append(leaf, r.boolean(depth), r.boolean(depth), r.boolean(depth), func() string {
		return fmt.Sprintf(`{"%s":{"path":"c","score_mode":%q,"query":{"bool":{"filter":[{"term":{"c.k":%s}}],%q:[{"range":{"c.n":{"gte":%d}}}]}}}}`,
			r.kind("nested"), r.pick("avg", "max", "sum", "none"), r.value("k"), r.pick("must_not", "must", "should"), r.IntN(3))
	}, func() string {
		return fmt.Sprintf(`{"%s":{"filter":%s,"boost":%s}}`, r.kind("constant_score"), inner(), r.pick("1.5", "2"))
	}, func() string {
		return fmt.Sprintf(`{"%s":{"queries":[%s,%s],"tie_breaker":%s}}`, r.kind("dis_max"), inner(), inner(), r.pick("0", "0.5"))
	}, func() string {
		return fmt.Sprintf(`{"%s":{"positive":%s,"negative":%s,"negative_boost":0.5}}`, r.kind("boosting"), inner(), inner())
	})...)
}

func (r *drawing) term(kind string) string {
	f := r.pick("k", "w", "n", "i", "b", "ip", "g", "f", "t", "d", "o.y", "t.raw")
	r.kind(kind + " " + f)
	if r.IntN(4) == 0 {
		return fmt.Sprintf(`{%q:{%q:{"value":%s,"boost":%s}}}`, kind, f, r.value(f), r.pick("2", "0.5"))
	}
	return fmt.Sprintf(`{%q:{%q:%s}}`, kind, f, r.value(f))
}

func (r *drawing) terms() string {
	f := r.pick("k", "n", "g", "ip", "b", "w")
	r.kind("terms")
	return fmt.Sprintf(`{"terms":{%q:[%s,%s,%s]}}`, f, r.value(f), r.value(f), r.value(f))
}

func (r *drawing) rangeQuery() string {
	f := r.pick("n", "i", "f", "g", "d", "k", "ip", "o.x")
	r.kind("range " + f)
	if r.IntN(2) == 0 {
		return fmt.Sprintf(`{"range":{%q:{%q:%s}}}`, f, r.pick("gt", "gte", "lt", "lte"), r.value(f))
	}
	if f == "d" && r.IntN(2) == 0 {
		return fmt.Sprintf(`{"range":{"d":{%q:"2021-0%d||/M",%q:"2022||+%dd"}}}`, r.pick("gt", "gte"), 1+r.IntN(9), r.pick("lt", "lte"), r.IntN(200))
	}
	return fmt.Sprintf(`{"range":{%q:{%q:%s,%q:%s}}}`, f, r.pick("gt", "gte"), r.value(f), r.pick("lt", "lte"), r.value(f))
}

func (r *drawing) match() string {
	kind := r.kind(r.pick("match", "match", "match_phrase", "match_bool_prefix", "match_phrase_prefix"))
	more := ""
	if kind == "match" {
		more = r.pick("", "", `,"operator":"and"`, `,"minimum_should_match":"75%"`, `,"fuzziness":"AUTO"`, `,"boost":2`)
	}
	if kind == "match_phrase" {
		more = r.pick("", `,"slop":1`, `,"slop":3`)
	}
	return fmt.Sprintf(`{%q:{"t":{"query":%s%s}}}`, kind, r.value("t"), more)
}

func (r *drawing) boolean(depth int) func() string {
	return func() string {
		r.kind("bool")
		var groups []string
		shoulds := 0
		for _, name := range []string{"filter", "must", "should", "must_not"} {
			var list []string
			for range r.IntN(3) {
				list = append(list, r.query(depth-1))
			}
			if len(list) > 0 && r.IntN(3) > 0 {
				groups = append(groups, fmt.Sprintf("%q:[%s]", name, strings.Join(list, ",")))
				if name == "should" {
					shoulds = len(list)
				}
			}
		}
		if shoulds > 0 && r.IntN(3) == 0 {
			groups = append(groups, `"minimum_should_match":`+strconv.Itoa(r.IntN(shoulds+1)))
		}
		return `{"bool":{` + strings.Join(groups, ",") + `}}`
	}
}
