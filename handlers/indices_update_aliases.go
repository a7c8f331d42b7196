package handlers

import (
	"context"
	"strconv"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/metadata"
)

// IndicesUpdateAliases carries out several changes of aliases, all or none.
func (i *Indices) IndicesUpdateAliases(ctx context.Context, r *api.IndicesUpdateAliasesRequest) (routes.Answer, error) {
	actions, err := parseAliasActions(r.Body)
	if err != nil {
		return nil, err
	}
	if len(actions) == 0 {
		return nil, eserr.IllegalArgument("No action specified")
	}
	return i.updateAliases(ctx, actions)
}

func (i *Indices) updateAliases(ctx context.Context, actions []metadata.AliasAction) (routes.Answer, error) {
	results, err := i.Mutator.UpdateAliases(ctx, actions)
	if err != nil {
		return nil, err
	}
	return aliasResults(results), nil
}

// aliasResults tells what became of each action when one of them found nothing to do.
type aliasResults []metadata.AliasResult

func (a aliasResults) AppendJSON(dst []byte) []byte {
	failed := false
	for _, r := range a {
		failed = failed || r.Missing != nil
	}
	dst = append(dst, `{"acknowledged":true,"errors":`...)
	dst = strconv.AppendBool(dst, failed)
	if !failed {
		return append(dst, '}')
	}
	dst = append(dst, `,"action_results":[`...)
	for n, r := range a {
		if n > 0 {
			dst = append(dst, ',')
		}
		action := members{{"type", r.Action.Kind.String()}, {"indices", r.Indices}, {"aliases", r.Action.Aliases}}
		dst = append(dst, `{"action":`...)
		dst = action.AppendJSON(dst)
		if r.Missing == nil {
			dst = append(dst, `,"status":200}`...)
			continue
		}
		dst = append(dst, `,"status":`...)
		dst = strconv.AppendInt(dst, int64(r.Missing.Status), 10)
		dst = append(dst, `,"error":`...)
		dst = r.Missing.AppendCause(dst)
		dst = append(dst, '}')
	}
	return append(dst, "]}"...)
}

var _ jsonx.Appender = aliasResults(nil)
