package query

import (
	"errors"

	gen "postern/generated/query"
	"postern/internal/eserr"
)

// clause parses one kind of query clause into the core tree.
type clause func(*Context, *gen.QueryContainer) (Node, error)

// clauseOf is the registry: one line a clause.
func clauseOf(kind gen.QueryContainerKind) clause {
	switch kind {
	case gen.KindBool:
		return parseBool
	case gen.KindBoosting:
		return parseBoosting
	case gen.KindCombinedFields:
		return parseCombinedFields
	case gen.KindConstantScore:
		return parseConstantScore
	case gen.KindDisMax:
		return parseDisMax
	case gen.KindDistanceFeature:
		return parseDistanceFeature
	case gen.KindExists:
		return parseExists
	case gen.KindFuzzy:
		return parseFuzzy
	case gen.KindGeoBoundingBox:
		return parseGeoBoundingBox
	case gen.KindGeoDistance:
		return parseGeoDistance
	case gen.KindIDs:
		return parseIDs
	case gen.KindIntervals:
		return parseIntervals
	case gen.KindMatch:
		return parseMatch
	case gen.KindMatchAll:
		return parseMatchAll
	case gen.KindMatchBoolPrefix:
		return parseMatchBoolPrefix
	case gen.KindMatchNone:
		return parseMatchNone
	case gen.KindMatchPhrase:
		return parseMatchPhrase
	case gen.KindMatchPhrasePrefix:
		return parseMatchPhrasePrefix
	case gen.KindMultiMatch:
		return parseMultiMatch
	case gen.KindNested:
		return parseNested
	case gen.KindPrefix:
		return parsePrefix
	case gen.KindQueryString:
		return parseQueryString
	case gen.KindSimpleQueryString:
		return parseSimpleQueryString
	case gen.KindRange:
		return parseRange
	case gen.KindRegexp:
		return parseRegexp
	case gen.KindTerm:
		return parseTerm
	case gen.KindTerms:
		return parseTerms
	case gen.KindTermsSet:
		return parseTermsSet
	case gen.KindWrapper:
		return parseWrapper
	case gen.KindWildcard:
		return parseWildcard
	}
	return nil
}

// Parse turns a clause of the request language into the core tree of one index. A nil
// clause matches everything. Errors are *eserr.Error.
func Parse(c *Context, q *gen.QueryContainer) (Node, error) {
	if q == nil {
		return matchAll{}, nil
	}
	parse := clauseOf(q.Kind)
	if parse == nil {
		return nil, eserr.Refused("[%s] query is not supported", q.Kind)
	}
	n, err := parse(c, q)
	var request *RequestError
	if errors.As(err, &request) {
		return nil, request
	}
	var e *eserr.Error
	if errors.As(err, &e) {
		return nil, c.asShardError(e)
	}
	return n, err
}

// asShardError wraps the error of a value in the query_shard_exception that
// Elasticsearch gives it; errors of that type, of the request itself and refusals
// stay what they are.
func (c *Context) asShardError(e *eserr.Error) *eserr.Error {
	switch {
	case e.Type == "query_shard_exception", e.Type == "parsing_exception", e.Type == "x_content_parse_exception", e.Status == 501:
		return e
	case e.Type == "parse_exception" && c.unwrapped:
		c.unwrapped = false
		return e
	}
	return eserr.QueryShard(c.Index, c.UUID, "failed to create query: %s", e.Reason).Cause(e)
}

// parseAll parses a list of clauses.
func parseAll(c *Context, list []gen.QueryContainer) ([]Node, error) {
	if len(list) == 0 {
		return nil, nil
	}
	nodes := make([]Node, 0, len(list))
	for i := range list {
		n, err := Parse(c, &list[i])
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, n)
	}
	return nodes, nil
}

func orDefault(v, def int) int {
	if v == 0 {
		return def
	}
	return v
}
