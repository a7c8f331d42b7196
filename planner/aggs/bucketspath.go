package aggs

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	gen "postern/generated/aggs"
	"postern/internal/eserr"
)

// pathElement is one step of a buckets_path such as a>b['k']>c.max.
type pathElement struct {
	name string
	key  string // of a bucket or a metric's figure, "" without
}

func parsePath(text string) ([]pathElement, error) {
	elements := strings.FieldsFunc(text, func(r rune) bool { return r == '>' })
	path := make([]pathElement, 0, len(elements))
	for i, e := range elements {
		bad := eserr.IllegalArgument("Invalid path element [%s] in path [%s]", e, text)
		if at := strings.LastIndexByte(e, '['); at >= 0 {
			if at == 0 || at > len(e)-3 || e[len(e)-1] != ']' {
				return nil, bad
			}
			path = append(path, pathElement{e[:at], e[at+1 : len(e)-1]})
			continue
		}
		at := strings.LastIndexByte(e, '.')
		if at < 0 || i < len(elements)-1 {
			path = append(path, pathElement{name: e})
			continue
		}
		if at == 0 || at > len(e)-2 {
			return nil, bad
		}
		path = append(path, pathElement{e[:at], e[at+1:]})
	}
	if len(path) == 0 {
		return nil, eserr.IllegalArgument("Invalid path element [] in path [%s]", text)
	}
	return path, nil
}

// bucketKey tells that the element names one bucket.
func (e pathElement) bucketKey() bool {
	return len(e.key) > 1 && e.key[0] == '\'' && e.key[len(e.key)-1] == '\''
}

// names are the steps one by one.
func names(path []pathElement) []string {
	var list []string
	for _, e := range path {
		if list = append(list, e.name); e.key != "" {
			list = append(list, e.key)
		}
	}
	return list
}

// scope is where a path starts: aggregations beside one another.
type scope struct {
	nodes []*node
	b     *bucket
}

func (s *scope) find(name string) (*node, appender) {
	if at := find(s.nodes, name); at >= 0 {
		return s.nodes[at], s.b.subs[at]
	}
	for _, a := range s.b.added {
		if a.pipe.name == name {
			return nil, a.result
		}
	}
	return nil, nil
}

// errNoPath says that a path leads nowhere; the bucket then counts as without a value.
var errNoPath = errors.New("no such path")

// collect reads the path of a sibling: the values of all buckets that have one.
func (p *pipe) collect(s *scope) (keys []string, vals []float64, _ error) {
	path, err := parsePath(p.paths[0])
	if err != nil {
		return nil, nil, err
	}
	steps := names(path)
	for len(steps) > 0 {
		n, r := s.find(steps[0])
		if one, ok := r.(holder); ok {
			s, steps = &scope{n.subs, one.holds()}, steps[1:]
			continue
		}
		list, ok := r.(bucketed)
		if !ok {
			return nil, nil, nil
		}
		if steps = steps[1:]; len(steps) > 0 && (pathElement{key: steps[0]}).bucketKey() {
			b := bucketNamed(list, steps[0])
			if b == nil {
				return nil, nil, nil
			}
			s, steps = &scope{n.subs, b}, steps[1:]
			continue
		}
		for i := range list.list().buckets {
			b := &list.list().buckets[i]
			v, ok, err := bucketValue(n, list, b, steps, p.gap)
			if err != nil {
				return nil, nil, err
			}
			if ok && !math.IsNaN(v) {
				keys, vals = append(keys, list.keyText(b)), append(vals, v)
			}
		}
		return keys, vals, nil
	}
	return nil, nil, nil
}

func bucketNamed(r bucketed, quoted string) *bucket {
	key := quoted[1 : len(quoted)-1]
	for i := range r.list().buckets {
		if b := &r.list().buckets[i]; r.keyText(b) == key {
			return b.bucket
		}
	}
	return nil
}

// bucketValue reads a path from one bucket; ok is false when it leads nowhere.
func bucketValue(n *node, r bucketed, b *answerBucket, steps []string, gap gen.GapPolicy) (v float64, ok bool, err error) {
	property, err := bucketProperty(n, r, b, steps)
	if errors.Is(err, errNoPath) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	switch p := property.(type) {
	case float64:
		v = p
	case single:
		v = p.number()
	default:
		return 0, false, noNumber(n, steps, property)
	}
	isCount := len(steps) == 1 && steps[0] == "_count"
	if math.IsInf(v, 0) || math.IsNaN(v) || b.count == 0 && !isCount {
		switch gap {
		case gen.GapPolicyInsertZeros:
			v = 0
		case gen.GapPolicyKeepValues:
			if math.IsInf(v, 0) || math.IsNaN(v) {
				v = math.NaN()
			}
		default:
			v = math.NaN()
		}
	}
	return v, true, nil
}

const mustReference = "buckets_path must reference either a number value or a single value numeric metric aggregation, "

// noNumber is the error of a path that ends at something else.
func noNumber(n *node, steps []string, property any) error {
	name := n.name
	if len(steps) > 0 {
		name = steps[0]
	}
	if f, ok := property.(figured); ok {
		if metrics := metricsEnum(f); metrics != "" {
			return eserr.IllegalArgument("No enum constant org.elasticsearch.search.aggregations.metrics.%s.Metrics.%s", metrics, name)
		}
		return eserr.IllegalArgument(mustReference+"but [%s] contains multiple values. Please specify which to use.", name)
	}
	return eserr.IllegalArgument(mustReference+"got: [%s] at aggregation [%s]", className(property), name)
}

// bucketProperty walks from a bucket; the property is a number, a result, a bucket, or a
// list of those.
func bucketProperty(n *node, r bucketed, b *answerBucket, steps []string) (any, error) {
	if len(steps) == 0 {
		return b.bucket, nil
	}
	switch steps[0] {
	case "_count":
		return float64(b.count), nil
	case "_key":
		switch k := r.(type) {
		case *histogramResult:
			return k.keyOf(b), nil
		default:
			return float64(b.long), nil
		}
	}
	s := &scope{n.subs, b.bucket}
	sub, found := s.find(steps[0])
	if found == nil {
		return nil, errNoPath
	}
	return property(sub, steps[0], found, steps[1:])
}

// property walks from a result.
func property(n *node, name string, r appender, steps []string) (any, error) {
	if len(steps) == 0 {
		return r, nil
	}
	switch x := r.(type) {
	case holder:
		if steps[0] == "_count" {
			return float64(x.holds().count), nil
		}
		s := &scope{n.subs, x.holds()}
		sub, found := s.find(steps[0])
		if found == nil {
			return nil, errNoPath
		}
		return property(sub, steps[0], found, steps[1:])
	case bucketed:
		return bucketsProperty(n, x, steps)
	case figured:
		if len(steps) == 1 {
			if v, ok := x.figure(steps[0]); ok {
				return v, nil
			}
			if metrics := metricsEnum(x); metrics != "" {
				return nil, eserr.IllegalArgument("No enum constant org.elasticsearch.search.aggregations.metrics.%s.Metrics.%s", metrics, steps[0])
			}
		}
	case located:
		if v, ok := x.coordinate(steps[0]); ok && len(steps) == 1 {
			return v, nil
		}
	case single:
		if slices.Equal(steps, []string{"value"}) {
			return x.number(), nil
		}
	}
	return nil, eserr.IllegalArgument("path not supported for [%s]: [%s]", name, strings.Join(steps, ", "))
}

func bucketsProperty(n *node, r bucketed, steps []string) (any, error) {
	buckets := r.list().buckets
	if steps[0] == "_bucket_count" {
		return float64(len(buckets)), nil
	}
	if (pathElement{key: steps[0]}).bucketKey() {
		key := steps[0][1 : len(steps[0])-1]
		for i := range buckets {
			if r.keyText(&buckets[i]) == key {
				return bucketProperty(n, r, &buckets[i], steps[1:])
			}
		}
		return nil, errNoPath
	}
	list := make([]any, len(buckets))
	for i := range buckets {
		p, err := bucketProperty(n, r, &buckets[i], steps)
		if err != nil {
			return nil, err
		}
		list[i] = p
	}
	return list, nil
}

// located is a metric of places: paths lead to its numbers, which buckets can't be
// ordered by.
type located interface {
	coordinate(name string) (float64, bool)
}

// metricsEnum is the Java class whose names of figures a metric has, "" for free ones.
func metricsEnum(f figured) string {
	switch f.(type) {
	case *extendedStatsResult:
		return "InternalExtendedStats"
	case *statsResult:
		return "InternalStats"
	}
	return ""
}

// className is what Elasticsearch calls a property in its complaints.
func className(property any) string {
	switch x := property.(type) {
	case *bucket:
		return "Bucket"
	case []any:
		return "Object[]"
	case *termsResult:
		switch x.prefix() {
		case "lterms":
			return "LongTerms"
		case "dterms":
			return "DoubleTerms"
		}
		return "StringTerms"
	case appender:
		var name strings.Builder
		name.WriteString("Internal")
		for word := range strings.SplitSeq(x.prefix(), "_") {
			fmt.Fprintf(&name, "%s%s", strings.ToUpper(word[:1]), word[1:])
		}
		return name.String()
	}
	return fmt.Sprintf("%T", property)
}
