package planner

import (
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/segment"
	"postern/planner/query"
)

type sourceField struct{}

func resolveSourceFields(c *query.Context, specs []fieldSpec) ([]*sourceField, error) {
	if len(specs) > 0 {
		return nil, eserr.Refused("[fields] is not supported")
	}
	return nil, nil
}

func addSourceFields(values map[string][]byte, fields []*sourceField, source jsonx.Value, part segment.Part, doc uint32) error {
	return nil
}
