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
func (i *Indices) IndicesGetIndexTemplate(_ context.Context, r *api.IndicesGetIndexTemplateRequest) (routes.Answer, error) {
	found, err := i.templates(r.Name)
	if err != nil {
		return nil, err
	}
	a := &answer.IndexTemplates{IndexTemplates: make([]answer.IndexTemplateItem, len(found))}
	for n, t := range found {
		a.IndexTemplates[n] = answer.IndexTemplateItem{Name: t.Name, IndexTemplate: rawJSON(t.AppendJSON(nil, deref(r.FlatSettings)))}
	}
	return a, nil
}

func (i *Indices) templates(name string) ([]*metadata.Template, error) {
	if strings.Contains(name, ",") {
		return nil, eserr.IllegalArgument("template name may not contain ','")
	}
	return i.State().FindTemplates(name)
}

// IndicesExistsIndexTemplate tells whether index templates are there.
func (i *Indices) IndicesExistsIndexTemplate(_ context.Context, r *api.IndicesExistsIndexTemplateRequest) (routes.Answer, error) {
	found, err := i.templates(r.Name)
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
