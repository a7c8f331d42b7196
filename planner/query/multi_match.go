package query

import (
	"strconv"
	"strings"

	gen "postern/generated/query"
	"postern/internal/eserr"
	"postern/internal/mapping"
)

func parseMultiMatch(c *Context, q *gen.QueryContainer) (Node, error) {
	m := q.MultiMatch
	fuzzy, err := fuzzyOf(m.Fuzziness, m.PrefixLength, m.MaxExpansions, m.FuzzyTranspositions, m.FuzzyRewrite)
	if err != nil {
		return nil, err
	}
	s := matchSpec{
		clause: "multi_match", text: m.Query, analyzer: m.Analyzer, all: m.Operator == gen.OperatorAnd, fuzzy: fuzzy,
		need: m.MinimumShouldMatch, lenient: isTrue(m.Lenient), zeroTerms: m.ZeroTermsQuery == gen.ZeroTermsQueryAll,
	}
	if m.Slop != nil {
		if s.slop = *m.Slop; s.slop < 0 {
			return nil, negativeSlop()
		}
	}
	if err := checkMultiMatch(m, fuzzy); err != nil {
		return nil, err
	}
	fields, all, err := c.weighFields(m.Fields)
	if err != nil {
		return nil, err
	}
	if all && m.Lenient == nil {
		s.lenient = true
	}
	n, err := c.anyField(fields, s, m.Type, m.TieBreaker)
	if err != nil {
		return nil, err
	}
	return c.finish(n, m.Boost, m.Name)
}

// checkMultiMatch refuses what no index is needed for.
func checkMultiMatch(m *gen.MultiMatchQuery, fuzzy fuzzySpec) error {
	if err := checkExpansions("multi_match", fuzzy); err != nil {
		return err
	}
	var what string
	switch m.Type {
	case gen.TextQueryTypeCrossFields, gen.TextQueryTypePhrase, gen.TextQueryTypePhrasePrefix:
		if fuzzy.on {
			what = "Fuzziness not allowed for type [" + m.Type.String() + "]"
		}
	case gen.TextQueryTypeBoolPrefix:
		if m.Slop != nil && *m.Slop != 0 {
			what = "[slop] not allowed for type [bool_prefix]"
		}
	}
	if what == "" {
		return nil
	}
	return &RequestError{&eserr.Error{Status: 400, Type: "parsing_exception", Reason: what}}
}

// anyField asks the same text of several fields; how they count together is the type's
// matter. What is not mapped is passed over.
func (c *Context) anyField(fields []weighedField, s matchSpec, as gen.TextQueryType, tieBreaker *float64) (Node, error) {
	var tie float32
	switch as {
	case gen.TextQueryTypeMostFields:
		tie = 1
	case gen.TextQueryTypePhrase:
		s.kind = matchPhrase
	case gen.TextQueryTypePhrasePrefix:
		s.kind = matchPhrasePrefix
	case gen.TextQueryTypeBoolPrefix:
		s.kind, tie = matchBoolPrefix, 1
	}
	if tieBreaker != nil {
		tie = float32(*tieBreaker)
	}
	if as == gen.TextQueryTypeCrossFields {
		return c.crossFields(fields, s, tie)
	}
	nodes := make([]Node, 0, len(fields))
	for _, f := range fields {
		n, err := c.matchQuery(f.name, s)
		if err != nil {
			return nil, err
		}
		if n != nil {
			nodes = append(nodes, boost(n, f.boost))
		}
	}
	if len(nodes) == 0 && s.optional && len(fields) > 0 {
		return nil, nil
	}
	return newDisMax(nodes, tie), nil
}

// weighedField is a field with the boost its "name^boost" gave it.
type weighedField struct {
	name  string
	boost float32
}

// weighFields expands the fields of a text query; all tells that they are every field
// there is. Without fields it is the index's default.
func (c *Context) weighFields(specs []string) (fields []weighedField, all bool, _ error) {
	if len(specs) == 0 {
		specs = c.DefaultFields
	}
	if len(specs) == 0 {
		specs = []string{"*"}
	}
	at := make(map[string]int)
	for _, spec := range specs {
		name, factor := spec, float32(1)
		if i := strings.LastIndexByte(spec, '^'); i >= 0 {
			f, err := strconv.ParseFloat(spec[i+1:], 32)
			if err != nil {
				return nil, false, &RequestError{eserr.NumberFormat("For input string: \"" + spec[i+1:] + "\"")}
			}
			name, factor = spec[:i], float32(f)
		}
		names := []string{name}
		if strings.Contains(name, "*") {
			all = all || name == "*"
			names = c.textLike(name)
		}
		for _, n := range names {
			if i, ok := at[n]; ok {
				fields[i].boost *= factor
				continue
			}
			at[n] = len(fields)
			fields = append(fields, weighedField{n, factor})
		}
	}
	return fields, all, nil
}

// textLike lists the fields a pattern stands for in a text query: those that a term
// can be asked of.
func (c *Context) textLike(patternText string) []string {
	var names []string
	for _, f := range c.Mapping.Match(patternText) {
		switch f.Type {
		case "geo_point", "binary", "dense_vector":
			continue
		}
		if f.Index || f.DocValues && f.Kind != mapping.KindText {
			names = append(names, f.Name)
		}
	}
	return names
}
