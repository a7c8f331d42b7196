package metadata

import (
	"slices"
	"strings"

	"postern/internal/eserr"
)

// AliasActionKind is what an action of an aliases request does.
type AliasActionKind uint8

const (
	AddAlias AliasActionKind = iota
	RemoveAlias
	RemoveIndex
)

func (k AliasActionKind) String() string { return [...]string{"add", "remove", "remove_index"}[k] }

// AliasAction is one action of an aliases request.
type AliasAction struct {
	Kind    AliasActionKind
	Indices []string // expressions
	Aliases []string // names; for RemoveAlias also wildcards
	// Alias are the properties of an added alias; its Name is taken from Aliases.
	Alias Alias
	// MustExist makes a missing alias an error of the whole request; false and nil are the
	// same.
	MustExist *bool
}

// AliasResult is what became of one action.
type AliasResult struct {
	Action  AliasAction
	Indices []string // concrete
	// Missing is the error of an action that found no alias to remove.
	Missing *eserr.Error
}

// UpdateAliases applies the actions, all or none. Removing an alias that does not exist
// fails the request when must_exist says so or when no action does anything; else it is
// told in the action's result.
func (s *State) UpdateAliases(actions []AliasAction, check FilterCheck) (*State, []AliasResult, []*Index, error) {
	indices := s.copyIndices()
	results := make([]AliasResult, len(actions))
	var gone []*Index
	// Indices go first, so that an alias can take the place of one of them.
	for i, a := range actions {
		results[i].Action = a
		found, err := s.actionIndices(a)
		if err != nil {
			return nil, nil, nil, err
		}
		for _, ix := range found {
			results[i].Indices = append(results[i].Indices, ix.Name)
			if a.Kind == RemoveIndex {
				delete(indices, ix.Name)
				gone = append(gone, ix)
			}
		}
	}
	touched := map[string]bool{}
	done := len(gone) > 0
	for i, a := range actions {
		var err error
		did := false
		switch a.Kind {
		case AddAlias:
			did, err = s.addAliases(indices, &results[i], check)
		case RemoveAlias:
			did, err = s.removeAliases(indices, &results[i])
		}
		if err != nil {
			return nil, nil, nil, err
		}
		done = done || did
		for _, name := range results[i].Indices {
			touched[name] = true
		}
	}
	if !done {
		for _, r := range results {
			if r.Missing != nil {
				return nil, nil, nil, r.Missing
			}
		}
	}
	for name := range touched {
		if ix := indices[name]; ix != nil && ix != s.indices[name] {
			ix.AliasesVersion++
		}
	}
	next := s.withIndices(indices)
	for _, r := range results {
		for _, name := range r.Indices {
			if ix := indices[name]; ix != nil {
				if err := next.checkAliases(ix.Aliases); err != nil {
					return nil, nil, nil, err
				}
			}
		}
	}
	return next, results, gone, nil
}

// actionIndices finds the indices of an action; names of aliases do not count.
func (s *State) actionIndices(a AliasAction) ([]*Index, error) {
	opt := IndicesOptions{ExpandOpen: true, ExpandClosed: true, ExpandHidden: a.Kind == RemoveAlias, IgnoreAliases: true}
	for _, name := range a.Indices {
		if s.aliases[name] != nil && a.Kind != RemoveIndex {
			return nil, eserr.IndexNotFound(name, "")
		}
	}
	found, err := s.Resolve(a.Indices, opt)
	if err != nil {
		return nil, err
	}
	list := make([]*Index, len(found))
	for i, r := range found {
		list[i] = r.Index
	}
	return list, nil
}

func (s *State) addAliases(indices map[string]*Index, r *AliasResult, check FilterCheck) (bool, error) {
	for _, name := range r.Indices {
		ix := indices[name]
		if ix == nil {
			return false, eserr.IndexNotFoundBare(name, "")
		}
		for _, alias := range r.Action.Aliases {
			a := r.Action.Alias
			a.Name = alias
			if err := a.Check(); err != nil {
				return false, err
			}
			if indices[alias] != nil || s.indices[alias] == nil {
				if err := s.validateAliasName(alias); err != nil {
					return false, err
				}
			}
			if err := checkFilter(check, ix, &a); err != nil {
				return false, err
			}
			changed := *ix
			changed.Aliases = putAlias(ix.Aliases, a)
			indices[name] = &changed
			ix = &changed
		}
	}
	return true, nil
}

func (s *State) removeAliases(indices map[string]*Index, r *AliasResult) (bool, error) {
	removed := false
	for _, pattern := range r.Action.Aliases {
		found := false
		for _, name := range r.Indices {
			matches := func(a Alias) bool { return pattern == all || MatchWildcard(pattern, a.Name) }
			ix := indices[name]
			switch {
			case ix == nil && slices.ContainsFunc(s.indices[name].Aliases, matches):
				return false, eserr.IndexNotFoundBare(name, "") // another action removes it
			case ix == nil:
				continue
			}
			kept := slices.DeleteFunc(slices.Clone(ix.Aliases), matches)
			if len(kept) == len(ix.Aliases) {
				continue
			}
			found = true
			changed := *ix
			changed.Aliases = kept
			indices[name] = &changed
		}
		removed = removed || found
		if !found && r.Missing == nil {
			r.Missing = eserr.AliasesNotFound(r.Action.Aliases...)
		}
	}
	if removed {
		r.Missing = nil
	}
	if r.Missing != nil && r.Action.MustExist != nil && *r.Action.MustExist {
		return false, r.Missing
	}
	return removed, nil
}

// checkAliases holds the rules that bind all indices of an alias together.
func (s *State) checkAliases(aliases []Alias) error {
	for _, a := range aliases {
		var writers, hidden, visible []string
		for _, name := range s.aliases[a.Name] {
			other := s.indices[name].Alias(a.Name)
			if other.isWrite() {
				writers = append(writers, name)
			}
			if other.hidden() {
				hidden = append(hidden, name)
			} else {
				visible = append(visible, name)
			}
		}
		if len(writers) > 1 {
			return eserr.IllegalState("alias [%s] has more than one write index [%s]", a.Name, strings.Join(writers, ","))
		}
		if len(hidden) > 0 && len(visible) > 0 {
			return eserr.IllegalState("alias [%s] has is_hidden set to true on indices [%s] but does not have is_hidden set to true on indices [%s]; alias must have the same is_hidden setting on all indices",
				a.Name, strings.Join(hidden, ","), strings.Join(visible, ","))
		}
	}
	return nil
}
