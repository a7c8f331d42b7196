package metadata

import "strings"

// valueKind is what a setting's text must be.
type valueKind uint8

const (
	anyText valueKind = iota
	anyList
	boolean
	integer // within low and high
	decimal
	duration // not below low milliseconds
	size
)

// definition is what is known of one setting.
type definition struct {
	name    string
	kind    valueKind
	low     int64
	high    int64
	dynamic bool // may be changed while the index is open
	// fallback is what include_defaults shows; list settings write theirs as JSON.
	fallback string
	// only lists the values that Postern takes, where it does not honour others; nil for
	// all.
	only []string
}

const unbounded = 1<<31 - 1

// definitions are the settings of an index, as Elasticsearch 8.15.0 shows them, sorted.
// Those that steer what only Elasticsearch has inside (merges, the translog, caches, shard
// allocation) are kept and shown; what would change an answer and is not honoured is
// restricted to its default by only.
func definitions() []definition {
	return []definition{
		{name: "index.allocation.existing_shards_allocator", fallback: "gateway_allocator"},
		{name: "index.allocation.max_retries", kind: integer, high: unbounded, dynamic: true, fallback: "5"},
		{name: "index.analyze.max_token_count", kind: integer, low: 1, high: unbounded, dynamic: true, fallback: "10000"},
		{name: "index.auto_expand_replicas", dynamic: true, fallback: "false"},
		{name: "index.blocks.metadata", kind: boolean, dynamic: true, fallback: "false"},
		{name: "index.blocks.read", kind: boolean, dynamic: true, fallback: "false"},
		{name: "index.blocks.read_only", kind: boolean, dynamic: true, fallback: "false"},
		{name: "index.blocks.read_only_allow_delete", kind: boolean, dynamic: true, fallback: "false"},
		{name: "index.blocks.write", kind: boolean, dynamic: true, fallback: "false"},
		{name: "index.bloom_filter_for_id_field.enabled", kind: boolean, dynamic: true, fallback: "true"},
		{name: "index.codec", fallback: "default"},
		{name: "index.compound_format", dynamic: true, fallback: "1gb"},
		{name: "index.data_path", fallback: ""},
		{name: "index.default_pipeline", dynamic: true, fallback: "_none", only: []string{"_none"}},
		{name: "index.fast_refresh", kind: boolean, fallback: "false"},
		{name: "index.fielddata.cache", fallback: "node"},
		{name: "index.final_pipeline", dynamic: true, fallback: "_none", only: []string{"_none"}},
		{name: "index.flush_after_merge", kind: size, dynamic: true, fallback: "512mb"},
		{name: "index.force_memory_term_dictionary", kind: boolean, fallback: "false"},
		{name: "index.format", kind: integer, high: unbounded, fallback: "0"},
		{name: "index.gc_deletes", kind: duration, low: -1, dynamic: true, fallback: "60s"},
		{name: "index.hidden", kind: boolean, dynamic: true, fallback: "false"},
		{name: "index.highlight.max_analyzed_offset", kind: integer, low: 1, high: unbounded, dynamic: true, fallback: "1000000"},
		{name: "index.highlight.weight_matches_mode.enabled", kind: boolean, dynamic: true, fallback: "true"},
		{name: "index.indexing.slowlog.include.user", kind: boolean, dynamic: true, fallback: "false"},
		{name: "index.indexing.slowlog.level", dynamic: true, fallback: "TRACE"},
		{name: "index.indexing.slowlog.reformat", kind: boolean, dynamic: true, fallback: "true"},
		{name: "index.indexing.slowlog.source", dynamic: true, fallback: "1000"},
		{name: "index.indexing.slowlog.threshold.index.debug", kind: duration, low: -1, dynamic: true, fallback: "-1"},
		{name: "index.indexing.slowlog.threshold.index.info", kind: duration, low: -1, dynamic: true, fallback: "-1"},
		{name: "index.indexing.slowlog.threshold.index.trace", kind: duration, low: -1, dynamic: true, fallback: "-1"},
		{name: "index.indexing.slowlog.threshold.index.warn", kind: duration, low: -1, dynamic: true, fallback: "-1"},
		{name: "index.lifecycle.origination_date", kind: integer, low: -1, high: 1<<63 - 1, dynamic: true, fallback: "-1"},
		{name: "index.lifecycle.parse_origination_date", kind: boolean, dynamic: true, fallback: "false"},
		{name: "index.lifecycle.prefer_ilm", kind: boolean, dynamic: true, fallback: "true"},
		{name: "index.load_fixed_bitset_filters_eagerly", kind: boolean, fallback: "true"},
		{name: "index.mapper.dynamic", kind: boolean, dynamic: true, fallback: "true"},
		{name: "index.mapping.coerce", kind: boolean, fallback: "false"},
		{name: "index.mapping.depth.limit", kind: integer, low: 1, high: unbounded, dynamic: true, fallback: "20"},
		{name: "index.mapping.dimension_fields.limit", kind: integer, high: 1<<63 - 1, dynamic: true, fallback: "32768"},
		{name: "index.mapping.field_name_length.limit", kind: integer, low: 1, high: 1<<63 - 1, dynamic: true, fallback: "9223372036854775807"},
		{name: "index.mapping.ignore_malformed", kind: boolean, fallback: "false"},
		{name: "index.mapping.nested_fields.limit", kind: integer, high: 1<<63 - 1, dynamic: true, fallback: "50"},
		{name: "index.mapping.nested_objects.limit", kind: integer, high: 1<<63 - 1, dynamic: true, fallback: "10000"},
		{name: "index.mapping.total_fields.ignore_dynamic_beyond_limit", kind: boolean, dynamic: true, fallback: "false", only: []string{"false"}},
		{name: "index.mapping.total_fields.limit", kind: integer, high: 1<<63 - 1, dynamic: true, fallback: "1000"},
		{name: "index.max_adjacency_matrix_filters", kind: integer, low: 2, high: unbounded, dynamic: true, fallback: "100"},
		{name: "index.max_docvalue_fields_search", kind: integer, high: unbounded, dynamic: true, fallback: "100"},
		{name: "index.max_inner_result_window", kind: integer, low: 1, high: unbounded, dynamic: true, fallback: "100"},
		{name: "index.max_ngram_diff", kind: integer, high: unbounded, dynamic: true, fallback: "1"},
		{name: "index.max_refresh_listeners", kind: integer, high: unbounded, dynamic: true, fallback: "1000"},
		{name: "index.max_regex_length", kind: integer, low: 1, high: unbounded, dynamic: true, fallback: "1000"},
		{name: "index.max_rescore_window", kind: integer, low: 1, high: unbounded, dynamic: true, fallback: "10000"},
		{name: "index.max_result_window", kind: integer, low: 1, high: unbounded, dynamic: true, fallback: "10000"},
		{name: "index.max_script_fields", kind: integer, high: unbounded, dynamic: true, fallback: "32"},
		{name: "index.max_shingle_diff", kind: integer, high: unbounded, dynamic: true, fallback: "3"},
		{name: "index.max_slices_per_scroll", kind: integer, low: 1, high: unbounded, dynamic: true, fallback: "1024"},
		{name: "index.max_terms_count", kind: integer, low: 1, high: unbounded, dynamic: true, fallback: "65536"},
		{name: "index.merge.policy.deletes_pct_allowed", kind: decimal, dynamic: true, fallback: "20.0"},
		{name: "index.merge.policy.expunge_deletes_allowed", kind: decimal, dynamic: true, fallback: "10.0"},
		{name: "index.merge.policy.floor_segment", kind: size, dynamic: true, fallback: "2mb"},
		{name: "index.merge.policy.max_merge_at_once", kind: integer, low: 2, high: unbounded, dynamic: true, fallback: "10"},
		{name: "index.merge.policy.max_merge_at_once_explicit", kind: integer, low: 2, high: unbounded, dynamic: true, fallback: "30"},
		{name: "index.merge.policy.max_merged_segment", kind: size, dynamic: true, fallback: "0b"},
		{name: "index.merge.policy.merge_factor", kind: integer, low: 2, high: unbounded, dynamic: true, fallback: "32"},
		{name: "index.merge.policy.segments_per_tier", kind: decimal, dynamic: true, fallback: "10.0"},
		{name: "index.merge.policy.type", dynamic: true, fallback: "UNSET"},
		{name: "index.merge.scheduler.auto_throttle", kind: boolean, dynamic: true, fallback: "true"},
		{name: "index.merge.scheduler.max_merge_count", kind: integer, high: unbounded, dynamic: true, fallback: "6"},
		{name: "index.merge.scheduler.max_thread_count", kind: integer, low: 1, high: unbounded, dynamic: true, fallback: "1"},
		{name: "index.mode", fallback: "standard", only: []string{"standard"}},
		{name: "index.number_of_replicas", kind: integer, high: unbounded, dynamic: true, fallback: "1"},
		{name: "index.number_of_routing_shards", kind: integer, low: 1, high: unbounded, fallback: "1"},
		{name: "index.number_of_shards", kind: integer, low: 1, high: 1024, fallback: "1"},
		{name: "index.optimize_auto_generated_id", kind: boolean, dynamic: true, fallback: "true"},
		{name: "index.priority", kind: integer, high: unbounded, dynamic: true, fallback: "1"},
		{name: "index.queries.cache.enabled", kind: boolean, fallback: "true"},
		{name: "index.query.default_field", kind: anyList, dynamic: true, fallback: `["*"]`},
		{name: "index.query.parse.allow_unmapped_fields", kind: boolean, fallback: "true"},
		{name: "index.query_string.lenient", kind: boolean, fallback: "false"},
		{name: "index.recovery.type", fallback: ""},
		{name: "index.refresh_interval", kind: duration, low: -1, dynamic: true, fallback: "1s"},
		{name: "index.requests.cache.enable", kind: boolean, dynamic: true, fallback: "true"},
		{name: "index.routing.allocation.disk.watermark.ignore", kind: boolean, dynamic: true, fallback: "false"},
		{name: "index.routing.allocation.enable", dynamic: true, fallback: "all"},
		{name: "index.routing.allocation.total_shards_per_node", kind: integer, low: -1, high: unbounded, dynamic: true, fallback: "-1"},
		{name: "index.routing.rebalance.enable", dynamic: true, fallback: "all"},
		{name: "index.routing_partition_size", kind: integer, low: 1, high: unbounded, fallback: "1", only: []string{"1"}},
		{name: "index.routing_path", kind: anyList, fallback: "[]", only: []string{""}},
		{name: "index.search.idle.after", kind: duration, dynamic: true, fallback: "30s"},
		{name: "index.search.slowlog.include.user", kind: boolean, dynamic: true, fallback: "false"},
		{name: "index.search.slowlog.level", dynamic: true, fallback: "TRACE"},
		{name: "index.search.slowlog.threshold.fetch.debug", kind: duration, low: -1, dynamic: true, fallback: "-1"},
		{name: "index.search.slowlog.threshold.fetch.info", kind: duration, low: -1, dynamic: true, fallback: "-1"},
		{name: "index.search.slowlog.threshold.fetch.trace", kind: duration, low: -1, dynamic: true, fallback: "-1"},
		{name: "index.search.slowlog.threshold.fetch.warn", kind: duration, low: -1, dynamic: true, fallback: "-1"},
		{name: "index.search.slowlog.threshold.query.debug", kind: duration, low: -1, dynamic: true, fallback: "-1"},
		{name: "index.search.slowlog.threshold.query.info", kind: duration, low: -1, dynamic: true, fallback: "-1"},
		{name: "index.search.slowlog.threshold.query.trace", kind: duration, low: -1, dynamic: true, fallback: "-1"},
		{name: "index.search.slowlog.threshold.query.warn", kind: duration, low: -1, dynamic: true, fallback: "-1"},
		{name: "index.shard.check_on_startup", fallback: "false"},
		{name: "index.soft_deletes.enabled", kind: boolean, fallback: "true"},
		{name: "index.soft_deletes.retention.operations", kind: integer, high: 1<<63 - 1, dynamic: true, fallback: "0"},
		{name: "index.soft_deletes.retention_lease.period", kind: duration, dynamic: true, fallback: "12h"},
		{name: "index.sort.field", kind: anyList, fallback: "[]", only: []string{""}},
		{name: "index.sort.missing", kind: anyList, fallback: "[]", only: []string{""}},
		{name: "index.sort.mode", kind: anyList, fallback: "[]", only: []string{""}},
		{name: "index.sort.order", kind: anyList, fallback: "[]", only: []string{""}},
		{name: "index.store.fs.fs_lock", fallback: "native"},
		{name: "index.store.preload", kind: anyList, fallback: "[]"},
		{name: "index.store.stats_refresh_interval", kind: duration, fallback: "10s"},
		{name: "index.store.type", fallback: ""},
		{name: "index.translog.durability", dynamic: true, fallback: "REQUEST"},
		{name: "index.translog.flush_threshold_age", kind: duration, dynamic: true, fallback: "1m"},
		{name: "index.translog.flush_threshold_size", kind: size, dynamic: true, fallback: "10gb"},
		{name: "index.translog.generation_threshold_size", kind: size, dynamic: true, fallback: "64mb"},
		{name: "index.translog.retention.age", kind: duration, low: -1, dynamic: true, fallback: "-1"},
		{name: "index.translog.retention.size", kind: size, dynamic: true, fallback: "-1"},
		{name: "index.translog.sync_interval", kind: duration, dynamic: true, fallback: "5s"},
		{name: "index.unassigned.node_left.delayed_timeout", kind: duration, dynamic: true, fallback: "1m"},
		{name: "index.verified_before_close", kind: boolean, fallback: "false"},
		{name: "index.warmer.enabled", kind: boolean, dynamic: true, fallback: "true"},
		{name: "index.write.wait_for_active_shards", dynamic: true, fallback: "1"},
	}
}

// groups are the prefixes below which names are free.
func groups() []definition {
	return []definition{
		{name: "index.analysis."},
		{name: "index.routing.allocation.exclude.", dynamic: true},
		{name: "index.routing.allocation.include.", dynamic: true},
		{name: "index.routing.allocation.initial_recovery."},
		{name: "index.routing.allocation.require.", dynamic: true},
		{name: "index.similarity."},
	}
}

// dictionary finds definitions by name.
type dictionary struct {
	byName map[string]*definition
	names  []string
	groups []definition
}

func newDictionary() *dictionary {
	all := definitions()
	d := &dictionary{byName: make(map[string]*definition, len(all)), groups: groups()}
	for i := range all {
		d.byName[all[i].name] = &all[i]
		d.names = append(d.names, all[i].name)
	}
	return d
}

func (d *dictionary) find(name string) *definition {
	if def := d.byName[name]; def != nil {
		return def
	}
	for i := range d.groups {
		if len(name) > len(d.groups[i].name) && strings.HasPrefix(name, d.groups[i].name) {
			return &d.groups[i]
		}
	}
	return nil
}
