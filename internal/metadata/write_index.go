package metadata

import (
	"strings"
	"time"

	"postern/internal/eserr"
)

// WriteTarget is where a write to a name goes.
type WriteTarget struct {
	// Index is nil when the name belongs to nothing yet: an index may be created.
	Index *Index
	// Alias is the alias the index was reached through; nil when it was named itself.
	Alias *Alias
	// Name is the name with date math resolved.
	Name string
}

// WriteIndex finds the one index that a write to a name goes to: of an alias its write
// index.
func (s *State) WriteIndex(name string) (WriteTarget, error) {
	resolved := name
	if strings.HasPrefix(name, "<") {
		var err error
		if resolved, err = ResolveDateName(name, time.Now()); err != nil {
			return WriteTarget{}, err
		}
	}
	t := WriteTarget{Index: s.indices[resolved], Name: resolved}
	if t.Index == nil {
		if names := s.aliases[resolved]; names != nil {
			ix, err := s.writer(resolved, names)
			if err != nil {
				return t, err
			}
			t.Index, t.Alias = ix, ix.Alias(resolved)
		}
	}
	if t.Index != nil && t.Index.Closed {
		return t, eserr.IndexClosed(t.Index.Name, t.Index.UUID)
	}
	return t, nil
}

// writer is the write index of an alias: the one that says so, or its only one unless
// that refuses.
func (s *State) writer(alias string, names []string) (*Index, error) {
	for _, name := range names {
		if ix := s.indices[name]; ix.Alias(alias).isWrite() {
			return ix, nil
		}
	}
	if len(names) == 1 {
		if ix := s.indices[names[0]]; !ix.Alias(alias).neverWrite() {
			return ix, nil
		}
	}
	return nil, eserr.IllegalArgument("no write index is defined for alias [%s]. The write index may be explicitly disabled using is_write_index=false or the alias points to multiple indices without one being designated as a write index", alias)
}

// ReadIndex finds the one index that a read of a document by name goes to, and the alias
// it was reached through, if any.
func (s *State) ReadIndex(name string) (*Index, *Alias, error) {
	if ix := s.indices[name]; ix != nil && !ix.Closed {
		return ix, nil, nil
	}
	found, err := s.Resolve([]string{name}, OneIndex())
	if err != nil {
		return nil, nil, err
	}
	if len(found) == 0 {
		return nil, nil, eserr.IndexNotFound(name, "")
	}
	ix := found[0].Index
	if ix.Name == name {
		return ix, nil, nil
	}
	return ix, ix.Alias(name), nil
}
