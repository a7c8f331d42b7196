package aggs

import (
	"cmp"
	"math"
	"slices"
	"strings"

	gen "postern/generated/aggs"
	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// order is how buckets are sorted: by these keys, and at last by ascending key.
type order []orderKey

type orderKey struct {
	by   orderBy
	path []int  // of sub-aggregations, for bySub
	part string // a figure of a metric of several
	desc bool
}

type orderBy uint8

const (
	byKey orderBy = iota
	byCount
	bySub
)

func parseOrder(list []jsonx.Pair[gen.SortOrder], subs []*node, fallback order) (order, error) {
	if len(list) == 0 {
		return fallback, nil
	}
	var o order
	for _, p := range list {
		k := orderKey{desc: p.Value == gen.SortOrderDesc}
		switch p.Key {
		case "_key":
			k.by = byKey
		case "_count":
			k.by = byCount
		default:
			k.by = bySub
			if err := k.resolve(p.Key, subs); err != nil {
				return nil, err
			}
		}
		o = append(o, k)
	}
	return o, nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func invalidPath(path, why string, a ...any) error {
	return invalidPathFor(path, eserr.IllegalArgument(why, a...))
}

// numberPath is the error of a percentile that is no number.
func numberPath(path, part string) error {
	return invalidPathFor(path, eserr.NumberFormat("For input string: \""+part+"\""))
}

func isPercentiles(n *node) bool { _, ok := n.agg.(*percentiles); return ok }

func invalidPathFor(path string, cause *eserr.Error) error {
	e := eserr.IllegalArgument("Invalid aggregation order path [%s]. %s", path, cause.Reason)
	e.Type = "invalid_path"
	return e.Cause(cause)
}

// notSingle is the reason against a path through or to buckets.
const notSingle = "Buckets can only be sorted on a sub-aggregator path that is built out of zero or more single-bucket aggregations within the path and a final single-bucket or a metrics aggregation at the path end."

// resolve finds the metric that a path such as a>b.max names.
func (k *orderKey) resolve(path string, subs []*node) error {
	names := strings.Split(path, ">")
	for i, name := range names {
		last := i == len(names)-1
		var part string
		if last {
			if at := find(subs, name); at < 0 {
				if n, p, ok := strings.Cut(name, "["); ok {
					name, part = n, strings.TrimSuffix(p, "]")
				} else if j := strings.LastIndexByte(name, '.'); j >= 0 {
					name, part = name[:j], name[j+1:]
				}
			}
		}
		at := find(subs, name)
		if at < 0 {
			return invalidPath(path, "The provided aggregation [%s] either does not exist, or is a pipeline aggregation and cannot be used to sort the buckets.", name)
		}
		n := subs[at]
		k.path = append(k.path, at)
		switch r := n.agg.empty(n).(type) {
		case holder:
			if part == "_count" {
				return invalidPath(path, notSingle)
			}
			if part != "" && part != "doc_count" {
				return invalidPath(path, "Ordering on a single-bucket aggregation can only be done on its doc_count. Either drop the key (a la \"%s\") or change it to \"doc_count\" (a la \"%s.doc_count\")", name, name)
			}
			k.part = "doc_count"
			subs = n.subs
		case figured:
			if part == "" {
				return invalidPath(path, "When ordering on a multi-value metrics aggregation a metric name must be specified.")
			}
			if _, err := parseDouble(part); isPercentiles(n) && err != nil {
				return numberPath(path, part)
			}
			if _, ok := r.figure(part); !ok {
				return invalidPath(path, "Unknown metric name [%s] on multi-value metrics aggregation [%s]", part, name)
			}
			k.part = part
		case single:
			if part != "" && part != "value" {
				return invalidPath(path, "Ordering on a single-value metrics aggregation can only be done on its value. Either drop the key (a la \"%s\") or change it to \"value\" (a la \"%s.value\")", name, name)
			}
			k.part = "value"
		default:
			if !last {
				return invalidPath(path, notSingle+" [%s] is not single-bucket.", name)
			}
			return invalidPath(path, notSingle)
		}
		if _, bucket := n.agg.empty(n).(holder); !bucket && !last {
			return invalidPath(path, notSingle+" [%s] is not single-bucket.", name)
		}
	}
	return nil
}

func (k *orderKey) number(b *bucket) float64 {
	for i, at := range k.path {
		switch r := b.subs[at].(type) {
		case holder:
			if b = r.holds(); i == len(k.path)-1 {
				return float64(b.count)
			}
		case figured:
			v, _ := r.figure(k.part)
			return v
		case single:
			return r.number()
		}
	}
	return math.NaN()
}

// compare orders two buckets; keys is the order of their keys.
func (o order) compare(a, b *bucket, keys int) int {
	for i := range o {
		k := &o[i]
		c := 0
		switch k.by {
		case byKey:
			c = keys
		case byCount:
			c = cmp.Compare(a.count, b.count)
		case bySub:
			// What has no value counts as the greatest.
			x, y := k.number(a), k.number(b)
			if nx, ny := math.IsNaN(x), math.IsNaN(y); nx || ny {
				c = cmp.Compare(btoi(nx), btoi(ny))
			} else {
				c = cmp.Compare(sortable(x), sortable(y)) // -0.0 before 0.0
			}
		}
		if k.desc {
			c = -c
		}
		if c != 0 {
			return c
		}
	}
	return keys
}

// keyed is a bucket with its key.
type keyed[K cmp.Ordered] struct {
	key K
	*bucket
}

// sorted lists the buckets with at least a count, in order.
func sorted[K cmp.Ordered](m map[K]*bucket, o order, minCount int64) []keyed[K] {
	list := make([]keyed[K], 0, len(m))
	for k, b := range m {
		if b.count >= minCount {
			list = append(list, keyed[K]{k, b})
		}
	}
	slices.SortFunc(list, func(a, b keyed[K]) int { return o.compare(a.bucket, b.bucket, cmp.Compare(a.key, b.key)) })
	return list
}

// best lists the first n buckets of sorted, and counts the documents of all others.
func best[K cmp.Ordered](m map[K]*bucket, o order, minCount int64, n int) (list []keyed[K], rest int64) {
	compare := func(a, b keyed[K]) int { return o.compare(a.bucket, b.bucket, cmp.Compare(a.key, b.key)) }
	if n > len(m)/4 {
		list = sorted(m, o, minCount)
		for _, b := range list[min(n, len(list)):] {
			rest += b.count
		}
		return list[:min(n, len(list))], rest
	}
	// A heap with the last of the best so far on top.
	for k, b := range m {
		if b.count < minCount {
			continue
		}
		x := keyed[K]{k, b}
		if len(list) < n {
			list = append(list, x)
			up(list, compare)
			continue
		}
		if compare(x, list[0]) < 0 {
			list[0], x = x, list[0]
			down(list, compare)
		}
		rest += x.count
	}
	slices.SortFunc(list, compare)
	return list, rest
}

func up[T any](h []T, compare func(a, b T) int) {
	for i := len(h) - 1; i > 0; {
		parent := (i - 1) / 2
		if compare(h[i], h[parent]) <= 0 {
			return
		}
		h[i], h[parent] = h[parent], h[i]
		i = parent
	}
}

func down[T any](h []T, compare func(a, b T) int) {
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(h) {
			return
		}
		if child+1 < len(h) && compare(h[child+1], h[child]) > 0 {
			child++
		}
		if compare(h[child], h[i]) <= 0 {
			return
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
}

// mergeMaps adds the buckets of another map.
func mergeMaps[K comparable](into, from map[K]*bucket, subs []*node) {
	for k, b := range from {
		mine := into[k]
		if mine == nil {
			mine = newBucket(subs)
			into[k] = mine
		}
		mine.merge(b)
	}
}
