package mapping

import (
	"strings"

	"postern/internal/jsonx"
)

// metadataFields are the leaves that every index of Elasticsearch 8.15 has beside those of
// its mapping.
var metadataFields = [...]string{
	"_routing", "_doc_count", "_ignored_source", "_index", "_ignored", "_seq_no", "_nested_path", "_field_names",
	"_data_stream_timestamp", "_source", "_id", "_version",
}

// LeafNames returns the leaves, multi-fields, aliases and metadata fields that one of
// patterns names, each once.
func (m *Mapping) LeafNames(patterns []string) []string {
	seen := map[string]bool{}
	var names []string
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	for _, p := range patterns {
		if p == "_all" {
			p = "*"
		}
		for _, name := range m.MatchNames(p) {
			add(name)
		}
		for _, name := range metadataFields {
			if simpleMatch(p, name) {
				add(name)
			}
		}
	}
	return names
}

// AppendLeaf writes the mapping of the leaf of that full name: {"short name":{…}}, and {}
// for a metadata field.
func (m *Mapping) AppendLeaf(dst []byte, name string) []byte {
	f := m.fields[name]
	if f == nil {
		return append(dst, "{}"...)
	}
	dst = append(dst, '{')
	if f.Name != name {
		dst = append(jsonx.AppendString(dst, name[strings.LastIndexByte(name, '.')+1:]), `:{"type":"alias","path":`...)
		return append(jsonx.AppendString(dst, f.Name), "}}"...)
	}
	dst = append(jsonx.AppendString(dst, f.short), ':')
	return append(f.appendJSON(dst), '}')
}
