package metadata

import "postern/internal/eserr"

// Route settles the routing of a document that is reached through an alias (nil for none):
// the alias's own, if it has one, and one at all where the mapping wants it.
func (ix *Index) Route(alias *Alias, routing, id string) (string, error) {
	if alias != nil && alias.IndexRouting != "" {
		if routing != "" && routing != alias.IndexRouting {
			return routing, eserr.IllegalArgument("Alias [%s] has index routing associated with it [%s], and was provided with routing value [%s], rejecting operation",
				alias.Name, alias.IndexRouting, routing)
		}
		routing = alias.IndexRouting
	}
	if routing == "" && ix.Mapping.RoutingRequired() {
		return routing, eserr.RoutingMissing(ix.Name, id)
	}
	return routing, nil
}
