package mutate

import (
	"context"

	"postern/internal/fence"
	"postern/internal/jsonx"
	"postern/internal/metadata"
)

// changeIndex changes the mapping or the settings of one index.
func (m *Mutator) changeIndex(ctx context.Context, uuid string, change func(*metadata.State) (*metadata.State, error)) (state *metadata.State, err error) {
	err = m.fenced(ctx, fence.Intent{Scope: fence.Metadata, Index: uuid}, func() (err error) {
		state, err = m.Catalog.Update(ctx, change)
		return err
	})
	return state, err
}

// changeIndices changes the mappings or settings of several indices, all or none.
func (m *Mutator) changeIndices(ctx context.Context, indices []*metadata.Index, change func(*metadata.State, []*metadata.Index) (*metadata.State, error)) error {
	update := func() error {
		_, err := m.Catalog.Update(ctx, func(s *metadata.State) (*metadata.State, error) {
			now, err := s.Current(indices)
			if err != nil {
				return nil, err
			}
			return change(s, now)
		})
		return err
	}
	// One token an index, the outermost first.
	for _, ix := range indices {
		inner := update
		update = func() error { return m.fenced(ctx, fence.Intent{Scope: fence.Metadata, Index: ix.UUID}, inner) }
	}
	return update()
}

// changeDirectory changes names, aliases or templates.
func (m *Mutator) changeDirectory(ctx context.Context, change func(*metadata.State) (*metadata.State, error)) error {
	return m.fenced(ctx, fence.Intent{Scope: fence.Directory}, func() error {
		_, err := m.Catalog.Update(ctx, change)
		return err
	})
}

// CreateIndex makes an index: its documents' place first, then its name. The Creation's
// UUID, At and CheckFilter are filled in.
func (m *Mutator) CreateIndex(ctx context.Context, c metadata.Creation) (*metadata.Index, error) {
	c.UUID, c.At, c.CheckFilter = m.NewUUID(), m.Now(), m.CheckFilter
	var made *metadata.Index
	err := m.changeDirectory(ctx, func(s *metadata.State) (*metadata.State, error) {
		next, ix, err := s.CreateIndex(c)
		if err != nil {
			return nil, err
		}
		if err := m.Documents.CreateIndex(ctx, ix); err != nil {
			return nil, err
		}
		made = ix
		return next, nil
	})
	return made, err
}

// DeleteIndices removes indices: their names first, then their documents.
func (m *Mutator) DeleteIndices(ctx context.Context, indices []*metadata.Index) error {
	err := m.changeDirectory(ctx, func(s *metadata.State) (*metadata.State, error) {
		now, err := s.Current(indices)
		if err != nil {
			return nil, err
		}
		return s.DeleteIndices(now), nil
	})
	if err != nil {
		return err
	}
	return m.drop(ctx, indices)
}

func (m *Mutator) drop(ctx context.Context, indices []*metadata.Index) error {
	for _, ix := range indices {
		if err := m.Documents.DropIndex(context.WithoutCancel(ctx), ix.UUID); err != nil {
			return err
		}
		if err := m.Fence.Forget(ctx, ix.UUID); err != nil {
			return fence.ClientError(err)
		}
	}
	return nil
}

// PutMapping merges a mapping into those of the indices, all or none.
func (m *Mutator) PutMapping(ctx context.Context, indices []*metadata.Index, update jsonx.Value) error {
	return m.changeIndices(ctx, indices, func(s *metadata.State, now []*metadata.Index) (*metadata.State, error) {
		return s.PutMapping(now, update)
	})
}

// PutSettings changes settings of the indices, all or none.
func (m *Mutator) PutSettings(ctx context.Context, indices []*metadata.Index, c metadata.SettingsChange) error {
	return m.changeIndices(ctx, indices, func(s *metadata.State, now []*metadata.Index) (*metadata.State, error) {
		return s.PutSettings(now, c)
	})
}

// UpdateAliases carries out the actions, all or none.
func (m *Mutator) UpdateAliases(ctx context.Context, actions []metadata.AliasAction) ([]metadata.AliasResult, error) {
	var results []metadata.AliasResult
	var gone []*metadata.Index
	err := m.changeDirectory(ctx, func(s *metadata.State) (next *metadata.State, err error) {
		next, results, gone, err = s.UpdateAliases(actions, m.CheckFilter)
		return next, err
	})
	if err != nil {
		return nil, err
	}
	return results, m.drop(ctx, gone)
}

// PutTemplate adds or replaces an index template; create refuses to replace.
func (m *Mutator) PutTemplate(ctx context.Context, t *metadata.Template, create bool) error {
	return m.changeDirectory(ctx, func(s *metadata.State) (*metadata.State, error) { return s.PutTemplate(t, create) })
}

// DeleteTemplates removes the templates that names and wildcards match.
func (m *Mutator) DeleteTemplates(ctx context.Context, names []string) error {
	return m.changeDirectory(ctx, func(s *metadata.State) (*metadata.State, error) { return s.DeleteTemplates(names) })
}
