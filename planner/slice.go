package planner

import (
	"postern/generated/api"
	"postern/internal/eserr"
	"postern/planner/query"
)

// slice gives the node that leaves one index's part of a slice; nil leaves all of it.
// With several indices a slice is whole indices, or a slice of one of them.
func (p *Plan) slice(c *query.Context, s *shardPlan, b *api.SlicedScroll, at, indices int) (query.Node, error) {
	id, slices := b.ID, b.Max
	most := s.index.Settings.Int("index.max_slices_per_scroll", 1024)
	if slices > most {
		return nil, eserr.IllegalArgument("The number of slices [%d] is too large. It must be less than [%d]. This limit can be set by changing the [index.max_slices_per_scroll] index level setting.", slices, most)
	}
	if indices > 1 {
		if slices < indices {
			if at%slices != id {
				return query.MatchNone(), nil
			}
			return nil, nil
		}
		if id%indices != at {
			return query.MatchNone(), nil
		}
		slices, id = (slices-at+indices-1)/indices, id/indices
		if slices == 1 {
			return nil, nil
		}
	}
	field := ""
	switch {
	case b.Field != nil:
		if field = *b.Field; field == "_id" && p.reading == pointInTime {
			return nil, eserr.IllegalArgument("cannot slice on [_id] when using [point-in-time]")
		}
	case p.reading == scrolled:
		field = "_id"
	}
	return query.Slice(c, field, id, slices)
}

// checkSlice refuses slices that no number of them holds. Elasticsearch complains while it
// reads the second of the two.
func checkSlice(s *api.SlicedScroll) error {
	if s != nil && s.Max > 0 && s.ID >= s.Max {
		return eserr.IllegalArgument("max must be greater than id")
	}
	return nil
}
