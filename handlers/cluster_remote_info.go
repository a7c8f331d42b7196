package handlers

import (
	"context"

	"postern/generated/api"
	"postern/generated/routes"
)

// ClusterRemoteInfo answers with none: no remote cluster can be configured.
func (c *Cluster) ClusterRemoteInfo(context.Context, *api.ClusterRemoteInfoRequest) (routes.Answer, error) {
	return rawJSON(`{}`), nil
}
