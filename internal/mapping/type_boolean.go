package mapping

import (
	"postern/internal/jsonx"
)

func booleanType() *fieldType {
	params := []parameter{metaParam(), boolParam("doc_values", true), boolParam("index", true),
		{name: "null_value", standard: "null", nullable: true, read: readBool}, boolParam("store", false)}
	params = append(params, scriptParams()...)
	params = append(params, malformedParam(true))
	return &fieldType{name: "boolean", kind: KindLong, params: params, read: readBoolean, fill: func(c *fieldContext, f *Field) error {
		indexed(f)
		if !f.find("ignore_malformed").given {
			f.ignoreMalformed = c.options.IgnoreMalformed
		}
		f.setNull()
		return nil
	}}
}

func readBoolean(p *docParser, f *Field, v jsonx.Value) error {
	on := int64(0)
	switch v.Kind() {
	case jsonx.True:
		on = 1
	case jsonx.False:
	case jsonx.String:
		switch text := p.text(v); text {
		case "true":
			on = 1
		case "false", "":
		default:
			return p.wrong(f, v, notBool(text))
		}
	default:
		e := f.jackson(v, "Current token (%s) not of boolean type", token(v))
		if v.Kind() >= jsonx.Object {
			return p.fail(f, v, e)
		}
		return p.wrong(f, v, e)
	}
	if f.Index || f.DocValues || f.Store {
		p.add(Value{Field: f, I: on})
	}
	return nil
}
