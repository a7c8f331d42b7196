package planner

import (
	"context"
	"slices"
	"strconv"

	genaggs "postern/generated/aggs"
	"postern/generated/api"
	"postern/internal/eserr"
	"postern/internal/javamap"
	"postern/internal/jsonx"
	"postern/internal/segment"
	"postern/internal/sourcefilter"
	"postern/internal/store"
	"postern/planner/query"
)

// fetchPlan is what hits show besides their place.
type fetchPlan struct {
	source  bool
	filter  *sourcefilter.Filter // nil: all of it
	version bool
	seqNo   bool
	noID    bool
	fields  []fieldSpec // of fields
	values  []fieldSpec // of docvalue_fields
	// includes and excludes are what filter was made of.
	includes, excludes []string
}

// fieldSpec is one entry of fields or docvalue_fields.
type fieldSpec struct {
	pattern  string
	format   string
	unmapped bool
}

func parseFetch(r *api.SearchRequest) (fetchPlan, error) {
	b := &r.Body
	f := fetchPlan{}
	override(&f.version, r.Version, b.Version)
	override(&f.seqNo, r.SeqNoPrimaryTerm, b.SeqNoPrimaryTerm)
	f.parseSource(r)
	for _, s := range b.Fields {
		f.fields = append(f.fields, specOf(s))
	}
	for _, s := range b.DocvalueFields {
		f.values = append(f.values, specOf(s))
	}
	for _, name := range r.DocvalueFields {
		f.values = append(f.values, fieldSpec{pattern: name})
	}
	if f.noID && (f.source && (b.Source != nil || r.Source != nil) || f.version) {
		what := "_source"
		if f.version {
			what = "version"
		}
		return f, eserr.IllegalArgument("[stored_fields] cannot be disabled if [%s] is requested", what)
	}
	if f.noID {
		f.source = false
	}
	return f, nil
}

func specOf(s genaggs.FieldAndFormat) fieldSpec {
	spec := fieldSpec{pattern: s.Field, unmapped: isTrue(s.IncludeUnmapped)}
	if s.Format != nil {
		spec.format = *s.Format
	}
	return spec
}

// parseSource finds out which part of the sources is shown: all, unless stored_fields
// or _source say otherwise.
func (f *fetchPlan) parseSource(r *api.SearchRequest) {
	b := &r.Body
	f.source = true
	stored := b.StoredFields
	if r.StoredFields != nil {
		stored = r.StoredFields
	}
	if stored != nil {
		f.source = slices.Contains(stored, "_source")
		f.noID = slices.Equal(stored, []string{"_none_"})
	}
	if s := b.Source; s != nil {
		f.source = s.Enabled == nil || *s.Enabled
		if s.SourceFilter != nil {
			f.includes, f.excludes = s.SourceFilter.Includes, s.SourceFilter.Excludes
		}
	}
	if s := r.Source; s != nil {
		f.source = s.Enabled == nil || *s.Enabled
		f.includes, f.excludes = s.List, nil
	}
	if r.SourceIncludes != nil || r.SourceExcludes != nil {
		f.source = true
		if r.SourceIncludes != nil {
			f.includes = r.SourceIncludes
		}
		f.excludes = r.SourceExcludes
	}
	f.setFilter(f.includes, f.excludes)
}

func (f *fetchPlan) appendKey(dst []byte) []byte {
	for _, b := range [...]bool{f.source, f.version, f.seqNo, f.noID} {
		dst = append(strconv.AppendBool(dst, b), ',')
	}
	dst = appendStrings(dst, f.includes)
	dst = appendStrings(dst, f.excludes)
	for _, list := range [...][]fieldSpec{f.fields, f.values} {
		dst = append(dst, '|')
		for _, s := range list {
			dst = strconv.AppendQuote(dst, s.pattern)
			dst = strconv.AppendQuote(dst, s.format)
			dst = strconv.AppendBool(dst, s.unmapped)
		}
	}
	return dst
}

// fetchShard is a fetchPlan resolved for one index.
type fetchShard struct {
	fields *sourceFields
	values []*docValueField
}

func (f *fetchPlan) resolve(c *query.Context) (fetchShard, error) {
	var s fetchShard
	var err error
	if s.values, err = resolveDocValues(c, f.values); err != nil {
		return s, err
	}
	s.fields, err = resolveSourceFields(c, f.fields)
	return s, err
}

// fetch makes the hits of the page, reading each index's documents in one call.
func (e *execution) fetch(ctx context.Context, page []found) ([]Hit, error) {
	hits := make([]Hit, len(page))
	stored, err := e.read(ctx, page)
	if err != nil {
		return nil, err
	}
	for i := range page {
		if err := e.hit(&hits[i], &page[i], stored[i]); err != nil {
			return nil, err
		}
	}
	return hits, nil
}

// reads tells that hits show something of the stored documents.
func (f *fetchPlan) reads() bool { return f.source || len(f.fields) > 0 || f.seqNo }

// setFilter shows a part of the sources.
func (f *fetchPlan) setFilter(includes, excludes []string) {
	f.includes, f.excludes = includes, excludes
	if len(includes)+len(excludes) > 0 {
		f.filter = sourcefilter.New(includes, excludes)
	}
}

// read fetches the stored documents of a page, if the hits show anything of them.
func (e *execution) read(ctx context.Context, page []found) ([]*store.Stored, error) {
	out := make([]*store.Stored, len(page))
	f := &e.plan.fetch
	if !f.reads() {
		return out, nil
	}
	for shard, snap := range e.snapshots {
		var seqNos []int64
		var at []int
		for i := range page {
			if page[i].shard == shard {
				seqNos = append(seqNos, page[i].seqNo)
				at = append(at, i)
			}
		}
		if len(at) == 0 {
			continue
		}
		docs, err := snap.Sources(ctx, seqNos)
		if err != nil {
			return nil, store.ClientError(e.plan.shards[shard].index, err)
		}
		ix := e.plan.shards[shard].index
		for j, i := range at {
			out[i] = &docs[j]
			out[i].Source = ix.ShownSource(docs[j].Source)
		}
	}
	return out, nil
}

// hit fills in one hit.
func (e *execution) hit(h *Hit, f *found, stored *store.Stored) error {
	plan, shard, result := e.plan, e.plan.shards[f.shard], e.results[f.shard]
	part := e.snapshots[f.shard].Parts()[f.part]
	h.Index, h.Version, h.SeqNo = shard.index.Name, -1, -1
	if h.NoID = plan.fetch.noID; !h.NoID {
		h.ID, h.Routing, h.Ignored = part.ID(f.doc), part.Routing(f.doc), ignoredOf(part, f.doc)
	}
	if plan.fetch.version {
		h.Version = part.Version(f.doc)
	}
	if plan.fetch.seqNo {
		h.SeqNo, h.PrimaryTerm = f.seqNo, stored.PrimaryTerm
	}
	if result.scorer != nil && (plan.scored || plan.trackScores || sortsByScore(shard.sort)) {
		h.Score = &f.score
	}
	if !plan.scored {
		h.Sort = appendSort(nil, shard.sort[:plan.shownSorts], f.values)
	}
	if err := e.matched(h, shard, result, part, f); err != nil {
		return err
	}
	return plan.fetch.content(h, &shard.fetch, shard.index.Name, part, f.doc, stored)
}

// content fills in the parts of a hit that come from the document itself.
func (f *fetchPlan) content(h *Hit, in *fetchShard, index string, part segment.Part, doc uint32, stored *store.Stored) error {
	var source jsonx.Value
	if stored != nil && stored.Source != nil && (f.filter != nil || in.fields != nil) {
		var err error
		if source, err = jsonx.Parse(stored.Source); err != nil {
			return err
		}
	}
	if f.source && stored != nil && stored.Source != nil {
		h.Source = stored.Source
		if f.filter != nil {
			h.Source = f.filter.Append(nil, source)
		}
	}
	values := make(map[string][]byte)
	var ignored map[string][]byte
	for _, d := range in.values {
		d.add(values, part.Segment, doc)
	}
	if in.fields != nil {
		ignored = make(map[string][]byte)
		in.fields.add(values, ignored, index, source, part, doc)
	}
	put := len(in.values)
	copied := in.fields != nil && put == 0
	if copied {
		put = len(values)
		for name := range ignored {
			if _, ok := values[name]; !ok {
				put++
			}
		}
	}
	h.Fields = appendFields(values, put, copied)
	h.IgnoredValues = appendFields(ignored, put, copied)
	return nil
}

// appendFields encodes fields by name, each with its encoded values; nil for none.
func appendFields(values map[string][]byte, put int, copied bool) []byte {
	if len(values) == 0 {
		return nil
	}
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	javamap.Sort(names, put, copied)
	dst := []byte{'{'}
	for i, name := range names {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsonx.AppendString(dst, name), ':', '[')
		dst = append(append(dst, values[name]...), ']')
	}
	return append(dst, '}')
}

// matched lists the named clauses that the hit matches.
func (e *execution) matched(h *Hit, shard *shardPlan, result *shardResult, part segment.Part, f *found) error {
	scores := make(map[string]float32)
	for _, n := range shard.named {
		docs, err := query.Match(result.exec, n.Node, part)
		if err != nil {
			return err
		}
		if !docs.Contains(f.doc) {
			continue
		}
		h.Matched = append(h.Matched, n.Name)
		if e.plan.namedScores {
			scorer, err := query.NewScorer(result.exec, n.Node)
			if err != nil {
				return err
			}
			all := make([]float32, part.Len())
			if err := scorer.Score(part, docs, all); err != nil {
				return err
			}
			scores[n.Name] = all[f.doc]
		}
	}
	javamap.Sort(h.Matched, 0, false)
	h.Matched = slices.Compact(h.Matched)
	if e.plan.namedScores {
		for _, name := range h.Matched {
			h.Scores = append(h.Scores, scores[name])
		}
	}
	return nil
}

func sortsByScore(fields []*sortField) bool {
	return slices.ContainsFunc(fields, func(f *sortField) bool { return f.kind == sortScore })
}

func appendSort(dst []byte, fields []*sortField, values []sortValue) []byte {
	dst = append(dst, '[')
	for i, f := range fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = f.append(dst, values[i])
	}
	return append(dst, ']')
}

func ignoredOf(p segment.Part, doc uint32) []string {
	k := p.Keyword("_ignored")
	if k == nil {
		return nil
	}
	var names []string
	for _, o := range k.Ords(doc) {
		names = append(names, k.Term(o))
	}
	return names
}
