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
	rewriteScored                        // each term as a clause of a bool
	rewriteBoosts                        // each term counts its weight
	rewriteBlended                       // as scored, all as frequent as the most frequent
)

// rewritten makes the node of a multi-term query for a rewrite method; "" stands for
// the clause's own default.
func (c *Context) rewritten(col column, terms finder, method string, byDefault expansion) (Node, error) {
	n := expansion{column: col, terms: terms, limit: orDefault(c.MaxClauses, defaultMaxClauses)}
	switch m := strings.ToLower(method); {
	case m == "":
		n.method, n.size = byDefault.method, byDefault.size
	case m == "constant_score", m == "constant_score_blended":
		return &pattern{col, terms}, nil
	case m == "constant_score_boolean":
	case m == "scoring_boolean":
		n.method = rewriteScored
	default:
		top, size := lastDigits(method)
		switch top {
		case "top_terms_":
			n.method = rewriteScored
		case "top_terms_boost_":
			n.method = rewriteBoosts
		case "top_terms_blended_freqs_":
			n.method = rewriteBlended
		default:
			return nil, eserr.IllegalArgument("Failed to parse rewrite_method [%s]", method)
		}
		n.size = size
	}
	if n.method == rewriteConstant && method == "" {
		return &pattern{col, terms}, nil
	}
	return &n, nil
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
