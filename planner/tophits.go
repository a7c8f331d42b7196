package planner

import (
	"context"
	"slices"
	"strconv"
	"strings"

	genaggs "postern/generated/aggs"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/segment"
	"postern/internal/store"
	"postern/planner/aggs"
	"postern/planner/query"
)

// hitsPlanner resolves the top_hits of one index's part of a search, and reads for them.
type hitsPlanner struct {
	plan  *Plan
	shard *shardPlan

	// What follows is of one evaluation.
	ctx    context.Context
	snap   store.Snapshot
	exec   *query.Exec
	scorer *query.Scorer
	part   *segment.Segment // that scores are of
	scores map[*segment.Segment][]float32
}

// begin makes the documents of a snapshot those that are read.
func (h *hitsPlanner) begin(ctx context.Context, snap store.Snapshot) {
	h.ctx, h.snap, h.exec, h.scorer, h.part = ctx, snap, nil, nil, nil
}

// topHitsPlan is one top_hits, resolved.
type topHitsPlan struct {
	*hitsPlanner
	from, size int
	sort       []*sortField
	scored     bool // no sort but the score
	track      bool // scores are shown whatever the sort
	fetch      fetchPlan
	shown      fetchShard
}

// topHits is the best documents of one bucket.
type topHits struct {
	*topHitsPlan
	total   int
	best    float32 // of all scores
	scoring bool    // best is set
	hits    []topHit
}

type topHit struct {
	found
	plan *topHitsPlan
	root segment.Part
	// in is the segment of a nested document, with its place in the whole one.
	in     *segment.Segment
	nested []innerStep
}

// innerStep is one step down: the n-th object of a path.
type innerStep struct {
	path string
	n    int
}

const defaultTopHits = 3

// TopHits resolves a request.
func (h *hitsPlanner) TopHits(c *query.Context, name string, a *genaggs.TopHitsAggregation) (aggs.HitsPlan, error) {
	t := &topHitsPlan{hitsPlanner: h, size: defaultTopHits, scored: onlyScore(a.Sort), track: isTrue(a.TrackScores)}
	if a.From != nil {
		t.from = *a.From
	}
	if a.Size != nil {
		t.size = *a.Size
	}
	if err := t.checkWindow(name); err != nil {
		return nil, err
	}
	t.sort = defaultSort()
	if len(a.Sort) > 0 {
		var err error
		if t.sort, err = resolveSort(c, a.Sort); err != nil {
			return nil, err
		}
	}
	t.parseFetch(a)
	var err error
	t.shown, err = t.fetch.resolve(c)
	return t, err
}

func (t *topHitsPlan) checkWindow(name string) error {
	window := t.shard.index.Settings.Int("index.max_inner_result_window", 100)
	if n := t.from + t.size; n > window {
		return eserr.IllegalArgument("Top hits result window is too large, the top hits aggregator [%s]'s from + size must be less than or equal to: [%d] but was [%d]. This limit can be set by changing the [index.max_inner_result_window] index level setting.", name, window, n)
	}
	if t.from+t.size == 0 {
		return eserr.IllegalArgument("numHits must be > 0; please use TotalHitCountCollectorManager if you just need the total hit count")
	}
	return nil
}

func (t *topHitsPlan) parseFetch(a *genaggs.TopHitsAggregation) {
	f := &t.fetch
	f.source = true
	f.version, f.seqNo = isTrue(a.Version), isTrue(a.SeqNoPrimaryTerm)
	if a.StoredFields != nil {
		f.source = slices.Contains(a.StoredFields, "_source")
	}
	if s := a.Source; s != nil {
		f.source = s.Enabled == nil || *s.Enabled
		if s.SourceFilter != nil {
			f.setFilter(s.SourceFilter.Includes, s.SourceFilter.Excludes)
		}
	}
	for _, s := range a.Fields {
		f.fields = append(f.fields, specOf(s))
	}
	if len(a.Fields) == 0 {
		f.fields = t.plan.fetch.fields // as Elasticsearch has it: what the search shows
	}
	for _, s := range a.DocvalueFields {
		f.values = append(f.values, specOf(s))
	}
}

// Hits makes an empty page.
func (t *topHitsPlan) Hits() aggs.Hits { return &topHits{topHitsPlan: t} }

func (t *topHitsPlan) needScores() bool { return t.track || sortsByScore(t.sort) }

// Collect picks the best of some documents.
func (t *topHits) Collect(x *query.Exec, at aggs.Place, docs []uint32) error {
	t.total += len(docs)
	part := segment.Part{Segment: at.Segment}
	var scores []float32
	if t.needScores() {
		var err error
		if scores, err = t.Scores(x, at, docs); err != nil {
			return err
		}
		t.trackBest(docs, scores)
	}
	readers := make([]keyReader, len(t.sort))
	for i, f := range t.sort {
		r, err := openKeys(x, f, part, t.before(x, at.Root), scores)
		if err != nil {
			return err
		}
		readers[i] = r
	}
	c := &collector{readers: readers, top: newTopK(t.from+t.size, len(readers))}
	var chunk [batch]uint32
	for rest := docs; len(rest) > 0; {
		n := copy(chunk[:], rest)
		c.offer(chunk[:n])
		rest = rest[n:]
	}
	t.take(c, at, scores)
	return nil
}

// before counts the documents of the parts before one.
func (t *topHits) before(x *query.Exec, root segment.Part) (n uint32) {
	for _, p := range x.Parts() {
		if p.Segment == root.Segment {
			break
		}
		n += uint32(p.Len())
	}
	return n
}

func (t *topHits) take(c *collector, at aggs.Place, scores []float32) {
	for _, slot := range c.top.sorted() {
		h := topHit{plan: t.topHitsPlan, root: at.Root, in: at.Segment}
		h.doc = c.top.docs[slot]
		for j, key := range c.top.keysOf(slot) {
			h.values = append(h.values, c.readers[j].value(key))
		}
		if scores != nil {
			h.score = scores[h.doc]
		}
		h.seqNo = at.Root.SeqNo(rootOf(at, h.doc))
		for doc, levels := h.doc, at.Levels; len(levels) > 0; levels = levels[1:] {
			parent := levels[0].Parent[doc]
			first, _ := slices.BinarySearch(levels[0].Parent, parent)
			h.nested = append(h.nested, innerStep{levels[0].Path, int(doc) - first})
			doc = parent
		}
		slices.Reverse(h.nested)
		t.hits = append(t.hits, h)
	}
	t.cut()
}

// rootOf is the whole document that a nested one is of.
func rootOf(at aggs.Place, doc uint32) uint32 {
	for _, l := range at.Levels {
		doc = l.Parent[doc]
	}
	return doc
}

// cut leaves the best.
func (t *topHits) cut() {
	slices.SortStableFunc(t.hits, func(a, b topHit) int { return compareFound(t.sort, &a.found, &b.found) })
	if most := t.from + t.size; len(t.hits) > most {
		t.hits = t.hits[:most]
	}
}

// Scores gives the scores of documents, those of nested ones being their root's.
func (h *hitsPlanner) Scores(x *query.Exec, at aggs.Place, docs []uint32) ([]float32, error) {
	if at.Unscored {
		scores := make([]float32, at.Segment.Len())
		for _, d := range docs {
			scores[d] = 1
		}
		return scores, nil
	}
	whole, err := h.wholeScores(x, at.Root)
	if err != nil || len(at.Levels) == 0 {
		return whole, err
	}
	scores := h.scores[at.Segment]
	if scores == nil {
		scores = make([]float32, at.Segment.Len())
		for d := range scores {
			scores[d] = whole[rootOf(at, uint32(d))]
		}
		h.scores[at.Segment] = scores
	}
	return scores, nil
}

// Sources visits the sources of documents, some at a time.
func (h *hitsPlanner) Sources(at aggs.Place, docs []uint32, visit func(source []byte) error) error {
	const some = 256
	for len(docs) > 0 {
		n := min(some, len(docs))
		seqNos := make([]int64, n)
		for i, d := range docs[:n] {
			seqNos[i] = at.Root.SeqNo(rootOf(at, d))
		}
		list, err := h.snap.Sources(h.ctx, seqNos)
		if err != nil {
			return err
		}
		for i := range list {
			if err := visit(h.shard.index.ShownSource(list[i].Source)); err != nil {
				return err
			}
		}
		docs = docs[n:]
	}
	return nil
}

// wholeScores computes the scores of a part's matches once for all buckets.
func (h *hitsPlanner) wholeScores(x *query.Exec, part segment.Part) ([]float32, error) {
	if h.exec != x {
		scorer, err := query.NewScorer(x, h.shard.query)
		if err != nil {
			return nil, err
		}
		h.exec, h.scorer, h.part = x, scorer, nil
	}
	if h.part == part.Segment {
		return h.scores[part.Segment], nil
	}
	docs, err := query.Match(x, h.shard.query, part)
	if err != nil {
		return nil, err
	}
	scores := make([]float32, part.Len())
	if err := h.scorer.Score(part, docs, scores); err != nil {
		return nil, err
	}
	h.part, h.scores = part.Segment, map[*segment.Segment][]float32{part.Segment: scores}
	return scores, nil
}

func (t *topHits) trackBest(docs []uint32, scores []float32) {
	if !t.scored && !t.track {
		return
	}
	for _, d := range docs {
		if !t.scoring || scores[d] > t.best {
			t.best, t.scoring = scores[d], true
		}
	}
}

// Merge adds the page of another index.
func (t *topHits) Merge(other aggs.Hits) {
	o := other.(*topHits)
	t.total += o.total
	if o.scoring && (!t.scoring || o.best > t.best) {
		t.best, t.scoring = o.best, true
	}
	// Of equal documents those of the first index come first.
	for _, h := range o.hits {
		h.shard++
		t.hits = append(t.hits, h)
	}
	t.cut()
}

// AppendJSON appends the page.
func (t *topHits) AppendJSON(dst []byte) ([]byte, error) {
	dst = append(dst, `{"total":`...)
	if t.plan.totalAsInt {
		dst = strconv.AppendInt(dst, int64(t.total), 10)
	} else {
		dst = append(strconv.AppendInt(append(dst, `{"value":`...), int64(t.total), 10), `,"relation":"eq"}`...)
	}
	dst = append(dst, `,"max_score":`...)
	var best *float32
	if t.scoring {
		best = &t.best
	}
	dst = append(appendScore(dst, best), `,"hits":[`...)
	for i := min(t.from, len(t.hits)); i < len(t.hits); i++ {
		if i > t.from {
			dst = append(dst, ',')
		}
		hit, err := t.hits[i].show()
		if err != nil {
			return dst, err
		}
		dst = hit.AppendJSON(dst)
	}
	return append(dst, `]}`...), nil
}

// show fills in a hit.
func (h *topHit) show() (*Hit, error) {
	p := h.plan
	doc, _ := h.root.Find(h.seqNo)
	hit := &Hit{Index: p.shard.index.Name, ID: h.root.ID(doc), Version: -1, SeqNo: -1, Nested: appendNested(nil, h.nested, "")}
	if len(h.nested) == 0 {
		hit.Routing, hit.Ignored = h.root.Routing(doc), ignoredOf(h.root, doc)
	}
	stored, err := h.read()
	if err != nil {
		return nil, err
	}
	if p.fetch.version {
		hit.Version = h.root.Version(doc)
	}
	if p.fetch.seqNo {
		hit.SeqNo, hit.PrimaryTerm = h.seqNo, stored.PrimaryTerm
	}
	if p.scored || p.track {
		hit.Score = &h.score
	}
	if !p.scored {
		hit.Sort = appendSort(nil, p.sort, h.values)
	}
	part := segment.Part{Segment: h.in}
	if err := p.fetch.content(hit, &p.shown, p.shard.index.Name, part, h.doc, stored); err != nil {
		return nil, err
	}
	if len(h.nested) > 0 && hit.Source != nil {
		hit.Source, err = nestedSource(hit.Source, h.nested)
	}
	return hit, err
}

func (h *topHit) read() (*store.Stored, error) {
	p := h.plan
	if !p.fetch.reads() {
		return nil, nil
	}
	docs, err := p.snap.Sources(p.ctx, []int64{h.seqNo})
	if err != nil {
		return nil, err
	}
	docs[0].Source = p.shard.index.ShownSource(docs[0].Source)
	return &docs[0], nil
}

// appendNested tells which nested object of its document a hit is; nothing for a whole
// document.
func appendNested(dst []byte, steps []innerStep, above string) []byte {
	if len(steps) == 0 {
		return dst
	}
	dst = jsonx.AppendString(append(dst, `{"field":`...), strings.TrimPrefix(steps[0].path, above))
	dst = strconv.AppendInt(append(dst, `,"offset":`...), int64(steps[0].n), 10)
	if len(steps) > 1 {
		dst = appendNested(append(dst, `,"_nested":`...), steps[1:], steps[0].path+".")
	}
	return append(dst, '}')
}

// nestedSource cuts the object of a nested hit out of the source.
func nestedSource(source []byte, steps []innerStep) ([]byte, error) {
	v, err := jsonx.Parse(source)
	if err != nil {
		return nil, err
	}
	above := ""
	for _, s := range steps {
		list := objectsAt(nil, v, strings.TrimPrefix(s.path, above))
		if s.n >= len(list) {
			return []byte("{}"), nil
		}
		v, above = list[s.n], s.path+"."
	}
	return v.Raw(), nil
}

// objectsAt lists the objects of a path, in the order of the source.
func objectsAt(list []jsonx.Value, v jsonx.Value, path string) []jsonx.Value {
	switch v.Kind() {
	case jsonx.Array:
		for e := range v.Elements() {
			list = objectsAt(list, e, path)
		}
	case jsonx.Object:
		if path == "" {
			return append(list, v)
		}
		for k, m := range v.Members() {
			if name := k.Text(); name == path {
				list = objectsAt(list, m, "")
			} else if rest, ok := strings.CutPrefix(path, name+"."); ok {
				list = objectsAt(list, m, rest)
			}
		}
	}
	return list
}
