package versus

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"postern/conformance/jsontree"
)

// differ is the first place in which two answers differ, "" when they say the same. The
// order of an object's members does not count, nor do the last digits of fractions.
func differ(right, tested Answer) string {
	a, errA := jsontree.Parse([]byte(right.Body))
	b, errB := jsontree.Parse([]byte(tested.Body))
	switch {
	case errA != nil || errB != nil:
		if right.Body == tested.Body {
			return ""
		}
		return "a body that is no JSON"
	case right.Status != tested.Status:
		return fmt.Sprintf("status %d, not %d", tested.Status, right.Status)
	}
	return compare("", ordered(a), ordered(b))
}

// ignored are members that depend on the engine.
func ignored(name string) bool {
	return slices.Contains([]string{"took", "node", "index_uuid"}, name)
}

func compare(path string, a, b jsontree.Value) string {
	switch x := a.(type) {
	case jsontree.Object:
		y, ok := b.(jsontree.Object)
		if !ok {
			return path + ": no object"
		}
		for _, m := range x {
			if ignored(m.Name) {
				continue
			}
			v, ok := y.Get(m.Name)
			if !ok {
				return path + "." + m.Name + ": missing"
			}
			if what := compare(path+"."+m.Name, m.Value, v); what != "" {
				return what
			}
		}
		for _, m := range y {
			if _, ok := x.Get(m.Name); !ok && !ignored(m.Name) {
				return path + "." + m.Name + ": one more"
			}
		}
		return ""
	case jsontree.Array:
		y, ok := b.(jsontree.Array)
		if !ok {
			return path + ": no array"
		}
		for i := range min(len(x), len(y)) {
			if what := compare(path+"."+strconv.Itoa(i), x[i], y[i]); what != "" {
				return what
			}
		}
		if len(x) != len(y) {
			return fmt.Sprintf("%s: %d elements, not %d", path, len(y), len(x))
		}
		return ""
	case jsontree.Number:
		y, ok := b.(jsontree.Number)
		if ok && near(path, string(x), string(y)) {
			return ""
		}
	}
	if x, y := jsontree.Compact(a), jsontree.Compact(b); x != y {
		return fmt.Sprintf("%s: %.200s, not %.200s", path, y, x)
	}
	return ""
}

// near tells that two numbers differ by rounding at most: scores are of single precision.
func near(path, a, b string) bool {
	if a == b {
		return true
	}
	if strings.ContainsAny(a, ".eE") != strings.ContainsAny(b, ".eE") {
		return false
	}
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	if errX != nil || errY != nil || !strings.ContainsAny(a, ".eE") {
		return false
	}
	tolerance := 1e-11
	if strings.HasSuffix(path, "score") || strings.Contains(path, ".sort.") {
		tolerance = 1e-5
	}
	return math.Abs(x-y) <= tolerance*math.Max(math.Abs(x), math.Abs(y))
}

// ordered puts significant terms with the same score into one order: theirs is that of a
// hash table.
func ordered(v jsontree.Value) jsontree.Value {
	switch v := v.(type) {
	case jsontree.Object:
		_, significant := v.Get("bg_count")
		for i, m := range v {
			v[i].Value = ordered(m.Value)
			if list, ok := v[i].Value.(jsontree.Array); ok && significant && m.Name == "buckets" {
				slices.SortStableFunc(list, func(a, b jsontree.Value) int { return strings.Compare(scoreAndKey(a), scoreAndKey(b)) })
			}
		}
		return v
	case jsontree.Array:
		for i := range v {
			v[i] = ordered(v[i])
		}
	}
	return v
}

func scoreAndKey(v jsontree.Value) string {
	o, _ := v.(jsontree.Object)
	key, _ := o.Get("key")
	return jsontree.Compact(key)
}

// kindOf names a difference so that the like of it is shown once: the place without
// positions, and what was asked.
func kindOf(what string, q Request) string {
	place, rest, _ := strings.Cut(what, ": ")
	var parts []string
	for part := range strings.SplitSeq(place, ".") {
		if _, err := strconv.Atoi(part); err != nil && part != "" {
			parts = append(parts, part)
		}
	}
	if strings.HasPrefix(what, "status") || strings.Contains(place, "error") {
		return place + " " + rest
	}
	return strings.Join(parts, ".")
}
