package aggs

import (
	"slices"

	gen "postern/generated/aggs"
	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// composite is buckets of combinations of values, a page at a time.
type composite struct {
	sources []*compositeSource
	size    int
	after   []compositeValue // nil: from the first
}

// compositeResult keeps the first combinations, in order, and no more than a page.
type compositeResult struct {
	*composite
	answered
	n    *node
	kept []compositeBucket
	// mixed says that another index has keys that can't be compared with these.
	mixed *eserr.Error
}

type compositeBucket struct {
	key []compositeValue
	*bucket
}

const defaultCompositeSize = 10

func parseComposite(c *source) (aggregator, error) {
	a := c.a.Composite
	if err := c.checkParent(); err != nil {
		return nil, err
	}
	out := &composite{size: defaultCompositeSize}
	if a.Size != nil {
		out.size = *a.Size
	}
	if out.size > maxBuckets {
		e := tooManyBuckets()
		e.Reason = eserr.IllegalArgument("Trying to create too many buckets. Must be less than or equal to: [%d] but was [%d]. This limit can be set by changing the [search.max_buckets] cluster level setting.", maxBuckets, out.size).Reason
		return nil, e
	}
	for i := range a.Sources {
		for j := range a.Sources[i] {
			s, err := c.compositeSource(a.Sources[i][j].Key, &a.Sources[i][j].Value)
			if err != nil {
				return nil, err
			}
			out.sources = append(out.sources, s)
		}
	}
	return out, out.parseAfter(c, a.After)
}

// parseAfter reads the key that the page comes after.
func (a *composite) parseAfter(c *source, after []jsonx.Pair[jsonx.Value]) error {
	if after == nil {
		return nil
	}
	if len(after) != len(a.sources) {
		return eserr.IllegalArgument("[after] has %d value(s) but [sources] has %d", len(after), len(a.sources))
	}
	for i, s := range a.sources {
		at := slices.IndexFunc(after, func(p jsonx.Pair[jsonx.Value]) bool { return p.Key == s.name })
		if at < 0 {
			return eserr.IllegalArgument("Missing value for [after.%s]", s.name)
		}
		v, err := s.parse(c, after[at].Value)
		if fault, ok := eserr.As(err); ok && fault.Type == "number_format_exception" {
			cause := eserr.IllegalArgument("incompatible value in the position %d: %s", i, fault.Reason)
			e := eserr.ParseError("Cannot set after key in the composite aggregation [%s] - %s", c.name, cause.Reason)
			return e.Cause(cause.Cause(fault))
		}
		if err != nil {
			return err
		}
		a.after = append(a.after, v)
	}
	return nil
}

// checkParent refuses a composite among the buckets of another aggregation.
func (c *source) checkParent() error {
	for _, kind := range c.within[:len(c.within)-1] {
		switch kind {
		case gen.KindFilter, gen.KindNested, gen.KindReverseNested, gen.KindRandomSampler:
		default:
			return eserr.IllegalArgument("[composite] aggregation cannot be used with a parent aggregation of type: [%sAggregatorFactory]", camel(kind))
		}
	}
	return nil
}

// checkComposite finds what is wrong with a request whatever the index.
func checkComposite(a *gen.CompositeAggregation) error {
	seen := map[string]bool{}
	for i := range a.Sources {
		for j := range a.Sources[i] {
			p := &a.Sources[i][j]
			if seen[p.Key] {
				return failedToBuild("composite", "Composite source names must be unique, found duplicates: [%s]", p.Key)
			}
			seen[p.Key] = true
			if err := checkCompositeSource(&p.Value); err != nil {
				return err
			}
		}
	}
	if len(seen) == 0 {
		return failedToBuild("composite", "Composite [sources] cannot be null or empty")
	}
	if a.Size != nil && *a.Size <= 0 {
		return eserr.IllegalArgument("[size] must be greater than 0. Found [%d]", *a.Size)
	}
	return nil
}

func (a *composite) empty(n *node) result { return &compositeResult{composite: a, n: n} }

func (a *composite) compare(x, y []compositeValue) int {
	for i, s := range a.sources {
		if c := s.compare(x[i], y[i]); c != 0 {
			return c
		}
	}
	return 0
}

func (r *compositeResult) collect(x *collector, s *selection) error {
	docs := s.docs()
	columns := make([]*compositeColumn, len(r.sources))
	width := 0
	for i, src := range r.sources {
		columns[i] = src.read(x, s, r.afterOf(i))
		columns[i].at = width
		width += columns[i].words()
	}
	t := newCompositeTable(width, r.size)
	if r.after != nil {
		t.after = make([]uint64, width)
		for _, c := range columns {
			c.put(t.after[c.at:], c.after)
		}
	}
	t.fill(docs, columns)
	return x.collectGroups(s, t.docs, t.groups(), len(t.rank), len(r.n.subs) > 0, func(g int) *bucket {
		words := t.words(int32(g))
		key := make([]compositeValue, len(columns))
		for i, c := range columns {
			key[i] = c.value(words[c.at:])
		}
		return r.find(key)
	})
}

func (r *compositeResult) afterOf(i int) *compositeValue {
	if r.after == nil {
		return nil
	}
	return &r.after[i]
}

// find makes or finds the bucket of a key; those beyond the page are dropped.
func (r *compositeResult) find(key []compositeValue) *bucket {
	at, found := slices.BinarySearchFunc(r.kept, key, func(b compositeBucket, k []compositeValue) int { return r.compare(b.key, k) })
	if found {
		return r.kept[at].bucket
	}
	b := newBucket(r.n.subs)
	if at < r.size {
		r.kept = slices.Insert(r.kept, at, compositeBucket{key, b})
		r.kept = r.kept[:min(len(r.kept), r.size)]
	}
	return b
}

func (r *compositeResult) merge(other result) {
	o := other.(*compositeResult)
	if slices.ContainsFunc(r.sources, func(s *compositeSource) bool { return s.v.field == nil }) && len(r.kept) == 0 {
		r.composite = o.composite // an index without the field knows no formats
	}
	if len(r.kept) > 0 && len(o.kept) > 0 && r.mixed == nil {
		for i, s := range r.sources {
			if r.mixed = s.incomparable(o.sources[i]); r.mixed != nil {
				return
			}
		}
	}
	for _, b := range o.kept {
		r.find(b.key).merge(b.bucket)
	}
}

func (r *compositeResult) reduce() {
	if r.begin() {
		for i, b := range r.kept {
			r.buckets = append(r.buckets, answerBucket{long: int64(i), bucket: b.bucket})
		}
	}
}

func (r *compositeResult) keyText(b *answerBucket) string {
	w := &writer{}
	r.appendKey(w, int(b.long))
	return string(w.b)
}

func (r *compositeResult) appendKey(w *writer, i int) {
	w.braces('{', '}', func() {
		for j, s := range r.sources {
			s.append(w, r.kept[i].key[j])
		}
	})
}

func (r *compositeResult) appendBody(w *writer) {
	w.fail(r.mixed)
	r.reduce()
	if n := len(r.kept); n > 0 {
		w.name("after_key")
		r.appendKey(w, n-1)
	}
	w.bucketList(len(r.buckets), nil, func(i int) {
		b := &r.buckets[i]
		w.name("key")
		r.appendKey(w, int(b.long))
		w.bucket(r.n, b.bucket)
	})
}

func (r *compositeResult) prefix() string { return "composite" }

// compositeTable finds the first combinations of one segment. A combination is some
// words whose order is that of the buckets.
type compositeTable struct {
	width, size int
	after       []uint64
	keys        []uint64 // width words a group
	rank        []int32  // groups that are kept, by order, then those given up
	live        int      // how many are kept
	docs        []uint32
	of          []int32 // group of each entry of docs
	key         []uint64
}

func newCompositeTable(width, size int) *compositeTable {
	return &compositeTable{width: width, size: size, key: make([]uint64, width)}
}

func (t *compositeTable) words(g int32) []uint64 {
	return t.keys[int(g)*t.width : (int(g)+1)*t.width]
}

// fill goes through the combinations of each document's values.
func (t *compositeTable) fill(docs []uint32, columns []*compositeColumn) {
	at := make([]int32, len(columns))
	for i, doc := range docs {
		level := 0
		for j, c := range columns {
			at[j] = c.off[i]
			if c.off[i] == c.off[i+1] {
				level = -1 // one has no value: there is no combination
				break
			}
		}
		for level >= 0 {
			for j := level; j < len(columns); j++ {
				c := columns[j]
				c.put(t.key[c.at:], c.codes[at[j]])
			}
			t.offer(doc)
			// The next combination: the last column that has another value moves on.
			for level = len(columns) - 1; level >= 0; level-- {
				if at[level]++; at[level] < columns[level].off[i+1] {
					break
				}
				at[level] = columns[level].off[i]
			}
		}
	}
}

func (t *compositeTable) offer(doc uint32) {
	if t.after != nil && slices.Compare(t.key, t.after) <= 0 {
		return
	}
	if t.live == t.size && slices.Compare(t.key, t.words(t.rank[t.live-1])) > 0 {
		return
	}
	at, found := slices.BinarySearchFunc(t.rank[:t.live], t.key, func(g int32, key []uint64) int { return slices.Compare(t.words(g), key) })
	var g int32
	switch {
	case found:
		g = t.rank[at]
	default:
		g = int32(len(t.rank))
		t.keys = append(t.keys, t.key...)
		t.rank = slices.Insert(t.rank, at, g)
		t.live = min(t.live+1, t.size)
	}
	t.docs, t.of = append(t.docs, doc), append(t.of, g)
}

// groups are those of the entries, −1 for what was given up.
func (t *compositeTable) groups() []int32 {
	lost := make([]bool, len(t.rank))
	for _, g := range t.rank[t.live:] {
		lost[g] = true
	}
	for i, g := range t.of {
		if lost[g] {
			t.of[i] = -1
		}
	}
	return t.of
}
