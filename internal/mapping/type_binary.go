package mapping

import (
	"encoding/base64"

	"postern/internal/jsonx"
)

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
		return p.fail(f, v, jackson(v, "Current token (%s) not VALUE_STRING or VALUE_EMBEDDED_OBJECT, can not access as binary", token(v)))
	}
	text := p.text(v)
	if _, err := base64.StdEncoding.DecodeString(text); err != nil {
		return p.fail(f, v, badBase64(v, text))
	}
	p.add(Value{Field: f})
	return nil
}
