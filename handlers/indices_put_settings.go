package handlers

import (
	"context"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/metadata"
)

// IndicesPutSettings changes settings of indices.
func (i *Indices) IndicesPutSettings(ctx context.Context, r *api.IndicesPutSettingsRequest) (routes.Answer, error) {
	body := r.Body
	if inner := body.Get("settings"); body.Len() == 1 && inner.Kind() == jsonx.Object {
		body = inner
	}
	settings, err := metadata.ParseSettings(body)
	if err != nil {
		return nil, err
	}
	if settings.Len() == 0 {
		return nil, eserr.ActionValidation("no settings to update")
	}
	o := expressions(metadata.ChangeSettings(), r.IgnoreUnavailable, r.AllowNoIndices, r.ExpandWildcards)
	// Blocks do not stand in the way of their own removal.
	indices, err := i.find(ctx, r.Index, o, metadata.ChangeIndexSettings)
	if err != nil {
		return nil, err
	}
	change := metadata.SettingsChange{Settings: settings, Preserve: deref(r.PreserveExisting), Reopen: deref(r.Reopen)}
	if err := i.Mutator.PutSettings(ctx, indices, change); err != nil {
		return nil, err
	}
	return acknowledged(), nil
}
