package traffic

import (
	"strings"

	"postern/conformance/recording"
)

// own are the members in which every engine tells of itself, by what the path begins with.
var own = [...]struct {
	path  string
	rules []string
}{
	{"/?", []string{
		"ignore name", "ignore cluster_name", "ignore cluster_uuid", "ignore version.number", "ignore version.build_flavor",
		"ignore version.build_type", "ignore version.build_hash", "ignore version.build_date", "ignore version.lucene_version",
		"ignore version.minimum_wire_compatibility_version", "ignore version.minimum_index_compatibility_version",
		"optional version.distribution",
	}},
	{"/_cluster/health", []string{
		"ignore cluster_name", "ignore number_of_nodes", "ignore number_of_data_nodes", "ignore active_primary_shards",
		"ignore active_shards", "ignore unassigned_shards", "optional unassigned_primary_shards", "ignore number_of_pending_tasks",
		"ignore task_max_waiting_in_queue_millis", "ignore active_shards_percent_as_number",
	}},
	{"/_nodes", []string{"ignore cluster_name", "ignore nodes"}},
	{"/_license", []string{
		"ignore license.uid", "ignore license.issue_date", "ignore license.issue_date_in_millis", "ignore license.issued_to",
		"ignore license.issuer", "optional license.max_resource_units",
	}},
	{"/_cat/", []string{
		"ignore *.uuid", `ignore *."store.size"`, `ignore *."pri.store.size"`, `ignore *."dataset.size"`, "ignore *.epoch",
		"ignore *.timestamp", "ignore *.cluster", "ignore *.node", "ignore *.name",
	}},
}

// ownRules returns the rules for the members of the answer to target that no two engines
// can agree on.
func ownRules(target string) []recording.Rule {
	path, _, _ := strings.Cut(target, "?")
	var rules []recording.Rule
	for _, o := range own {
		if !strings.HasPrefix(path, o.path) && !(o.path == "/?" && path == "/") {
			continue
		}
		for _, text := range o.rules {
			rule, err := recording.ParseRule(text)
			if err != nil {
				panic(err) // the list above is wrong
			}
			rules = append(rules, rule)
		}
	}
	return rules
}
