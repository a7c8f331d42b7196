package planner

import (
	"errors"
	"math"
	"strings"
	"time"

	genaggs "postern/generated/aggs"
	"postern/generated/api"
	genquery "postern/generated/query"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/metadata"
	"postern/planner/aggs"
	"postern/planner/query"
)

// Parse makes the plan of a search over some indices. What one index cannot answer is
// kept in the plan as that index's failure; what no index could is the error.
func Parse(targets []metadata.Resolved, r *api.SearchRequest, now time.Time) (*Plan, error) {
	p, err := parseRequest(r)
	if err != nil {
		return nil, err
	}
	p.wide = r.SearchType == api.SearchTypeDfsQueryThenFetch && len(targets) > 1
	options, shownSorts := p.breakTies(sortOptions(r), len(r.Body.SearchAfter))
	p.shownSorts = shownSorts
	p.scored = onlyScore(options[:shownSorts])
	p.preFilter = preFiltered(targets, r, options)
	for i := range targets {
		s := &shardPlan{index: targets[i].Index, at: i}
		if err := p.parseShard(s, &targets[i], r, options, now, len(targets)); err != nil {
			var e *eserr.Error
			var request *query.RequestError
			if !errors.As(err, &e) || errors.As(err, &request) || e.Status == 501 || requestFault(e) {
				return nil, err
			}
			s.err = e
		}
		p.shards = append(p.shards, s)
	}
	return p, nil
}

// Check finds what is wrong with a request whatever its indices are.
func Check(r *api.SearchRequest) error {
	_, err := parseRequest(r)
	return err
}

// parseRequest reads all that does not depend on an index.
func parseRequest(r *api.SearchRequest) (*Plan, error) {
	p := &Plan{size: defaultSize, trackUpTo: defaultTotal}
	if err := p.parseReading(r); err != nil {
		return nil, err
	}
	if err := p.parsePage(r); err != nil {
		return nil, err
	}
	if err := p.parseTotal(r); err != nil {
		return nil, err
	}
	p.parseLimits(r)
	if p.terminateAfter < 0 {
		return nil, eserr.IllegalArgument("terminateAfter must be > 0")
	}
	var err error
	if p.fetch, err = parseFetch(r); err != nil {
		return nil, err
	}
	if err := aggs.Check(r.Body.Aggregations); err != nil {
		return nil, err
	}
	p.hasAggs = len(r.Body.Aggregations) > 0
	p.typedKeys = isTrue(r.TypedKeys)
	p.profile = isTrue(r.Body.Profile)
	p.namedScores = isTrue(r.IncludeNamedQueriesScore)
	p.noPartial = r.AllowPartialSearchResults != nil && !*r.AllowPartialSearchResults
	return p, nil
}

// requestFault tells errors of the request as such from those of one index.
func requestFault(e *eserr.Error) bool {
	switch e.Type {
	case "parsing_exception", "x_content_parse_exception", "action_request_validation_exception":
		return true
	}
	return false
}

func isTrue(b *bool) bool { return b != nil && *b }

// override takes the URL's value where there is one.
func override[T any](at *T, url, body *T) {
	switch {
	case url != nil:
		*at = *url
	case body != nil:
		*at = *body
	}
}

func (p *Plan) parsePage(r *api.SearchRequest) error {
	b := &r.Body
	override(&p.from, r.From, b.From)
	override(&p.size, r.Size, b.Size)
	if p.from < 0 {
		return eserr.IllegalArgument("[from] parameter cannot be negative but was [%d]", p.from)
	}
	if p.size < 0 {
		return eserr.IllegalArgument("[size] parameter cannot be negative, found [%d]", p.size)
	}
	if b.SearchAfter != nil && p.from > 0 {
		return eserr.ActionValidation("[from] parameter must be set to 0 when [search_after] is used")
	}
	return nil
}

func (p *Plan) parseTotal(r *api.SearchRequest) error {
	t := r.TrackTotalHits
	if t == nil {
		t = r.Body.TrackTotalHits
	}
	p.totalAsInt = isTrue(r.RestTotalHitsAsInt)
	switch {
	case t == nil:
		if p.totalAsInt || p.reading == scrolled {
			p.trackUpTo = math.MaxInt64
		}
	case t.Enabled != nil && *t.Enabled:
		p.trackUpTo = math.MaxInt64
	case t.Enabled != nil:
		p.trackUpTo = noTotal
	case t.Number != nil:
		n := int64(*t.Number)
		if n < -1 {
			return eserr.IllegalArgument("[track_total_hits] parameter must be positive or equals to -1, got %d", n)
		}
		if n == math.MaxInt32 {
			n = math.MaxInt64
		}
		p.trackUpTo = n
		if p.totalAsInt && n != noTotal && n != math.MaxInt64 {
			return eserr.IllegalArgument("[rest_total_hits_as_int] cannot be used if the tracking of total hits is not accurate, got %d", n)
		}
	}
	return nil
}

func (p *Plan) parseLimits(r *api.SearchRequest) {
	b := &r.Body
	switch {
	case r.TerminateAfter != nil:
		p.terminateAfter = int64(*r.TerminateAfter)
	case b.TerminateAfter != nil:
		p.terminateAfter = int64(*b.TerminateAfter)
	}
	switch {
	case r.Timeout != nil:
		p.timeout = max(0, r.Timeout.D)
	case b.Timeout != nil:
		p.timeout = max(0, b.Timeout.D)
	}
	if b.MinScore != nil {
		m := float32(*b.MinScore)
		p.minScore = &m
	}
	override(&p.trackScores, r.TrackScores, b.TrackScores)
}

// sortOptions are the body's, and after them those of the URL.
func sortOptions(r *api.SearchRequest) []genaggs.SortOption {
	options := r.Body.Sort
	for _, s := range r.Sort {
		name, order := s, genaggs.SortOrderAsc
		if i := strings.LastIndexByte(s, ':'); i >= 0 {
			switch s[i+1:] {
			case "asc":
				name = s[:i]
			case "desc":
				name, order = s[:i], genaggs.SortOrderDesc
			default: // Elasticsearch then passes over all of it
				continue
			}
		}
		switch name {
		case "_score":
			if name == s {
				order = genaggs.SortOrderDesc
			}
			options = append(options, genaggs.SortOption{Kind: genaggs.SortOptionKindScore, Score: &genaggs.ScoreSort{Order: order}})
		case "_doc":
			options = append(options, genaggs.SortOption{Kind: genaggs.SortOptionKindDoc, Doc: &genaggs.FieldSort{Order: order}})
		default:
			options = append(options, genaggs.SortOption{Kind: genaggs.SortOptionKindField,
				Field: &jsonx.Pair[genaggs.FieldSort]{Key: name, Value: genaggs.FieldSort{Order: order}}})
		}
	}
	return options
}

// parseShard resolves the request against one index.
func (p *Plan) parseShard(s *shardPlan, t *metadata.Resolved, r *api.SearchRequest, options []genaggs.SortOption, now time.Time, indices int) error {
	b := &r.Body
	ix := t.Index
	if err := p.checkWindow(ix); err != nil {
		return err
	}
	c := contextOf(ix, now)
	var err error
	if s.query, err = parseQuery(c, r); err != nil {
		return err
	}
	clauses, filters, err := aliasFilters(c, t)
	if err != nil {
		return err
	}
	if len(filters) > 0 {
		s.query, s.base = query.Within(s.query, filters), query.AnyOf(filters)
	}
	if p.preFilter {
		s.mayMatch = mayMatch(c, r, clauses)
	}
	if err := p.parseSlice(c, s, b.Slice, indices); err != nil {
		return err
	}
	if b.PostFilter != nil {
		if s.post, err = query.Parse(c, b.PostFilter); err != nil {
			return err
		}
	}
	s.named = c.Names()
	s.sort = defaultSort()
	if len(options) > 0 {
		if s.sort, err = resolveSort(c, options); err != nil {
			return err
		}
		s.placeShardDocs()
	}
	if b.SearchAfter != nil {
		if p.scored {
			return eserr.IllegalArgument("Sort must contain at least one field.")
		}
		if s.after, err = parseCursor(s.sort, b.SearchAfter); err != nil {
			return err
		}
	}
	if p.hasAggs {
		s.hits = &hitsPlanner{plan: p, shard: s}
		if s.aggs, err = aggs.Parse(c, b.Aggregations, s.hits); err != nil {
			return err
		}
	}
	s.fetch, err = p.fetch.resolve(c)
	s.usedNow = c.UsedNow
	return err
}

func (p *Plan) checkWindow(ix *metadata.Index) error {
	window := ix.Settings.Int("index.max_result_window", 10000)
	n := p.from + p.size
	if p.reading == scrolled && n > window {
		return eserr.IllegalArgument("Batch size is too large, size must be less than or equal to: [%d] but was [%d]. Scroll batch sizes cost as much memory as result windows so they are controlled by the [index.max_result_window] index level setting.", window, n)
	}
	if n > window {
		return eserr.IllegalArgument("Result window is too large, from + size must be less than or equal to: [%d] but was [%d]. See the scroll api for a more efficient way to request large data sets. This limit can be set by changing the [index.max_result_window] index level setting.", window, n)
	}
	return nil
}

func contextOf(ix *metadata.Index, now time.Time) *query.Context {
	aliases := make([]string, len(ix.Aliases))
	for i := range ix.Aliases {
		aliases[i] = ix.Aliases[i].Name
	}
	return &query.Context{
		Index: ix.Name, UUID: ix.UUID, Mapping: ix.Mapping, Now: now, Aliases: aliases,
		MaxTerms:      ix.Settings.Int("index.max_terms_count", 65536),
		MaxRegexp:     ix.Settings.Int("index.max_regex_length", 1000),
		DefaultFields: ix.Settings.List("index.query.default_field"),
	}
}

// parseQuery takes q before the body's query.
func parseQuery(c *query.Context, r *api.SearchRequest) (query.Node, error) {
	if r.Q != nil {
		q := query.NewQueryString(*r.Q)
		q.Field, q.Lenient, q.And = r.Df, r.Lenient, r.DefaultOperator == genquery.OperatorAnd
		q.AnalyzeWildcard = isTrue(r.AnalyzeWildcard)
		if r.Analyzer != "" {
			q.Analyzer = &r.Analyzer
		}
		return query.ParseQueryString(c, q)
	}
	return query.Parse(c, r.Body.Query)
}

// aliasFilters are the filters of the aliases that the index was reached through.
func aliasFilters(c *query.Context, t *metadata.Resolved) (clauses []*genquery.QueryContainer, filters []query.Node, _ error) {
	for _, raw := range t.Filters() {
		v, err := jsonx.Parse(raw)
		if err != nil {
			return nil, nil, err
		}
		q, err := genquery.DecodeQueryContainer(v)
		if err != nil {
			return nil, nil, err
		}
		f, err := query.Parse(c, q)
		if err != nil {
			return nil, nil, err
		}
		clauses, filters = append(clauses, q), append(filters, f)
	}
	return clauses, filters, nil
}
