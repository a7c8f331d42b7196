package planner

import (
	"context"
	"math"
	"strconv"

	"postern/generated/api"
	"postern/internal/metadata"
)

// CountAnswer is the result of a count.
type CountAnswer struct {
	// TerminatedEarly is nil unless the request bounded how much is counted.
	TerminatedEarly *bool
	Count           int64
	Shards          Shards
}

// Count counts the documents that match.
func (p *Planner) Count(ctx context.Context, targets []metadata.Resolved, r *api.CountRequest) (*CountAnswer, error) {
	none := 0
	all := true
	s := &api.SearchRequest{
		Analyzer: r.Analyzer, AnalyzeWildcard: r.AnalyzeWildcard, DefaultOperator: r.DefaultOperator, Df: r.Df,
		Lenient: r.Lenient, Q: r.Q, TerminateAfter: r.TerminateAfter, Size: &none,
		TrackTotalHits: &api.TrackHits{Enabled: &all},
		Body:           api.SearchBody{Query: r.Body.Query, MinScore: r.MinScore},
	}
	a, err := p.Search(ctx, targets, s)
	if err != nil {
		return nil, err
	}
	c := &CountAnswer{Count: a.Total.Value, Shards: a.Shards}
	if r.TerminateAfter != nil && *r.TerminateAfter > 0 && *r.TerminateAfter < math.MaxInt32 {
		c.TerminatedEarly = a.TerminatedEarly
	}
	return c, nil
}

// AppendJSON appends the answer.
func (c *CountAnswer) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	if c.TerminatedEarly != nil {
		dst = strconv.AppendBool(append(dst, `"terminated_early":`...), *c.TerminatedEarly)
		dst = append(dst, ',')
	}
	dst = strconv.AppendInt(append(dst, `"count":`...), c.Count, 10)
	dst = c.Shards.AppendJSON(append(dst, `,"_shards":`...))
	return append(dst, '}')
}
