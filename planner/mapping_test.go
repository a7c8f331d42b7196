package planner

import (
	"postern/internal/jsonx"
	"postern/internal/mapping"
)

func parseMapping(text string) (*mapping.Mapping, error) {
	return mapping.StubParse(jsonx.MustParse(text)), nil
}

func parseDocument(m *mapping.Mapping, doc *mapping.Document, id, routing string, source jsonx.Value) error {
	return mapping.StubDoc(m, doc, id, routing, source)
}
