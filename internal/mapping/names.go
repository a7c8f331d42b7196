package mapping

import "slices"

// MatchNames lists the names that match a pattern with *: those of the leaves that Match
// gives and of the aliases, sorted.
func (m *Mapping) MatchNames(pattern string) []string {
	var names []string
	for name := range m.fields {
		if simpleMatch(pattern, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
