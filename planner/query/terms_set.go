package query

import (
	gen "postern/generated/query"
	"postern/internal/eserr"
	"postern/internal/mapping"
)

func parseTermsSet(c *Context, q *gen.QueryContainer) (Node, error) {
	t := &q.TermsSet.Value
	n := &covering{}
	if t.MinimumShouldMatch != "" && t.MinimumShouldMatchField != nil {
		return nil, &RequestError{eserr.IllegalArgument("A field or script has already been specified. Cannot specify both a value and a script or field")}
	}
	if len(t.Terms) == 0 {
		return c.finish(matchNone{}, t.Boost, t.Name)
	}
	if len(t.Terms) > orDefault(c.MaxClauses, defaultMaxClauses) {
		return nil, eserr.IllegalArgument("maxClauseCount is set to %d", orDefault(c.MaxClauses, defaultMaxClauses))
	}
	switch {
	case t.MinimumShouldMatch != "":
		need, err := neededOf(len(t.Terms), t.MinimumShouldMatch)
		if err != nil {
			return nil, err
		}
		n.need = need
	case t.MinimumShouldMatchField != nil:
		f := c.field(*t.MinimumShouldMatchField)
		if f == nil {
			return nil, c.fail("failed to find minimum_should_match field [%s]", *t.MinimumShouldMatchField)
		}
		if f.Kind != mapping.KindLong && f.Kind != mapping.KindDouble || f.Type == "date" || f.Type == "boolean" {
			return nil, eserr.IllegalArgument("[%s] is of type [%s], which no minimum is read from", f.Name, f.Type)
		}
		n.field, n.double = f.Name, f.Kind == mapping.KindDouble
	default:
		return nil, &eserr.Error{Status: 400, Type: "illegal_state_exception", Reason: "No minimum should match has been specified"}
	}
	f := c.field(q.TermsSet.Key)
	if f == nil {
		return c.finish(matchNone{}, t.Boost, t.Name)
	}
	for _, v := range t.Terms {
		one, err := c.termOf(f, v)
		if err != nil {
			return nil, err
		}
		n.nodes = append(n.nodes, one)
	}
	return c.finish(n, t.Boost, t.Name)
}
