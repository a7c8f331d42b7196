package handlers

import (
	"context"

	"postern/generated/answer"
	"postern/generated/api"
	"postern/generated/routes"
)

// LicenseGet answers _license: an active basic licence, for clients that look for one
// before they start. Postern itself asks for none.
func (c *Cluster) LicenseGet(context.Context, *api.LicenseGetRequest) (routes.Answer, error) {
	maxNodes := int64(1000)
	return &answer.License{License: answer.LicenseInformation{
		Status:            "active",
		Uid:               c.State().ClusterUUID,
		Type:              "basic",
		IssueDate:         isoMillis(c.Node.Started),
		IssueDateInMillis: c.Node.Started.UnixMilli(),
		MaxNodes:          &maxNodes,
		IssuedTo:          c.Node.ClusterName,
		Issuer:            "postern",
		StartDateInMillis: -1,
	}}, nil
}
