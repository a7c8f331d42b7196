package query

import (
	"strconv"
	"strings"

	"postern/internal/eserr"
)

// rewriteMethod is how the terms that a multi-term query stands for are scored.
type rewriteMethod uint8

const (
	rewriteConstant rewriteMethod = iota // every match scores the boost
	rewriteClauses                       // so does it, but the terms are bounded as clauses are
	rewriteScored                        // each term as a clause of a bool
	rewriteBoosts                        // each term counts its weight
	rewriteBlended                       // as scored, all as frequent as the most frequent
)

// rewritten makes the node of a multi-term query for a rewrite method; "" stands for
// the clause's own default.
func (c *Context) rewritten(col column, terms finder, method string, byDefault expansion) (Node, error) {
	n := byDefault
	if method != "" {
		var err *eserr.Error
		if n.method, n.size, err = parseRewrite(method); err != nil {
			return nil, err
		}
	}
	if n.method == rewriteConstant {
		return &pattern{col, terms}, nil
	}
	n.column, n.terms, n.limit = col, terms, orDefault(c.MaxClauses, defaultMaxClauses)
	return &n, nil
}

// parseRewrite reads the name of a rewrite method; size bounds its terms, 0 for all.
func parseRewrite(name string) (method rewriteMethod, size int, _ *eserr.Error) {
	switch strings.ToLower(name) {
	case "constant_score", "constant_score_blended":
		return rewriteConstant, 0, nil
	case "constant_score_boolean":
		return rewriteClauses, 0, nil
	case "scoring_boolean":
		return rewriteScored, 0, nil
	}
	top, size := lastDigits(name)
	switch top {
	case "top_terms_":
		return rewriteScored, size, nil
	case "top_terms_boost_":
		return rewriteBoosts, size, nil
	case "top_terms_blended_freqs_":
		return rewriteBlended, size, nil
	}
	return 0, 0, eserr.IllegalArgument("Failed to parse rewrite_method [%s]", name)
}

// lastDigits splits the number off the end of a name; the name is empty without one.
func lastDigits(s string) (name string, n int) {
	name = strings.TrimRight(s, "0123456789")
	n, err := strconv.Atoi(s[len(name):])
	if err != nil {
		return "", 0
	}
	return name, n
}
