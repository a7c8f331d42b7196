// Package metadata holds what is known of the cluster besides its documents: indices with
// their mappings, settings and aliases, and index templates. A State is one immutable
// version of all that; a change is a function from a State to the next one, so that a
// request that took a State sees one moment, and a catalog can apply a change atomically.
package metadata
