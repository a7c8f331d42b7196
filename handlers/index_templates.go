package handlers

import (
	"context"
	"net/http"
	"strings"

	"postern/generated/answer"
	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/eserr"
	"postern/internal/metadata"
)

// IndicesPutIndexTemplate adds or replaces an index template.
func (i *Indices) IndicesPutIndexTemplate(ctx context.Context, r *api.IndicesPutIndexTemplateRequest) (routes.Answer, error) {
	t, err := metadata.ParseTemplate(r.Name, r.Body)
	if err != nil {
		return nil, err
	}
	if err := i.Mutator.PutTemplate(ctx, t, deref(r.Create)); err != nil {
		return nil, err
	}
	return acknowledged(), nil
}

// IndicesGetIndexTemplate shows index templates.
func (i *Indices) IndicesGetIndexTemplate(ctx context.Context, r *api.IndicesGetIndexTemplateRequest) (routes.Answer, error) {
	found, err := i.templates(ctx, r.Name)
	if err != nil {
		return nil, err
	}
	byName := make(map[string]*metadata.Template, len(found))
	names := make([]string, len(found))
	for n, t := range found {
		names[n], byName[t.Name] = t.Name, t
	}
	a := &foundTemplates{missing: r.Name != "" && len(found) == 0}
	a.IndexTemplates.IndexTemplates = make([]answer.IndexTemplateItem, len(found))
	for n, name := range metadata.HashOrder(names) {
		a.IndexTemplates.IndexTemplates[n] = answer.IndexTemplateItem{Name: name, IndexTemplate: rawJSON(byName[name].AppendJSON(nil, deref(r.FlatSettings)))}
	}
	return a, nil
}

// foundTemplates is the answer of a read of templates; that a wildcard matches none is a
// 404 with an empty list.
type foundTemplates struct {
	answer.IndexTemplates
	missing bool
}

func (f *foundTemplates) Status() int {
	if f.missing {
		return http.StatusNotFound
	}
	return http.StatusOK
}

func (i *Indices) templates(ctx context.Context, name string) ([]*metadata.Template, error) {
	if strings.Contains(name, ",") {
		return nil, eserr.IllegalArgument("template name may not contain ','")
	}
	state, err := i.State(ctx)
	if err != nil {
		return nil, err
	}
	return state.FindTemplates(name)
}

// IndicesExistsIndexTemplate tells whether index templates are there.
func (i *Indices) IndicesExistsIndexTemplate(ctx context.Context, r *api.IndicesExistsIndexTemplateRequest) (routes.Answer, error) {
	found, err := i.templates(ctx, r.Name)
	if e, ok := eserr.As(err); ok && e.Status == http.StatusNotFound {
		return presence(false), nil
	}
	return presence(len(found) > 0), err
}

// IndicesDeleteIndexTemplate removes index templates.
func (i *Indices) IndicesDeleteIndexTemplate(ctx context.Context, r *api.IndicesDeleteIndexTemplateRequest) (routes.Answer, error) {
	if err := i.Mutator.DeleteTemplates(ctx, r.Name); err != nil {
		return nil, err
	}
	return acknowledged(), nil
}
