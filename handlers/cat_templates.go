package handlers

import (
	"context"
	"strings"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/handlers/cat"
	"postern/internal/eserr"
	"postern/internal/metadata"
)

// CatTemplates answers _cat/templates. A name that is not there is an empty table.
func (c *Cluster) CatTemplates(ctx context.Context, r *api.CatTemplatesRequest) (routes.Answer, error) {
	if strings.Contains(r.Name, ",") {
		return nil, eserr.IllegalArgument("template name may not contain ','")
	}
	state, err := c.State(ctx)
	if err != nil {
		return nil, err
	}
	all, err := state.FindTemplates("")
	if err != nil {
		return nil, err
	}
	byName := map[string]*metadata.Template{}
	var names []string
	for _, t := range all {
		if r.Name == "" || metadata.MatchWildcard(r.Name, t.Name) {
			byName[t.Name] = t
			names = append(names, t.Name)
		}
	}
	table := &cat.Table{Columns: cat.TemplatesColumns()}
	for _, name := range metadata.HashOrder(names) {
		t := byName[name]
		row := []cat.Cell{cat.Text(name), cat.Text(javaList(t.Patterns)), cat.Int(deref(t.Priority)), {}, cat.Text(javaList(t.ComposedOf))}
		if t.Version != nil {
			row[3] = cat.Int(*t.Version)
		}
		table.Rows = append(table.Rows, row)
	}
	return table.View(catOptions(r.H, r.S, r.V, r.Help, r.Bytes, r.Time))
}

// javaList writes names as Java prints a list.
func javaList(names []string) string { return "[" + strings.Join(names, ", ") + "]" }
