package handlers

import (
	"context"

	"postern/generated/answer"
	"postern/generated/api"
	"postern/generated/routes"
)

// LicenseGet answers _license: an active basic licence, for clients that look for one
// before they start. Postern itself asks for none.
func (c *Cluster) LicenseGet(ctx context.Context, _ *api.LicenseGetRequest) (routes.Answer, error) {
	maxNodes := int64(1000)
	state, err := c.State(ctx)
	if err != nil {
		return nil, err
	}
	return &answer.License{License: answer.LicenseInformation{
		Status:            "active",
		Uid:               state.ClusterUUID,
		Type:              "basic",
		IssueDate:         isoMillis(c.Node.Started),
		IssueDateInMillis: c.Node.Started.UnixMilli(),
		MaxNodes:          &maxNodes,
		IssuedTo:          c.Node.ClusterName,
		Issuer:            "postern",
		StartDateInMillis: -1,
	}}, nil
}
