package planner

import (
	"slices"

	genaggs "postern/generated/aggs"
	"postern/generated/api"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/planner/query"
)

// reading is what a search reads, and how often.
type reading uint8

const (
	once        reading = iota // what is there now
	scrolled                   // what was there at its first page
	pointInTime                // what was there when the point was opened
)

// shardDocSort is the sort key that tells any two documents of a point in time apart.
const shardDocSort = "_shard_doc"

// parseReading finds out how the request reads, and refuses what does not go with it.
func (p *Plan) parseReading(r *api.SearchRequest) error {
	b := &r.Body
	var wrong []string
	if r.Scroll != nil {
		p.reading = scrolled
		wrong = unscrollable(r)
	}
	if b.Pit != nil {
		if p.reading == scrolled {
			wrong = append(wrong, "using [point in time] is not allowed in a scroll context")
		}
		p.reading = pointInTime
		wrong = append(wrong, besidePoint(r)...)
	} else if slices.ContainsFunc(b.Sort, isShardDoc) {
		wrong = append(wrong, "["+shardDocSort+"] sort field cannot be used without [point in time]")
	}
	if b.Slice != nil && p.reading == once {
		wrong = append(wrong, "[slice] can only be used with [scroll] or [point-in-time] requests")
	}
	if wrong != nil {
		return eserr.ActionValidation(wrong...)
	}
	return checkSlice(b.Slice)
}

// unscrollable lists what a scroll does not take.
func unscrollable(r *api.SearchRequest) (wrong []string) {
	b := &r.Body
	t := r.TrackTotalHits
	if t == nil {
		t = b.TrackTotalHits
	}
	if t != nil && (t.Enabled == nil || !*t.Enabled) {
		wrong = append(wrong, "disabling [track_total_hits] is not allowed in a scroll context")
	}
	from, size := 0, defaultSize
	override(&from, r.From, b.From)
	override(&size, r.Size, b.Size)
	if from > 0 {
		wrong = append(wrong, "using [from] is not allowed in a scroll context")
	}
	if size == 0 {
		wrong = append(wrong, "[size] cannot be [0] in a scroll context")
	}
	if len(b.SearchAfter) > 0 {
		wrong = append(wrong, "[search_after] cannot be used in a scroll context")
	}
	if isTrue(r.RequestCache) {
		wrong = append(wrong, "[request_cache] cannot be used in a scroll context")
	}
	return wrong
}

// besidePoint lists what a search of a point in time does not take, since the point has
// it all.
func besidePoint(r *api.SearchRequest) (wrong []string) {
	if len(r.Index) > 0 {
		wrong = append(wrong, "[indices] cannot be used with point in time. Do not specify any index with point in time.")
	}
	if r.Routing != "" {
		wrong = append(wrong, "[routing] cannot be used with point in time")
	}
	if r.Preference != "" {
		wrong = append(wrong, "[preference] cannot be used with point in time")
	}
	return wrong
}

// breakTies appends the key that tells any two documents apart, where pages follow one
// another: to the sort of a point in time, which shows it, and behind that of a scroll,
// which does not. It returns how many keys are shown. after is the length of the cursor.
func (p *Plan) breakTies(options []genaggs.SortOption, after int) ([]genaggs.SortOption, int) {
	tie := genaggs.SortOption{Kind: genaggs.SortOptionKindField, Field: &jsonx.Pair[genaggs.FieldSort]{Key: shardDocSort}}
	switch p.reading {
	case scrolled:
		shown := len(options)
		if shown == 0 {
			best := genaggs.SortOption{Kind: genaggs.SortOptionKindScore, Score: &genaggs.ScoreSort{Order: genaggs.SortOrderDesc}}
			options, shown = []genaggs.SortOption{best}, 1
		}
		return append(slices.Clip(options), tie), shown
	case pointInTime:
		n := len(options)
		if n == 0 || after == n || slices.ContainsFunc(options, isShardDoc) {
			break
		}
		options = append(slices.Clip(options), tie)
	}
	return options, len(options)
}

func isShardDoc(s genaggs.SortOption) bool { return s.Field != nil && s.Field.Key == shardDocSort }

// placeShardDocs gives the documents of the index their place after those of the indices
// before it.
func (s *shardPlan) placeShardDocs() {
	for _, f := range s.sort {
		if f.kind == sortShardDoc {
			f.first = int64(s.at) << 32
		}
	}
}

// parseSlice leaves of the index what a slice does.
func (p *Plan) parseSlice(c *query.Context, s *shardPlan, slice *api.SlicedScroll, indices int) error {
	if slice == nil {
		return nil
	}
	n, err := p.slice(c, s, slice, s.at, indices)
	if err != nil || n == nil {
		return err
	}
	s.query = query.Within(s.query, []query.Node{n})
	if s.base == nil {
		s.base = n
	} else {
		s.base = query.Within(s.base, []query.Node{n})
	}
	return nil
}
