package aggs

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	gen "postern/generated/aggs"
	"postern/internal/datemath"
	"postern/internal/eserr"
	"postern/internal/geodesy"
	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/internal/segment"
)

// values is where an aggregation finds its values: a field's column, or for documents
// without one, or for all when the field is not mapped, the value given as missing.
type values struct {
	field *mapping.Field // nil when the index does not have it
	// as is the kind of the values: that of the field, or what the aggregation makes of
	// one that is not mapped.
	as mapping.Kind
	// inScope is false for a field of nested documents that the aggregation does not look
	// at, and for the other way round: then no document has a value.
	inScope bool
	nested  bool // the field is of nested documents
	// nanos says that the column counts nanoseconds; values are milliseconds all the same.
	nanos   bool
	index   string // the index's name, which is the value of _index
	format  format
	missing jsonx.Value
	// The missing value as the column has it.
	missingLong   int64
	missingDouble float64
	missingText   string
	missingPoint  geodesy.Point
}

// wanted is what an aggregation asks for.
type wanted struct {
	field   *string
	missing jsonx.Value
	format  *string
	zone    *string
	// unmapped is the kind of values that a field which is not mapped counts as, dates
	// whether as dates.
	unmapped  mapping.Kind
	dates     bool
	valueType gen.ValueType
	as        string // the aggregation's name in complaints, where it is another
	// only numbers can be read, or points, too.
	numeric, points bool
	// only is the one kind that can be read, if there is one.
	only mapping.Kind
}

func (v *values) hasMissing() bool { return v.missing.Exists() && v.missing.Kind() != jsonx.Null }

// hasNothing tells that the field is not mapped and nothing stands in for it.
func (v *values) hasNothing() bool { return v.field == nil && !v.hasMissing() }

// values resolves a field and checks that the aggregation can read it.
func (c *source) values(w wanted) (*values, error) {
	if w.field == nil {
		return nil, eserr.IllegalArgument("Required one of fields [field, script], but none were specified. ")
	}
	f, err := c.fieldOf(*w.field)
	if err != nil {
		return nil, err
	}
	v := &values{missing: w.missing, field: f, index: c.Index}
	if f == nil {
		v.inScope = true
		return v, c.unmapped(v, &w)
	}
	typ := cmp.Or(w.as, c.a.Kind.String())
	switch {
	case f.Kind == mapping.KindText:
		return nil, eserr.IllegalArgument("Fielddata is disabled on [%s] in [%s]. Text fields are not optimised for operations that require per-document field data like aggregations and sorting, so these operations are disabled by default. Please use a keyword field instead. Alternatively, set fielddata=true on [%s] in order to load field data by uninverting the inverted index. Note that this can use significant memory.", f.Name, c.Index, f.Name)
	case !f.DocValues:
		return nil, eserr.IllegalArgument("Can't load fielddata on [%s] because fielddata is unsupported on fields of type [%s]. Use doc values instead.", f.Name, f.Type)
	}
	if err := checkValueType(f, w.valueType); err != nil {
		return nil, err
	}
	if v.format, err = formatOf(f, w.format, w.zone); err != nil {
		return nil, err
	}
	switch {
	case f.Kind == mapping.KindVector || f.Kind == mapping.KindNone || f.Kind == mapping.KindGeoPoint && !w.points && w.only != f.Kind,
		w.only != mapping.KindNone && f.Kind != w.only,
		w.numeric && f.Kind != mapping.KindLong && f.Kind != mapping.KindDouble:
		return nil, eserr.IllegalArgument("Field [%s] of type [%s] is not supported for aggregation [%s]", f.Name, f.Type, typ)
	}
	v.as, v.nanos = f.Kind, f.Type == "date_nanos"
	v.nested = c.Mapping.Nested(f.Name) != ""
	v.inScope = c.Mapping.Nested(f.Name) == c.Scope()
	return v, v.parseMissing(c)
}

// unmapped makes the values of a field that the index does not have.
func (c *source) unmapped(v *values, w *wanted) error {
	v.as = w.unmapped
	f := &mapping.Field{Kind: w.unmapped}
	switch w.valueType {
	case gen.ValueTypeLong, gen.ValueTypeDouble, gen.ValueTypeNumber, gen.ValueTypeNumeric:
		f.Kind, f.Type = mapping.KindLong, "long"
	case gen.ValueTypeDate, gen.ValueTypeDateNanos:
		w.dates = true
	case gen.ValueTypeBoolean:
		f.Kind, f.Type = mapping.KindLong, "boolean"
	case gen.ValueTypeIP:
		f.Kind = mapping.KindIP
	}
	if w.dates {
		f.Kind, f.Type, f.Format = mapping.KindLong, "date", datemath.Default()
	}
	if v.hasMissing() {
		v.as = f.Kind
	}
	pattern := w.format
	if f.Kind == mapping.KindKeyword || f.Kind == mapping.KindIP || f.Type == "boolean" {
		pattern = nil
	}
	var err error
	if v.format, err = formatOf(f, pattern, w.zone); err != nil {
		if v.hasMissing() {
			return err
		}
		v.format, err = formatOf(f, nil, w.zone)
	}
	if err != nil {
		return err
	}
	return v.parseMissing(c)
}

// checkValueType refuses a value_type that is not the field's.
func checkValueType(f *mapping.Field, t gen.ValueType) error {
	numeric := f.Kind == mapping.KindDouble || f.Kind == mapping.KindLong && f.Type != "boolean" && !strings.HasPrefix(f.Type, "date")
	fits, name := true, t.String()
	switch t {
	case gen.ValueTypeString:
		fits = f.Kind == mapping.KindKeyword
	case gen.ValueTypeLong:
		fits, name = numeric, "byte|short|integer|long"
	case gen.ValueTypeDouble:
		fits, name = numeric, "float|double"
	case gen.ValueTypeNumber, gen.ValueTypeNumeric:
		fits, name = numeric, "number"
	case gen.ValueTypeDate, gen.ValueTypeDateNanos:
		fits = strings.HasPrefix(f.Type, "date")
	case gen.ValueTypeIP:
		fits = f.Kind == mapping.KindIP
	case gen.ValueTypeBoolean:
		fits = f.Type == "boolean"
	}
	if !fits {
		return eserr.IllegalArgument("Field type [%s] is incompatible with specified value_type [%s]", f.Type, name)
	}
	return nil
}

// parseMissing reads the missing value as the field would.
func (v *values) parseMissing(c *source) error {
	if !v.hasMissing() {
		return nil
	}
	v.missingText = v.missing.Text()
	var err error
	switch v.as {
	case mapping.KindIP:
		v.missingText, err = parseIP(v.missingText)
	case mapping.KindGeoPoint:
		v.missingPoint, err = pointOf(v.missing)
		v.missingPoint = geodesy.Rounded(v.missingPoint.Lat, v.missingPoint.Lon)
	case mapping.KindLong, mapping.KindDouble:
		if v.missing.Kind() == jsonx.Number && v.format.dates == nil {
			v.missingDouble, _ = v.missing.Float64()
			var whole bool
			if v.missingLong, whole = v.missing.Int64(); !whole {
				v.missingLong = int64(v.missingDouble)
			}
		} else {
			v.missingLong, v.missingDouble, err = v.parseNumber(c, v.missingText)
		}
	}
	return err
}

// parseNumber reads a text as a value of the field: a date, a boolean or a number.
func (v *values) parseNumber(c *source, text string) (long int64, double float64, err error) {
	switch {
	case v.format.dates != nil:
		at, err := c.date(v.format.dates, text, v.format)
		return at, float64(at), err
	case v.format.boolean:
		switch text {
		case "true":
			return 1, 1, nil
		case "false":
			return 0, 0, nil
		}
		return 0, 0, eserr.IllegalArgument("Cannot parse boolean [%s], expected either [true] or [false]", text)
	}
	if long, err = strconv.ParseInt(text, 10, 64); err == nil {
		return long, float64(long), nil
	}
	if double, err = parseDouble(text); err != nil {
		return 0, 0, err
	}
	return int64(math.Floor(double)), double, nil
}

// date is the milliseconds of a date, perhaps with date math.
func (c *source) date(dates *datemath.Format, text string, f format) (int64, error) {
	if strings.HasPrefix(text, "now") {
		c.UsedNow = true
	}
	at, err := dates.ParseMath(text, c.Now, false, f.zone)
	if err != nil {
		return 0, err
	}
	return at.Millis(), nil
}

func parseDouble(text string) (float64, error) {
	d, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil && !math.IsInf(d, 0) {
		return 0, eserr.NumberFormat("For input string: \"" + text + "\"")
	}
	return d, nil
}

// kind is the kind of the column that the values come from, KindNone without one.
func (v *values) kind() mapping.Kind {
	if v.field == nil || !v.inScope {
		return mapping.KindNone
	}
	return v.field.Kind
}

// keyword is the column of a keyword or ip field in a segment, nil without one.
func (v *values) keyword(s *segment.Segment) *segment.KeywordColumn {
	if k := v.kind(); k != mapping.KindKeyword && k != mapping.KindIP {
		return nil
	}
	if v.field.Name == "_index" {
		return segment.Constant(v.index, s.Len())
	}
	return s.Keyword(v.field.Name)
}

// without is the part of a selection that has no value, missing ones aside.
func (v *values) without(s *selection) *selection {
	switch {
	case v.kind() == mapping.KindNone:
		return s
	case everyDocumentHas(v.field.Name):
		return &selection{seg: s.seg}
	}
	return s.andNot(s.seg.Exists(v.field.Name))
}
