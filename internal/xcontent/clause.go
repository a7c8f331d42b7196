package xcontent

import (
	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// maxQueryDepth is the default of indices.query.bool.max_nested_depth.
const maxQueryDepth = 30

// Clause opens a query: an object with one key, which names the kind of query.
func Clause(v jsonx.Value) (jsonx.Key, jsonx.Value, error) {
	if v.Kind() != jsonx.Object {
		// the parser looks for the brace once more
		token, line, col := v.Next()
		if token == "START_OBJECT" && v.Kind() == jsonx.Array {
			for e := range v.Elements() {
				return Clause(e)
			}
		}
		return jsonx.Key{}, v, eserr.Parsing(line, col, "[_na] query malformed, must start with start_object")
	}
	for k, m := range v.Members() {
		if m.Kind() != jsonx.Object {
			line, col := m.Pos()
			return k, m, eserr.Parsing(line, col, "[%s] query malformed, no start_object after query name", k.Text())
		}
		if m.Enter() > maxQueryDepth {
			return k, m, standing(m, eserr.IllegalArgument("The nested depth of the query exceeds the maximum nested depth for queries set in [indices.query.bool.max_nested_depth]"))
		}
		return k, m, nil
	}
	line, col := v.EndPos()
	return jsonx.Key{}, v, standingAtEnd(v, eserr.IllegalArgument("query malformed, empty clause found at [%d:%d]", line, col))
}

// ClauseEnd checks that nothing follows the first key of a query.
func ClauseEnd(v jsonx.Value) error {
	v.Leave()
	first := ""
	for k := range v.Members() {
		if first == "" {
			first = k.Text()
			continue
		}
		line, col := k.Pos()
		return eserr.Parsing(line, col, "[%s] malformed query, expected [END_OBJECT] but found [FIELD_NAME]", first)
	}
	return nil
}

// UnknownClause is the complaint about a query that does not exist.
func UnknownClause(k jsonx.Key, m jsonx.Value, known []string) error {
	return unknownNamed(k, m, "unknown query ["+k.Text()+"]"+Suggest(k.Text(), known))
}

// unknownNamed is the complaint of a parser that looks its parts up by name.
func unknownNamed(k jsonx.Key, m jsonx.Value, reason string) error {
	line, col := m.Pos()
	cause := eserr.XContentParse(line, col, "unknown field [%s]", k.Text())
	cause.Type = "named_object_not_found_exception"
	return eserr.Parsing(line, col, "%s", reason).Cause(cause)
}

// RefusedClause is the answer to a query or aggregation that Postern does not have.
func RefusedClause(what string, k jsonx.Key) error {
	return eserr.Refused("the %s [%s] is not supported in this version of Postern", what, k.Text())
}
