// Package handlers answers the endpoints, a file each: it converts the request, calls
// the planner, the mutator or the store, and converts what they give.
package handlers

import "postern/generated/routes"

// Server answers all endpoints. Each family of them is a part of it.
type Server struct {
	*ByQuery
	*Cluster
	*Docs
	*Indices
	*Searches
}

var _ routes.Server = (*Server)(nil)
