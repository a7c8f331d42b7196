package qdrant

import (
	"encoding/hex"
	"math"
	"strings"
	"unicode/utf8"

	pb "github.com/qdrant/go-client/qdrant"

	"postern/internal/mapping"
)

// What a live document's cover lists. A tombstone has no cover and no columns.
const (
	// covered stands in every cover. A point without it was not written by Postern, or is
	// a tombstone.
	covered = "1"
	// unordered, before a column's key, says that order_by would show the document more
	// than once or in another place: several values, or -0.0.
	unordered = "o:"
	// tokenless says that the field has a value, a text without a token, which leaves
	// nothing in the column.
	tokenless = "e:"
)

// columns are a document's values as Qdrant can index them.
type columns struct {
	fields map[string]*pb.Value
	cover  []string
}

// columnsOf makes the columns of a parsed document.
func columnsOf(doc *mapping.Document) columns {
	c := columns{cover: []string{covered}}
	c.fields = c.object(doc.Values, true)
	if len(doc.Children) == 0 {
		return c
	}
	objects := make([]map[string]*pb.Value, len(doc.Children))
	for i := range doc.Children {
		child := &doc.Children[i]
		objects[i] = c.object(child.Values, false)
		outer := c.fields
		if child.Parent >= 0 {
			outer = objects[child.Parent]
		}
		key := columnKey(child.Path)
		list := outer[key].GetListValue()
		if list == nil {
			list = &pb.ListValue{}
			outer[key] = &pb.Value{Kind: &pb.Value_ListValue{ListValue: list}}
		}
		list.Values = append(list.Values, objectValue(objects[i]))
	}
	return c
}

// object makes the columns of one document or nested object; root tells that it can be
// ordered by.
func (c *columns) object(values []mapping.Value, root bool) map[string]*pb.Value {
	sets := make(map[string]*valueSet, len(values))
	for i := range values {
		v := &values[i]
		key := columnKey(v.Field.Name)
		set := sets[key]
		if set == nil {
			set = &valueSet{}
			sets[key] = set
		}
		set.add(v)
	}
	fields := make(map[string]*pb.Value, len(sets))
	for key, set := range sets {
		switch len(set.values) {
		case 0:
			c.cover = append(c.cover, tokenless+key)
			continue
		case 1:
			fields[key] = set.values[0]
		default:
			fields[key] = listValue(set.values)
		}
		if root && set.numeric && (len(set.values) > 1 || set.negativeZero) {
			c.cover = append(c.cover, unordered+key)
		}
	}
	return fields
}

// valueSet collects the distinct values of one field.
type valueSet struct {
	values                []*pb.Value
	numeric, negativeZero bool
	seen                  map[any]bool
}

func (s *valueSet) add(v *mapping.Value) {
	switch v.Field.Kind {
	case mapping.KindKeyword:
		s.text(v.S)
	case mapping.KindIP:
		s.text(hex.EncodeToString([]byte(v.S)))
	case mapping.KindText:
		for i := range v.Tokens {
			s.text(v.Tokens[i].Term)
		}
	case mapping.KindLong:
		s.numeric = true
		if s.first(v.I) {
			s.values = append(s.values, intValue(v.I))
		}
	case mapping.KindDouble:
		s.numeric = true
		f := v.F
		if f == 0 && math.Signbit(f) {
			s.negativeZero, f = true, 0
		}
		if s.first(f) {
			s.values = append(s.values, floatValue(f))
		}
	case mapping.KindGeoPoint:
		s.values = append(s.values, objectValue(map[string]*pb.Value{
			"lat": floatValue(v.F), "lon": floatValue(math.Float64frombits(uint64(v.I)))}))
	default:
		if s.first(true) {
			s.values = append(s.values, boolValue(true))
		}
	}
}

func (s *valueSet) text(term string) {
	if t := termText(term); s.first(t) {
		s.values = append(s.values, textValue(t))
	}
}

// first reports whether a value is new.
func (s *valueSet) first(v any) bool {
	if s.seen == nil {
		s.seen = map[any]bool{}
	}
	if s.seen[v] {
		return false
	}
	s.seen[v] = true
	return true
}

// termMark begins the text of a term that is not valid UTF-8 or begins with it.
const termMark = "\x00"

// termText is a term as a string of Qdrant's, which must be UTF-8. Different terms have
// different texts, and almost all are their own.
func termText(term string) string {
	if utf8.ValidString(term) && !strings.HasPrefix(term, termMark) {
		return term
	}
	return termMark + hex.EncodeToString([]byte(term))
}

// textTerm is the term of a text.
func textTerm(text string) string {
	rest, marked := strings.CutPrefix(text, termMark)
	if !marked {
		return text
	}
	b, err := hex.DecodeString(rest)
	if err != nil {
		return text
	}
	return string(b)
}
