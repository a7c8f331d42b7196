package aggs

import (
	"math"
	"strconv"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// writer appends the members of an answer.
type writer struct {
	b       []byte
	typed   bool
	open    bool // no member stands in the current object yet
	buckets int
	err     error
}

func (w *writer) name(name string) {
	if !w.open {
		w.b = append(w.b, ',')
	}
	w.open = false
	w.b = jsonx.AppendString(w.b, name)
	w.b = append(w.b, ':')
}

func (w *writer) int(name string, v int64) {
	w.name(name)
	w.b = strconv.AppendInt(w.b, v, 10)
}

func (w *writer) float(name string, v float64) {
	w.name(name)
	w.b = jsonx.AppendFloat(w.b, v)
}

// floatOrNull writes what is not a number as null, as metrics without values are.
func (w *writer) floatOrNull(name string, v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		w.name(name)
		w.b = append(w.b, "null"...)
		return
	}
	w.float(name, v)
}

// fail keeps the first error.
func (w *writer) fail(err *eserr.Error) {
	if w.err == nil && err != nil {
		w.err = err
	}
}

// element begins a scalar of an array.
func (w *writer) element() {
	if !w.open {
		w.b = append(w.b, ',')
	}
	w.open = false
}

func (w *writer) elementInt(v int64)       { w.element(); w.b = strconv.AppendInt(w.b, v, 10) }
func (w *writer) elementFloat(v float64)   { w.element(); w.b = jsonx.AppendFloat(w.b, v) }
func (w *writer) elementFloat32(v float32) { w.element(); w.b = jsonx.AppendFloat32(w.b, v) }
func (w *writer) elementString(v string)   { w.element(); w.b = jsonx.AppendString(w.b, v) }
func (w *writer) elementBool(v bool)       { w.element(); w.b = strconv.AppendBool(w.b, v) }

func (w *writer) bool(name string, v bool) {
	w.name(name)
	w.b = strconv.AppendBool(w.b, v)
}

func (w *writer) string(name, v string) {
	w.name(name)
	w.b = jsonx.AppendString(w.b, v)
}

// bound writes the text of a number; Elasticsearch leaves the quotes of booleans away.
func (w *writer) bound(name string, f *format, v float64) {
	if !f.boolean {
		w.string(name, f.double(v))
		return
	}
	w.name(name)
	w.b = strconv.AppendBool(w.b, v != 0)
}

// object writes a member that is an object with what body writes in it.
func (w *writer) object(name string, body func()) {
	w.name(name)
	w.braces('{', '}', body)
}

func (w *writer) braces(open, end byte, body func()) {
	w.b = append(w.b, open)
	w.open = true
	body()
	w.b = append(w.b, end)
	w.open = false
}

// item begins an element of an array.
func (w *writer) item(body func()) {
	if !w.open {
		w.b = append(w.b, ',')
	}
	w.braces('{', '}', body)
}

// bucketList writes buckets as an array, or as an object when each has a name.
func (w *writer) bucketList(n int, keyed func(i int) string, body func(i int)) {
	w.buckets += n
	w.name("buckets")
	if keyed != nil {
		w.braces('{', '}', func() {
			for i := range n {
				w.object(keyed(i), func() { body(i) })
			}
		})
		return
	}
	w.braces('[', ']', func() {
		for i := range n {
			w.item(func() { body(i) })
		}
	})
}

// bucket writes the count and the sub-aggregations of one of n's buckets.
func (w *writer) bucket(n *node, b *bucket) {
	w.int("doc_count", b.count)
	if b.filled {
		// What lies in one that only the answer has counts against no limit.
		counted := w.buckets
		w.bucketSubs(n, b, nil)
		w.buckets = counted
		return
	}
	w.bucketSubs(n, b, n.hashed)
}

// bucketSubs writes the sub-aggregations of a bucket and what pipelines made of them.
func (w *writer) bucketSubs(n *node, b *bucket, order []int) {
	w.subs(n.subs, b.subs, order)
	w.added(b.added)
}

// added writes the results of pipeline aggregations.
func (w *writer) added(list []addition) {
	for _, a := range list {
		w.result(a.pipe.name, a.pipe.meta, a.result)
	}
}

// subs writes results in the order of the request, or in another one.
func (w *writer) subs(plan []*node, results []result, order []int) {
	for i := range plan {
		if order != nil {
			i = order[i]
		}
		w.result(plan[i].name, plan[i].meta, results[i])
	}
}

func (w *writer) result(name string, meta []byte, r appender) {
	if w.typed {
		name = r.prefix() + "#" + name
	}
	w.object(name, func() {
		if meta != nil {
			w.name("meta")
			w.b = append(w.b, meta...)
		}
		r.appendBody(w)
	})
}
