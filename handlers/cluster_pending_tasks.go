package handlers

import (
	"context"

	"postern/generated/api"
	"postern/generated/routes"
)

// ClusterPendingTasks answers with none: changes of metadata are made at once.
func (c *Cluster) ClusterPendingTasks(context.Context, *api.ClusterPendingTasksRequest) (routes.Answer, error) {
	return rawJSON(`{"tasks":[]}`), nil
}
