package metadata

import (
	"slices"

	"postern/internal/mapping"
)

// Index is what is known of one index. It is immutable.
type Index struct {
	Name, UUID    string
	CreatedMillis int64
	Mapping       *mapping.Mapping
	Settings      Settings
	// Aliases are sorted by name.
	Aliases []Alias
	Closed  bool
	// The versions count the changes of each part, from 1.
	MappingVersion, SettingsVersion, AliasesVersion int64
}

// Alias is the index's alias of that name, or nil.
func (ix *Index) Alias(name string) *Alias {
	i, ok := slices.BinarySearchFunc(ix.Aliases, name, func(a Alias, name string) int { return compare(a.Name, name) })
	if !ok {
		return nil
	}
	return &ix.Aliases[i]
}

// Hidden tells that wildcards pass the index by.
func (ix *Index) Hidden() bool { return ix.Settings.Bool("index.hidden", false) }

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
