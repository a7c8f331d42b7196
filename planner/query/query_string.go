package query

import (
	"strings"

	gen "postern/generated/query"
	"postern/internal/datemath"
	"postern/internal/eserr"
)

func parseQueryString(c *Context, q *gen.QueryContainer) (Node, error) {
	m := q.QueryString
	s := NewQueryString(m.Query)
	if m.DefaultField != nil && len(m.Fields) > 0 {
		return nil, &eserr.Error{Status: 400, Type: "query_validation_exception",
			Reason: "Validation Failed: 1: [query_string] cannot use [fields] parameter in conjunction with [default_field];"}
	}
	set(&s.Field, m.DefaultField)
	set(&s.Leading, m.AllowLeadingWildcard)
	set(&s.AnalyzeWildcard, m.AnalyzeWildcard)
	set(&s.QuoteSuffix, m.QuoteFieldSuffix)
	set(&s.Rewrite, m.Rewrite)
	set(&s.States, m.MaxDeterminizedStates)
	s.Fields, s.And, s.Lenient = m.Fields, m.DefaultOperator == gen.OperatorAnd, m.Lenient
	s.Analyzer, s.QuoteAnalyzer, s.Need = m.Analyzer, m.QuoteAnalyzer, m.MinimumShouldMatch
	s.TieBreaker, s.Type = m.TieBreaker, m.Type
	if m.PhraseSlop != nil {
		s.Slop = int(*m.PhraseSlop)
	}
	if isTrue(m.Escape) {
		s.Text = escapeQuery(s.Text)
	}
	fuzzy, err := fuzzyOf(m.Fuzziness, m.FuzzyPrefixLength, m.FuzzyMaxExpansions, m.FuzzyTranspositions, m.FuzzyRewrite)
	if err != nil {
		return nil, err
	}
	if !fuzzy.on {
		fuzzy.fuzziness = autoFuzziness()
	}
	if fuzzy.rewrite != "" {
		if _, _, err := parseRewrite(fuzzy.rewrite); err != nil {
			return nil, err
		}
	}
	fuzzy.rewrite = "" // Elasticsearch reads it and then scores such terms as always
	s.fuzzy = fuzzy
	if m.TimeZone != nil {
		if s.Zone, err = datemath.Zone(*m.TimeZone); err != nil {
			return nil, &RequestError{asError(err)}
		}
	}
	n, err := ParseQueryString(c, s)
	if err != nil {
		return nil, err
	}
	return c.finish(n, m.Boost, m.Name)
}

// set takes a member that is given.
func set[T any](at *T, given *T) {
	if given != nil {
		*at = *given
	}
}

// escapeQuery takes the meaning off every character that has one in a query string.
func escapeQuery(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(`\+-!():^[]"{}~*?|&/`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
