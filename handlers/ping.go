package handlers

import (
	"context"

	"postern/generated/api"
	"postern/generated/routes"
)

// Ping answers HEAD /.
func (c *Cluster) Ping(ctx context.Context, _ *api.PingRequest) (routes.Answer, error) {
	return c.Info(ctx, nil)
}
