package query

import (
	"strings"

	"postern/internal/eserr"
)

// checkRewrite takes the ways of rewriting a pattern that give every match the boost
// as its score, which is also what happens without one. The others score by terms.
func checkRewrite(method string) error {
	switch strings.ToLower(method) {
	case "", "constant_score", "constant_score_blended", "constant_score_boolean":
		return nil
	case "scoring_boolean":
		return eserr.Refused("the rewrite method [%s] is not supported in this version of Postern", method)
	}
	if strings.HasPrefix(method, "top_terms_") {
		return eserr.Refused("the rewrite method [%s] is not supported in this version of Postern", method)
	}
	return eserr.IllegalArgument("Failed to parse rewrite_method [%s]", method)
}
