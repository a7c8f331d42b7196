package metadata

import (
	"maps"
	"slices"
)

// State is one version of the metadata. It is immutable and safe for concurrent use. The
// zero State has no indices.
type State struct {
	// Version counts the changes.
	Version     int64
	ClusterUUID string

	indices   map[string]*Index
	names     []string            // of indices, sorted
	aliases   map[string][]string // alias → names of its indices, sorted
	templates []*Template         // sorted by name
}

// NewState is the state of a cluster without indices.
func NewState(clusterUUID string) *State {
	return &State{ClusterUUID: clusterUUID, indices: map[string]*Index{}, aliases: map[string][]string{}}
}

// Index is the index of exactly that name, or nil.
func (s *State) Index(name string) *Index { return s.indices[name] }

// IndexByUUID is the index with that uuid, or nil.
func (s *State) IndexByUUID(uuid string) *Index {
	for _, ix := range s.indices {
		if ix.UUID == uuid {
			return ix
		}
	}
	return nil
}

// Indices are all indices, sorted by name.
func (s *State) Indices() []*Index {
	all := make([]*Index, len(s.names))
	for i, name := range s.names {
		all[i] = s.indices[name]
	}
	return all
}

// Alias lists the indices of an alias, sorted by name; none says that there is no such
// alias.
func (s *State) Alias(name string) []*Index {
	names := s.aliases[name]
	if names == nil {
		return nil
	}
	all := make([]*Index, len(names))
	for i, n := range names {
		all[i] = s.indices[n]
	}
	return all
}

// AliasNames are the names of all aliases, sorted.
func (s *State) AliasNames() []string { return slices.Sorted(maps.Keys(s.aliases)) }

// Template is the index template of that name, or nil.
func (s *State) Template(name string) *Template {
	i, ok := slices.BinarySearchFunc(s.templates, name, func(t *Template, name string) int { return compare(t.Name, name) })
	if !ok {
		return nil
	}
	return s.templates[i]
}

// Templates are all index templates, sorted by name; the list must not be changed.
func (s *State) Templates() []*Template { return s.templates }

// change is a copy that is one version further; what it shares with s must be replaced,
// not written to.
func (s *State) change() *State {
	next := *s
	next.Version++
	return &next
}

// withIndex replaces or adds an index whose aliases are those of before.
func (s *State) withIndex(ix *Index) *State {
	next := s.change()
	next.indices = maps.Clone(s.indices)
	next.indices[ix.Name] = ix
	if len(next.indices) != len(s.indices) {
		next.names = slices.Sorted(maps.Keys(next.indices))
	}
	return next
}

// withIndices is a state of exactly these indices.
func (s *State) withIndices(indices map[string]*Index) *State {
	next := s.change()
	next.indices = indices
	next.names = slices.Sorted(maps.Keys(indices))
	next.aliases = map[string][]string{}
	for _, name := range next.names {
		for _, a := range indices[name].Aliases {
			next.aliases[a.Name] = append(next.aliases[a.Name], name)
		}
	}
	return next
}
