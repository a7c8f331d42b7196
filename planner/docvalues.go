package planner

import (
	"strconv"
	"strings"
	"time"

	"postern/internal/datemath"
	"postern/internal/decimalformat"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/internal/segment"
	"postern/planner/query"
)

// docValueField is one field of docvalue_fields, read from its column.
type docValueField struct {
	name   string // as the answer calls it
	field  *mapping.Field
	format *datemath.Format
	// decimal formats numbers, nil shows them as they are.
	decimal *decimalformat.Format
}

// resolveDocValues finds the fields that patterns stand for.
func resolveDocValues(c *query.Context, specs []fieldSpec) ([]*docValueField, error) {
	var out []*docValueField
	for _, s := range specs {
		var fields []*mapping.Field
		if strings.Contains(s.pattern, "*") {
			fields = c.Mapping.Match(s.pattern)
		} else if f := c.Mapping.Field(s.pattern); f != nil {
			fields = []*mapping.Field{f}
		}
		for _, f := range fields {
			d, err := newDocValue(c, f, s)
			if err != nil {
				return nil, err
			}
			out = append(out, d)
		}
	}
	return out, nil
}

func newDocValue(c *query.Context, f *mapping.Field, s fieldSpec) (*docValueField, error) {
	d := &docValueField{name: f.Name, field: f}
	if !strings.Contains(s.pattern, "*") {
		d.name = s.pattern
	}
	if f.Type == "text" || !f.DocValues {
		return nil, sortable(c, f)
	}
	switch f.Type {
	case "date", "date_nanos":
		d.format = f.Format
		if s.format != "" && s.format != "use_field_mapping" {
			format, err := datemath.ParseFormat(s.format)
			if err != nil {
				return nil, err
			}
			d.format = format
		}
		return d, nil
	case "dense_vector", "binary":
		return nil, eserr.Refused("[docvalue_fields] of the type [%s] are not supported", f.Type)
	}
	if s.format == "" || s.format == "use_field_mapping" {
		return d, nil
	}
	if f.Type == "boolean" || f.Kind != mapping.KindLong && f.Kind != mapping.KindDouble {
		return nil, eserr.IllegalArgument("Field [%s] of type [%s] doesn't support formatting with format [%s]", f.Name, f.Type, s.format)
	}
	var err error
	if d.decimal, err = decimalformat.Parse(s.format); err != nil {
		return nil, eserr.IllegalArgument("%s", err.Error())
	}
	return d, nil
}

// add appends the field's values in a document, if it has any.
func (d *docValueField) add(values map[string][]byte, s *segment.Segment, doc uint32) {
	dst := values[d.name]
	item := func() {
		if len(dst) > 0 {
			dst = append(dst, ',')
		}
	}
	switch d.field.Kind {
	case mapping.KindKeyword, mapping.KindIP:
		if c := s.Keyword(d.field.Name); c != nil {
			for _, o := range c.Ords(doc) {
				item()
				dst = jsonx.AppendString(dst, d.text(c.Term(o)))
			}
		}
	case mapping.KindLong:
		if c := s.Long(d.field.Name); c != nil {
			for _, v := range c.Values(doc) {
				item()
				dst = d.appendLong(dst, v)
			}
		}
	case mapping.KindDouble:
		if c := s.Double(d.field.Name); c != nil {
			for _, v := range c.Values(doc) {
				item()
				dst = d.appendDouble(dst, v)
			}
		}
	}
	if len(dst) > 0 {
		values[d.name] = dst
	}
}

func (d *docValueField) text(term string) string {
	if d.field.Kind == mapping.KindIP {
		return ipText(term)
	}
	return term
}

func (d *docValueField) appendLong(dst []byte, v int64) []byte {
	switch {
	case d.field.Type == "boolean":
		return strconv.AppendBool(dst, v != 0)
	case d.format != nil:
		dst = append(dst, '"')
		dst = appendDate(dst, d.field, d.format, v)
		return append(dst, '"')
	}
	if d.decimal != nil {
		return jsonx.AppendString(dst, string(d.decimal.AppendLong(nil, v)))
	}
	return strconv.AppendInt(dst, v, 10)
}

// appendDouble shows a column's number, which is a double whatever the field's precision.
func (d *docValueField) appendDouble(dst []byte, v float64) []byte {
	if d.decimal != nil {
		return jsonx.AppendString(dst, string(d.decimal.AppendDouble(nil, v)))
	}
	return jsonx.AppendFloat(dst, v)
}

// appendDate formats a date column's value.
func appendDate(dst []byte, f *mapping.Field, format *datemath.Format, v int64) []byte {
	if f.Type == "date_nanos" {
		return format.AppendFormat(dst, datemath.FromNanos(v), time.UTC)
	}
	return format.AppendFormat(dst, datemath.FromMillis(v), time.UTC)
}

// appendDouble writes a number in the precision of its field.
func appendDouble(dst []byte, f *mapping.Field, v float64) []byte {
	if f.Type == "float" || f.Type == "half_float" {
		return jsonx.AppendFloat32(dst, float32(v))
	}
	return jsonx.AppendFloat(dst, v)
}
