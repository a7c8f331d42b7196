package handlers

import (
	"cmp"
	"context"
	"strconv"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/handlers/cat"
	"postern/internal/metadata"
)

// CatAliases answers _cat/aliases.
func (c *Cluster) CatAliases(ctx context.Context, r *api.CatAliasesRequest) (routes.Answer, error) {
	state, err := c.State(ctx)
	if err != nil {
		return nil, err
	}
	table := &cat.Table{Columns: cat.AliasesColumns()}
	for _, ix := range state.Indices() {
		for i := range ix.Aliases {
			if a := &ix.Aliases[i]; aliasAsked(a.Name, r.Name) {
				table.Rows = append(table.Rows, aliasRow(ix, a))
			}
		}
	}
	view := catOptions(r.H, r.S, r.V, r.Help, r.Bytes, r.Time)
	if len(view.S) == 0 {
		view.S = []string{"alias", "index"}
	}
	return table.View(view)
}

// aliasAsked reads a list of names and patterns; one that begins with - takes away.
func aliasAsked(name string, patterns []string) bool {
	asked := len(patterns) == 0
	for _, p := range patterns {
		if p == "_all" {
			p = "*"
		}
		if len(p) > 1 && p[0] == '-' {
			asked = asked && !metadata.MatchWildcard(p[1:], name)
		} else {
			asked = asked || metadata.MatchWildcard(p, name)
		}
	}
	return asked
}

func aliasRow(ix *metadata.Index, a *metadata.Alias) []cat.Cell {
	filter, write := "-", "-"
	if a.Filter != nil {
		filter = "*"
	}
	if a.IsWriteIndex != nil {
		write = strconv.FormatBool(*a.IsWriteIndex)
	}
	return []cat.Cell{cat.Text(a.Name), cat.Text(ix.Name), cat.Text(filter), cat.Text(cmp.Or(a.IndexRouting, "-")), cat.Text(cmp.Or(a.SearchRouting, "-")), cat.Text(write)}
}
