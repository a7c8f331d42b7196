package mapping

import "postern/internal/jsonx"

func binaryType() *fieldType {
	return &fieldType{name: "binary", kind: KindNone, read: readBinary, params: []parameter{metaParam(), boolParam("store", false), boolParam("doc_values", false)},
		fill: func(c *fieldContext, f *Field) error {
			indexed(f)
			return nil
		}}
}

func readBinary(p *docParser, f *Field, v jsonx.Value) error {
	if !f.Store && !f.DocValues {
		return nil // Elasticsearch does not look at it either
	}
	if v.Kind() != jsonx.String {
		return p.fail(f, v, f.jackson(v, "Current token (%s) not VALUE_STRING or VALUE_EMBEDDED_OBJECT, can not access as binary", token(v)))
	}
	if why, left, ok := checkBase64(v); why != nil {
		line, col := v.Pos()
		if ok {
			return because(p.cannotParse(f, line, col, left), why)
		}
		return because(documentParsing(line, col, "failed to parse field [%s] of type [%s] in document with id '%s'. Could not parse field value preview,", f.Name, f.Type, p.d.ID), why)
	}
	p.add(Value{Field: f})
	return nil
}
