package qdrant

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"postern/internal/mapping"
	"postern/internal/metadata"
)

// history tells of an index's fields since when they are mapped. A document that was
// written before has no value of the field, in Elasticsearch as in its columns, though its
// source may hold one: it was passed over then. A nil history is an empty one.
type history struct {
	// born is the version of the mapping that brought a field; fields that were there from
	// the beginning are not listed.
	born map[string]int64
	// newest is the highest of them.
	newest int64
	// changed are fields whose mapping has changed, so that columns of older documents are
	// not what the mapping makes of them now.
	changed map[string]bool
}

// next is the history after a change of the mapping; before is nil for a new index.
func (h *history) next(before, after *metadata.Index) *history {
	if before == nil {
		return &history{}
	}
	if before.Mapping == after.Mapping {
		return h
	}
	n := &history{born: map[string]int64{}, changed: map[string]bool{}}
	if h != nil {
		maps.Copy(n.born, h.born)
		maps.Copy(n.changed, h.changed)
		n.newest = h.newest
	}
	for _, f := range after.Mapping.Match("*") {
		old := before.Mapping.Field(f.Name)
		switch {
		case old == nil || old.Name != f.Name:
			n.born[f.Name] = after.MappingVersion
			n.newest = after.MappingVersion
		case old.IgnoreAbove != f.IgnoreAbove || old.IgnoreMalformed() != f.IgnoreMalformed() || string(old.NullValue.Raw()) != string(f.NullValue.Raw()):
			n.changed[f.Name] = true
		}
	}
	return n
}

// forget takes from a document the values of fields that are younger than it.
func (h *history) forget(doc *mapping.Document, version int64) {
	if h == nil || version >= h.newest {
		return
	}
	young := func(v mapping.Value) bool { return h.born[v.Field.Name] > version }
	doc.Values = slices.DeleteFunc(doc.Values, young)
	for i := range doc.Children {
		doc.Children[i].Values = slices.DeleteFunc(doc.Children[i].Values, young)
	}
}

// changes counts the fields whose mapping has changed.
func (h *history) changes() int {
	if h == nil {
		return 0
	}
	return len(h.changed)
}

// texts is the durable form.
func (h *history) texts() []string {
	if h == nil {
		return nil
	}
	var all []string
	for _, name := range slices.Sorted(maps.Keys(h.born)) {
		all = append(all, fmt.Sprintf("%d %s", h.born[name], termText(name)))
	}
	for _, name := range slices.Sorted(maps.Keys(h.changed)) {
		all = append(all, "changed "+termText(name))
	}
	return all
}

func readHistory(all []string) *history {
	h := &history{born: map[string]int64{}, changed: map[string]bool{}}
	for _, line := range all {
		since, text, _ := strings.Cut(line, " ")
		name := textTerm(text)
		if version, err := strconv.ParseInt(since, 10, 64); err == nil {
			h.born[name] = version
			h.newest = max(h.newest, version)
		} else {
			h.changed[name] = true
		}
	}
	return h
}
