package replay

import (
	"regexp"

	"postern/conformance/jsontree"
	"postern/conformance/recording"
)

// defaultRules is what two runs of one engine can't agree on, in any recording.
func defaultRules() []recording.Rule {
	var rules []recording.Rule
	for _, text := range []string{
		"ignore **.took",
		"ignore **.creation_date",
		"ignore **.settings.index.uuid",
		"ignore **.settings.index.version.created",
		`ignore **."index.uuid"`,
		`ignore **."index.creation_date"`,
		`ignore **."index.version.created"`,
		"ignore **.failed_shards.*.node",
		"ignore **.failures.*.node",
		// a set, in an order of its own at each start
		"unordered **.matched_queries",
		"tolerance 1e-5 **._score",
		"tolerance 1e-5 **.max_score",
	} {
		r, err := recording.ParseRule(text)
		if err != nil {
			panic(err) // the list above is wrong
		}
		rules = append(rules, r)
	}
	return rules
}

// uuidOfIndex is how an error's text names an index with its uuid: [name/uuid].
var uuidOfIndex = regexp.MustCompile(`(\[[^\[\]/]+)/[A-Za-z0-9_-]{22}\]`)

// forbidden is how an error's text lists characters, in the order of a set that is
// another one at each start of Elasticsearch.
var forbidden = regexp.MustCompile(`following characters \[.*?'\]`)

// blur replaces in errors the uuids of indices and the order of sets. The constant uuid
// that Elasticsearch shows when there is no index stays.
func blur(v jsontree.Value) jsontree.Value {
	return jsontree.Map(v, func(at []string, v jsontree.Value) jsontree.Value {
		s, ok := v.(string)
		if !ok {
			return v
		}
		if len(at) > 0 && at[len(at)-1] == "index_uuid" && s != "_na_" {
			return ignored
		}
		s = forbidden.ReplaceAllString(s, "following characters "+ignored)
		return uuidOfIndex.ReplaceAllString(s, "$1/"+ignored+"]")
	})
}
