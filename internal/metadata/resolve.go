package metadata

import (
	"maps"
	"slices"
	"strings"

	"postern/internal/eserr"
)

// all is the expression that stands for all indices.
const all = "_all"

// Resolve reads an index expression, as given between commas in a path or in lists, and
// gives the indices that it leads to, sorted by name. No expression at all means all.
func (s *State) Resolve(exprs []string, opt IndicesOptions) ([]Resolved, error) {
	if ix := s.plain(exprs, opt); ix != nil {
		return []Resolved{{Index: ix}}, nil
	}
	names, err := s.expand(exprs, opt, false)
	if err != nil {
		return nil, err
	}
	found, err := s.concrete(names, opt)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 && !opt.AllowNoIndices {
		return nil, notFound(exprs)
	}
	everything := everythingMeant(exprs) || len(s.aliases) == 0
	named := map[string]bool{}
	if !everything {
		// Which filters count is asked of the expression with its aliases left alone.
		kept, err := s.expand(exprs, opt, true)
		if err != nil {
			return nil, err
		}
		for _, n := range kept {
			named[n] = true
		}
	}
	resolved := make([]Resolved, len(found))
	for i, ix := range found {
		resolved[i].Index = ix
		if !everything && !named[ix.Name] {
			resolved[i].Aliases = filtering(ix, named)
		}
	}
	return resolved, nil
}

// ResolveNames gives the names of indices and aliases that an expression leads to, aliases
// unresolved, sorted.
func (s *State) ResolveNames(exprs []string, opt IndicesOptions) ([]string, error) {
	names, err := s.expand(exprs, opt, true)
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// plain is the common case: the one name of an open index.
func (s *State) plain(exprs []string, opt IndicesOptions) *Index {
	if len(exprs) != 1 {
		return nil
	}
	ix := s.indices[exprs[0]]
	if ix == nil || ix.Closed && opt.ForbidClosed {
		return nil
	}
	return ix
}

func everythingMeant(exprs []string) bool {
	return len(exprs) == 0 || len(exprs) == 1 && exprs[0] == all
}

// filtering lists the named aliases of an index, if all of them have filters.
func filtering(ix *Index, named map[string]bool) []string {
	var through []string
	for i := range ix.Aliases {
		a := &ix.Aliases[i]
		switch {
		case !named[a.Name]:
		case a.Filter == nil:
			return nil
		default:
			through = append(through, a.Name)
		}
	}
	return through
}

// expand turns expressions into names of indices and aliases. With aliases set, a
// wildcard that matches an alias gives its name, else its indices.
func (s *State) expand(exprs []string, opt IndicesOptions, aliases bool) ([]string, error) {
	if everythingMeant(exprs) {
		return s.everything(opt, aliases), nil
	}
	if opt.wildcards() && len(exprs) == 1 && exprs[0] == "*" {
		return s.everything(opt, aliases), nil
	}
	names, err := resolveDateMath(exprs, opt)
	if err != nil {
		return nil, err
	}
	terms, wild, err := s.available(names, opt)
	if err != nil {
		return nil, err
	}
	if !wild {
		kept := make([]string, len(terms))
		for i, t := range terms {
			kept[i] = t.text
		}
		return kept, nil
	}
	result := map[string]bool{}
	for _, t := range terms {
		matches := []string{t.text}
		if t.wildcard {
			matches = s.matches(t.text, opt, aliases)
			if len(matches) == 0 && !opt.AllowNoIndices {
				return nil, eserr.IndexNotFound(t.text, "")
			}
		}
		for _, m := range matches {
			if t.exclude {
				delete(result, m)
			} else {
				result[m] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(result)), nil
}

// term is one part of an expression.
type term struct {
	text              string
	wildcard, exclude bool
}

// available drops what is missing and may be, and complains about what may not. A minus
// excludes only behind a wildcard; elsewhere it belongs to the name.
func (s *State) available(names []string, opt IndicesOptions) (terms []term, wild bool, err error) {
	for _, name := range names {
		t := term{text: name}
		if opt.wildcards() {
			if wild && strings.HasPrefix(name, "-") {
				t = term{text: name[1:], exclude: true}
			}
			t.wildcard = strings.Contains(t.text, "*")
			wild = wild || t.wildcard && !t.exclude
		}
		if name == "" {
			return nil, false, eserr.IndexNotFound(name, "")
		}
		if name[0] == '_' {
			return nil, false, eserr.InvalidIndexName(name, "must not start with '_'.")
		}
		if !t.wildcard && !t.exclude {
			found, err := s.exists(name, opt)
			if err != nil {
				return nil, false, err
			}
			if !found {
				continue
			}
		}
		terms = append(terms, t)
	}
	return terms, wild, nil
}

func (s *State) exists(name string, opt IndicesOptions) (bool, error) {
	switch {
	case s.indices[name] != nil:
		return true, nil
	case s.aliases[name] == nil && opt.IgnoreUnavailable:
		return false, nil
	case s.aliases[name] == nil:
		why := ""
		if opt.wildcards() && strings.HasPrefix(name, "-") {
			why = "if you intended to exclude this index, ensure that you use wildcards that include it before explicitly excluding it"
		}
		return false, eserr.IndexNotFound(name, why)
	case opt.IgnoreAliases && opt.IgnoreUnavailable:
		return false, nil
	case opt.IgnoreAliases:
		return false, eserr.IllegalArgument("The provided expression [%s] matches an alias, specify the corresponding concrete indices instead.", name)
	}
	return true, nil
}

// matches lists what a wildcard matches. Hidden names are matched when the options say so
// and, if they begin with a dot, by patterns that do.
func (s *State) matches(pattern string, opt IndicesOptions, aliases bool) []string {
	dotted := strings.HasPrefix(pattern, ".")
	visible := func(name string, hidden bool) bool {
		return !hidden || opt.ExpandHidden || dotted && strings.HasPrefix(name, ".")
	}
	var found []string
	for _, name := range s.names {
		if ix := s.indices[name]; MatchWildcard(pattern, name) && visible(name, ix.Hidden()) && opt.state(ix) {
			found = append(found, name)
		}
	}
	if opt.IgnoreAliases {
		return found
	}
	for alias, names := range s.aliases {
		if !MatchWildcard(pattern, alias) || !visible(alias, s.aliasHidden(alias)) {
			continue
		}
		if aliases {
			found = append(found, alias)
			continue
		}
		for _, name := range names {
			if opt.state(s.indices[name]) {
				found = append(found, name)
			}
		}
	}
	return found
}

// everything lists all indices that the options let wildcards match, and those behind
// visible aliases: hidden ones, too. With aliases set it gives the names of the aliases
// in place of what is behind them.
func (s *State) everything(opt IndicesOptions, aliases bool) []string {
	if !opt.wildcards() {
		return nil
	}
	var found []string
	for _, name := range s.names {
		ix := s.indices[name]
		through := !aliases && !opt.IgnoreAliases && s.visibleThroughAlias(ix)
		if opt.state(ix) && (opt.ExpandHidden || !ix.Hidden() || through) {
			found = append(found, name)
		}
	}
	if aliases && !opt.IgnoreAliases {
		for alias := range s.aliases {
			if opt.ExpandHidden || !s.aliasHidden(alias) {
				found = append(found, alias)
			}
		}
	}
	return found
}

func (s *State) visibleThroughAlias(ix *Index) bool {
	for i := range ix.Aliases {
		if !ix.Aliases[i].hidden() {
			return true
		}
	}
	return false
}

func (s *State) aliasHidden(alias string) bool {
	for _, name := range s.aliases[alias] {
		if a := s.indices[name].Alias(alias); a.hidden() {
			return true
		}
	}
	return false
}

// state tells that wildcards match an index that is open or closed as this one is.
func (o IndicesOptions) state(ix *Index) bool {
	if ix.Closed {
		return o.ExpandClosed
	}
	return o.ExpandOpen
}

// concrete gives the indices behind names, sorted.
func (s *State) concrete(names []string, opt IndicesOptions) ([]*Index, error) {
	seen := make(map[string]bool, len(names))
	var found []*Index
	for _, name := range names {
		behind := []string{name}
		if s.indices[name] == nil {
			behind = s.aliases[name]
		}
		if len(behind) > 1 && opt.SingleIndex {
			return nil, eserr.IllegalArgument("alias [%s] has more than one index associated with it [%s], can't execute a single index op",
				name, strings.Join(behind, ", "))
		}
		for _, n := range behind {
			ix := s.indices[n]
			if seen[n] {
				continue
			}
			seen[n] = true
			if ix.Closed && opt.ForbidClosed {
				if opt.IgnoreUnavailable {
					continue
				}
				return nil, eserr.IndexClosed(ix.Name, ix.UUID)
			}
			found = append(found, ix)
		}
	}
	slices.SortFunc(found, func(a, b *Index) int { return compare(a.Name, b.Name) })
	return found, nil
}

func notFound(exprs []string) error {
	switch {
	case everythingMeant(exprs):
		return eserr.IndexNotFound(all, "no indices exist")
	case len(exprs) == 1:
		return eserr.IndexNotFound(exprs[0], "")
	}
	return eserr.IndicesNotFound(exprs)
}
