package metadata

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/mapping"
)

func (s *State) copyIndices() map[string]*Index {
	if s.indices == nil {
		return map[string]*Index{}
	}
	return maps.Clone(s.indices)
}

// DeleteIndices removes indices and with them their aliases.
func (s *State) DeleteIndices(gone []*Index) *State {
	if len(gone) == 0 {
		return s
	}
	indices := s.copyIndices()
	for _, ix := range gone {
		delete(indices, ix.Name)
	}
	return s.withIndices(indices)
}

// Current finds the present versions of indices that an earlier state knew; it refuses
// when one of them is gone.
func (s *State) Current(earlier []*Index) ([]*Index, error) {
	now := make([]*Index, len(earlier))
	for i, ix := range earlier {
		if now[i] = s.indices[ix.Name]; now[i] == nil || now[i].UUID != ix.UUID {
			return nil, eserr.IndexNotFound(ix.Name, "")
		}
	}
	return now, nil
}

// PutMapping merges a mapping into those of the indices, all or none. A state whose
// mappings all hold it already is given back as it is.
func (s *State) PutMapping(indices []*Index, update jsonx.Value) (*State, error) {
	next := s
	for _, ix := range indices {
		merged, err := ix.Mapping.Merge(update)
		if err != nil {
			return nil, err
		}
		if merged == ix.Mapping || bytes.Equal(merged.AppendJSON(nil), ix.Mapping.AppendJSON(nil)) {
			continue
		}
		changed := *ix
		changed.Mapping = merged
		changed.MappingVersion++
		next = next.withIndex(&changed)
	}
	return next.oneStep(s), nil
}

// oneStep makes a state that came of several changes one version further than before.
func (s *State) oneStep(before *State) *State {
	if s != before {
		s.Version = before.Version + 1
	}
	return s
}

// SettingsChange is a request to change settings.
type SettingsChange struct {
	Settings Settings
	// Preserve leaves settings that are set as they are.
	Preserve bool
	// Reopen allows settings that an open index cannot change.
	Reopen bool
}

// PutSettings changes the settings of the indices, all or none.
func (s *State) PutSettings(indices []*Index, c SettingsChange) (*State, error) {
	known := newDictionary()
	if err := c.Settings.validate(known); err != nil {
		return nil, err
	}
	if err := fixedSettings(known, indices, c); err != nil {
		return nil, err
	}
	next := s
	for _, ix := range indices {
		over := c.Settings
		if c.Preserve {
			over = over.Without(ix.Settings)
		}
		settings := ix.Settings.With(over)
		if _, set := settings.find("index.number_of_replicas"); !set {
			settings = settings.With(NewSettings("index.number_of_replicas", "1"))
		}
		settings = expandReplicas(settings)
		if bytes.Equal(settings.AppendFlat(nil), ix.Settings.AppendFlat(nil)) {
			continue
		}
		options, err := mapping.OptionsOf(settings.Lists())
		if err != nil {
			return nil, err
		}
		changed := *ix
		changed.Settings = settings
		changed.SettingsVersion++
		if changed.Mapping, err = ix.Mapping.WithOptions(options); err != nil {
			return nil, err
		}
		next = next.withIndex(&changed)
	}
	return next.oneStep(s), nil
}

// fixedSettings refuses settings that never change, and those that do not while an index
// is open.
func fixedSettings(known *dictionary, indices []*Index, c SettingsChange) error {
	var fixed, open []string
	for _, x := range c.Settings.all {
		if x.Name == "index.number_of_shards" && c.Reopen {
			return eserr.IllegalArgument("final %s setting [%s], not updateable", indices[0].Name, x.Name)
		}
		if def := known.find(x.Name); def != nil && !def.dynamic {
			fixed = append(fixed, x.Name)
		}
	}
	for _, ix := range indices {
		if !ix.Closed {
			open = append(open, "["+ix.Name+"/"+ix.UUID+"]")
		}
	}
	if len(fixed) == 0 || len(open) == 0 || c.Reopen {
		return nil
	}
	return eserr.IllegalArgument("Can't update non dynamic settings [[%s]] for open indices [%s] unless the `reopen` query parameter is set to true. Alternatively, close the indices, apply the settings changes, and reopen the indices",
		strings.Join(fixed, ", "), strings.Join(open, ", "))
}

// putAlias adds or replaces an alias in a sorted list, which is copied.
func putAlias(list []Alias, a Alias) []Alias {
	i, found := slices.BinarySearchFunc(list, a.Name, func(a Alias, name string) int { return compare(a.Name, name) })
	list = slices.Clone(list)
	if found {
		list[i] = a
		return list
	}
	return slices.Insert(list, i, a)
}
