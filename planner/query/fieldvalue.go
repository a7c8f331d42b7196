package query

import (
	"math"
	"net/netip"
	"strings"

	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/mapping"
)

// column is where a field's terms lie.
func (c *Context) column(f *mapping.Field) column {
	text := f.Kind == mapping.KindText
	return column{
		field: f.Name, text: text, flat: !f.Norms, bare: text && f.IndexOptions == "docs", bm25: f.BM25,
		steps: c.steps("", f.NestedPath),
	}
}

// searchable is the error of a field that keeps nothing to search in.
func searchable(f *mapping.Field) *eserr.Error {
	switch {
	case f.Index:
		return nil
	case f.Kind == mapping.KindText:
		return eserr.IllegalArgument("Cannot search on field [%s] since it is not indexed.", f.Name)
	case !f.DocValues:
		return eserr.IllegalArgument("Cannot search on field [%s] since it is not indexed nor has doc values.", f.Name)
	}
	return nil
}

// unscored takes the score off a field that is searched through its doc values.
func unscored(f *mapping.Field, n Node) Node {
	if !f.Index {
		return Filter(n)
	}
	return n
}

// termOf is the node of one exact value of a field, as the field's type reads it.
func (c *Context) termOf(f *mapping.Field, v jsonx.Value) (Node, *eserr.Error) {
	switch f.Type {
	case "binary":
		return nil, eserr.IllegalArgument("Binary fields do not support searching")
	case "geo_point":
		return nil, eserr.IllegalArgument("Geometry fields do not support exact searching, use dedicated geometry queries instead: [%s]", f.Name)
	case "dense_vector":
		return nil, eserr.IllegalArgument("Field [%s] of type [dense_vector] doesn't support term queries", f.Name)
	}
	if err := searchable(f); err != nil {
		return nil, err
	}
	switch f.Type {
	case "keyword", "text":
		return unscored(f, &term{column: c.column(f), value: f.Normalize(textOf(v))}), nil
	case "boolean":
		b, err := boolOf(v)
		if err != nil {
			return nil, err
		}
		return unscored(f, &flag{c.column(f), b}), nil
	case "date", "date_nanos":
		day := dateBound{value: v, inclusive: true}
		return c.dateRange(f, day, day, nil, nil)
	case "ip":
		return c.ipTerm(f, textOf(v))
	}
	n, err := readNumber(v)
	if err != nil {
		return nil, err
	}
	if f.Kind == mapping.KindLong {
		if n.hasDecimalPart() {
			return matchNone{}, nil
		}
		i, err := wholeOf(f, n)
		if err != nil {
			return nil, err
		}
		return newLongs(f.Name, i), nil
	}
	d, ok, err := floatOf(f, n)
	if err != nil || !ok {
		return matchNone{}, err
	}
	return newDoubles(f.Name, d), nil
}

// textOf is a value as text, the way keyword fields see it.
func textOf(v jsonx.Value) string { return v.Text() }

// wholeOf reads a value of a whole-number field.
func wholeOf(f *mapping.Field, n number) (int64, *eserr.Error) {
	if f.Type == "long" {
		return n.long()
	}
	return n.integer()
}

// floatOf rounds a value to the precision of a field; ok is false where no document
// can have it.
func floatOf(f *mapping.Field, n number) (value float64, ok bool, err *eserr.Error) {
	switch f.Type {
	case "float":
		d := float64(float32(n.f))
		if math.IsInf(n.f, 0) || math.IsNaN(n.f) {
			return 0, false, finite("float", d)
		}
		return d, !math.IsInf(d, 0), nil
	case "half_float":
		d := float64(float32(n.f))
		h := roundHalf(float32(n.f))
		if math.IsInf(float64(h), 0) || math.IsNaN(d) {
			return 0, false, notFinite("half_float", d)
		}
		return float64(h), true, nil
	case "scaled_float":
		if err := finite("scaled_float", n.f); err != nil {
			return 0, false, err
		}
		return unscale(f, math.Floor(n.f*f.ScalingFactor+0.5)), true, nil
	}
	return n.f, true, finite("double", n.f)
}

// unscale gives the value that a scaled_float's doc values show.
func unscale(f *mapping.Field, scaled float64) float64 { return scaled / f.ScalingFactor }

func boolOf(v jsonx.Value) (bool, *eserr.Error) {
	switch s := v.Text(); s {
	case "true":
		return true, nil
	case "false":
		return false, nil
	default:
		return false, eserr.IllegalArgument("Can't parse boolean value [%s], expected [true] or [false]", s)
	}
}

// ipTerm is an address, or a network in CIDR form.
func (c *Context) ipTerm(f *mapping.Field, text string) (Node, *eserr.Error) {
	if strings.Contains(text, "/") {
		lo, hi, err := cidr(text)
		if err != nil {
			return nil, err
		}
		return &termRange{c.column(f), bound{value: lo, inclusive: true}, bound{value: hi, inclusive: true}}, nil
	}
	a, err := ipOf(text)
	if err != nil {
		return nil, err
	}
	return newTerms(c.column(f), []string{a}), nil
}

// ipOf is an address in the column's form, 16 bytes.
func ipOf(text string) (string, *eserr.Error) {
	a, err := netip.ParseAddr(text)
	if err != nil || a.Zone() != "" {
		return "", eserr.IllegalArgument("'%s' is not an IP string literal.", text)
	}
	b := a.As16()
	return string(b[:]), nil
}

// cidr is the first and the last address of a network.
func cidr(text string) (lo, hi string, _ *eserr.Error) {
	addr, bits, _ := strings.Cut(text, "/")
	if _, err := ipOf(addr); err != nil {
		return "", "", err
	}
	p, err := netip.ParsePrefix(text)
	if err != nil {
		return "", "", eserr.IllegalArgument("Expected [ip/prefix] but was [%s]", addr+"/"+bits)
	}
	first := p.Masked().Addr().As16()
	last := first
	length := p.Bits()
	if p.Addr().Is4() {
		length += 96
	}
	for i := length; i < 128; i++ {
		last[i/8] |= 1 << (7 - i%8)
	}
	return string(first[:]), string(last[:]), nil
}
