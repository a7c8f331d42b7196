package planner

import (
	"postern/internal/jsonx"
	"postern/internal/mapping"
)

func parseMapping(text string) (*mapping.Mapping, error) {
	return mapping.Parse(jsonx.MustParse(text), mapping.Options{})
}

func parseDocument(m *mapping.Mapping, doc *mapping.Document, id, routing string, source jsonx.Value) error {
	_, err := m.ParseDocument(doc, id, routing, source)
	return err
}
