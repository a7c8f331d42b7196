package metadata

import (
	"postern/internal/jsonx"
	"postern/internal/sourcefilter"
)

// ShownSource is a stored source as readers may see it: nil when the mapping disables
// _source, and without what its includes and excludes leave out. The store keeps all of
// it, since columns are built from it again.
func (ix *Index) ShownSource(stored []byte) []byte {
	rule := ix.Mapping.Source()
	switch {
	case rule.Disabled:
		return nil
	case len(rule.Includes) == 0 && len(rule.Excludes) == 0:
		return stored
	}
	v, err := jsonx.Parse(stored)
	if err != nil {
		return stored
	}
	return sourcefilter.New(rule.Includes, rule.Excludes).Append(nil, v)
}
