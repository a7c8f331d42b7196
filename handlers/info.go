package handlers

import (
	"context"

	"postern/generated/answer"
	"postern/generated/api"
	"postern/generated/routes"
)

// Info answers GET /.
func (c *Cluster) Info(ctx context.Context, _ *api.InfoRequest) (routes.Answer, error) {
	state, err := c.State(ctx)
	if err != nil {
		return nil, err
	}
	return &answer.Info{
		Name:        c.Node.Name,
		ClusterName: c.Node.ClusterName,
		ClusterUUID: state.ClusterUUID,
		Version: answer.VersionInfo{
			Number:                           apiVersion,
			BuildFlavor:                      buildFlavor,
			BuildType:                        buildType,
			BuildHash:                        revision(),
			BuildDate:                        buildDate,
			LuceneVersion:                    luceneVersion,
			MinimumWireCompatibilityVersion:  minimumWireVersion,
			MinimumIndexCompatibilityVersion: minimumIndexVersion,
		},
		Tagline: "You Know, for Search",
	}, nil
}
