package handlers

import "runtime/debug"

// What Postern says of itself to clients: the Elasticsearch version whose API it
// speaks. Its own version is that of the binary (postern version).
const (
	apiVersion          = "8.19.1"
	luceneVersion       = "9.12.2"
	minimumWireVersion  = "7.17.0"
	minimumIndexVersion = "7.0.0"
	transportVersion    = 8702002
	indexVersion        = 8512000
	buildFlavor         = "default"
	buildType           = "tar"
	buildDate           = "2025-07-23T22:05:54.000000000Z"
	unknownRevision     = "0000000000000000000000000000000000000000"
)

// nodeRoles are the roles that the one node has, and nodeRoleInitials how _cat/nodes
// shows them.
var nodeRoles = []string{"data", "data_content", "data_hot", "ingest", "master"}

const nodeRoleInitials = "dhims"

// revision is the commit that the binary was built from.
func revision() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return s.Value
			}
		}
	}
	return unknownRevision
}
