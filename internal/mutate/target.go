package mutate

import (
	"context"

	"postern/internal/eserr"
	"postern/internal/metadata"
)

// target finds the index of an operation and settles its routing. A nil index without an
// error says that the index must be created first.
func target(s *metadata.State, o *Op) (*metadata.Index, string, error) {
	if o.Refusal != nil {
		return nil, o.Index, o.Refusal
	}
	t, err := s.WriteIndex(o.Index)
	if err != nil {
		return nil, o.Index, err
	}
	if o.RequireAlias && t.Alias == nil {
		return nil, o.Index, eserr.IndexNotFoundBare(t.Name, "[require_alias] request flag is [true] and ["+t.Name+"] is not an alias")
	}
	if t.Index == nil {
		// A deletion creates nothing, unless its version must be remembered.
		if o.Action == Delete && o.VersionType == Internal {
			return nil, t.Name, eserr.IndexNotFound(t.Name, "")
		}
		return nil, t.Name, nil
	}
	if err := t.Index.Allow(metadata.WriteDocuments); err != nil {
		return t.Index, t.Name, err
	}
	if o.GivenID && o.ID == "" {
		return t.Index, t.Name, eserr.IllegalArgument("if _id is specified it must not be empty")
	}
	o.Routing, err = t.Index.Route(t.Alias, o.Routing, o.ID)
	return t.Index, t.Name, err
}

// create makes the index that a document needs, unless somebody else has just done so.
func (m *Mutator) autoCreate(ctx context.Context, name, provided string) error {
	_, err := m.CreateIndex(ctx, metadata.Creation{Name: name, ProvidedName: provided, Auto: true})
	if e, ok := eserr.As(err); ok && e.Type == "resource_already_exists_exception" {
		return nil
	}
	return err
}
