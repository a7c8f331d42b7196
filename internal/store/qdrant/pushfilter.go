package qdrant

import (
	"encoding/hex"
	"math"
	"slices"

	pb "github.com/qdrant/go-client/qdrant"

	"postern/internal/mapping"
	"postern/internal/metadata"
	"postern/internal/store"
)

// pushFilter is a filter in Qdrant's words; store.ErrNotPushed if there are none for it.
// paths are the columns that it looks at.
func (s *Store) pushFilter(meta *metadata.Index, f store.Filter) (_ *pb.Filter, paths []columnUse, err error) {
	t := &translator{meta: meta, history: s.historyOf(meta.UUID)}
	c := t.condition(f)
	if t.refused {
		return nil, nil, store.ErrNotPushed
	}
	if inner := c.GetFilter(); inner != nil {
		return inner, t.uses, nil
	}
	return must(c), t.uses, nil
}

// columnUse is a column that a call looks at, with the kind of payload index that it takes.
type columnUse struct {
	path string
	kind pb.FieldType
}

// translator turns filters into conditions.
type translator struct {
	meta    *metadata.Index
	history *history
	// nested is the path of the nested object whose members the filter is about; "" for the
	// document.
	nested  string
	depth   int
	refused bool
	uses    []columnUse
}

// anything is met by every object: there is no such member.
func anything() *pb.Condition { return isEmpty("_") }

// maxDepth is how deep a filter may be. Messages are refused beyond a depth of 100, and a
// level of a filter takes up to three.
const maxDepth = 30

func (t *translator) condition(f store.Filter) *pb.Condition {
	t.depth++
	defer func() { t.depth-- }()
	if t.depth > maxDepth {
		return t.refuse()
	}
	switch f := f.(type) {
	case store.All:
		return t.all()
	case store.And:
		if len(f) == 0 {
			return t.all()
		}
		return within(&pb.Filter{Must: t.conditions(f)})
	case store.Or:
		if len(f) == 0 {
			return within(nothing())
		}
		return within(&pb.Filter{Should: t.conditions(f)})
	case store.Not:
		// A tombstone does not meet the filter either.
		return within(&pb.Filter{Must: []*pb.Condition{t.all()}, MustNot: []*pb.Condition{t.condition(f.Filter)}})
	case store.Terms:
		return t.terms(f)
	case store.Longs:
		return t.longs(f)
	case store.Range:
		return t.numbers(f)
	case store.Exists:
		return t.has(f.Field)
	case store.IDs:
		return t.ids(f)
	case store.Nested:
		return t.within(f)
	case store.Uncovered:
		t.use(keyCover, pb.FieldType_FieldTypeKeyword)
		return matchAny(keyCover, unordered+columnKey(f.Field))
	}
	return t.refuse()
}

func (t *translator) conditions(all []store.Filter) []*pb.Condition {
	out := make([]*pb.Condition, len(all))
	for i, f := range all {
		out[i] = t.condition(f)
	}
	return out
}

// refuse notes that the filter can't be pushed.
func (t *translator) refuse() *pb.Condition {
	t.refused = true
	return anything()
}

func (t *translator) use(path string, kind pb.FieldType) {
	u := columnUse{path, kind}
	if t.nested == "" && !slices.Contains(t.uses, u) {
		t.uses = append(t.uses, u)
	}
}

func (t *translator) all() *pb.Condition {
	if t.nested != "" {
		return anything()
	}
	t.use(keyCover, pb.FieldType_FieldTypeKeyword)
	return live()
}

// column is the place of a field's values, and the field; nil for fields that are not in
// the mapping.
func (t *translator) column(name string) (path string, f *mapping.Field) {
	if t.nested == "" {
		switch name {
		case "_routing":
			return keyRouting, nil
		case "_ignored":
			return keyIgnored, nil
		case "_seq_no":
			return keySeqNo, nil
		}
	}
	f = t.meta.Mapping.Field(name)
	if f == nil || f.Name != name || f.NestedPath != t.nested || t.history.changed[name] {
		t.refuse()
		return "", nil
	}
	path = columnKey(name)
	if t.nested == "" {
		path = columnPath(name)
	}
	if kind, ok := indexKind(f); ok {
		t.use(path, kind)
	}
	return path, f
}

// indexKind is the kind of payload index that a field's column takes, if any.
func indexKind(f *mapping.Field) (pb.FieldType, bool) {
	switch f.Kind {
	case mapping.KindKeyword, mapping.KindIP, mapping.KindText:
		return pb.FieldType_FieldTypeKeyword, true
	case mapping.KindLong:
		return pb.FieldType_FieldTypeInteger, true
	case mapping.KindDouble:
		return pb.FieldType_FieldTypeFloat, true
	}
	return 0, false
}

func (t *translator) terms(f store.Terms) *pb.Condition {
	path, mapped := t.column(f.Field)
	texts := make([]string, len(f.Terms))
	for i, term := range f.Terms {
		if texts[i] = termText(term); mapped != nil && mapped.Kind == mapping.KindIP {
			texts[i] = hex.EncodeToString([]byte(term))
		}
	}
	if len(texts) == 0 {
		return within(nothing())
	}
	return matchAny(path, texts...)
}

func (t *translator) longs(f store.Longs) *pb.Condition {
	path, _ := t.column(f.Field)
	if len(f.Values) == 0 {
		return within(nothing())
	}
	c := field(&pb.FieldCondition{Key: path, Match: &pb.Match{MatchValue: &pb.Match_Integers{Integers: &pb.RepeatedIntegers{Integers: f.Values}}}})
	return t.alive(f.Field, c)
}

// alive leaves out tombstones, which have a _seq_no too.
func (t *translator) alive(field string, c *pb.Condition) *pb.Condition {
	if t.nested == "" && field == "_seq_no" {
		return within(must(c, t.all()))
	}
	return c
}

func (t *translator) numbers(f store.Range) *pb.Condition {
	path, _ := t.column(f.Field)
	r := &pb.Range{}
	if !math.IsInf(f.From, -1) {
		r.Gte = &f.From
	}
	if !math.IsInf(f.To, 1) {
		r.Lte = &f.To
	}
	if r.Gte == nil && r.Lte == nil {
		return t.alive(f.Field, within(mustNot(isEmpty(path))))
	}
	return t.alive(f.Field, field(&pb.FieldCondition{Key: path, Range: r}))
}

func (t *translator) has(name string) *pb.Condition {
	path, mapped := t.column(name)
	if mapped == nil || mapped.Kind != mapping.KindText {
		return t.alive(name, within(mustNot(isEmpty(path))))
	}
	if t.nested != "" {
		return t.refuse() // which objects have a text without tokens is not kept
	}
	return within(&pb.Filter{Should: []*pb.Condition{within(mustNot(isEmpty(path))), matchAny(keyCover, tokenless+columnKey(name))}})
}

func (t *translator) ids(f store.IDs) *pb.Condition {
	if len(f.IDs) == 0 || t.nested != "" {
		return within(nothing())
	}
	points := make([]*pb.PointId, len(f.IDs))
	texts := make([]string, len(f.IDs))
	for i, id := range f.IDs {
		points[i], texts[i] = pointID(id), termText(id)
	}
	return within(must(hasID(points...), matchAny(keyID, texts...), t.all()))
}

// within is a filter on nested objects. Those of the objects around them are lists, too.
func (t *translator) within(f store.Nested) *pb.Condition {
	around := t.nested
	if t.meta.Mapping.Nested(f.Path) != f.Path {
		return t.refuse()
	}
	var path string
	for p := f.Path; p != around; {
		if p == "" {
			return t.refuse() // it does not lie in the object around it
		}
		path = "." + columnKey(p) + "[]" + path
		p = t.meta.Mapping.Nested(parent(p))
	}
	if around == "" {
		path = keyColumns + path
	} else {
		path = path[1:]
	}
	t.nested = f.Path
	c := t.condition(f.Filter)
	t.nested = around
	inner := c.GetFilter()
	if inner == nil {
		inner = must(c)
	}
	return &pb.Condition{ConditionOneOf: &pb.Condition_Nested{Nested: &pb.NestedCondition{Key: path, Filter: inner}}}
}

// parent is the path of what a path lies in.
func parent(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '.' {
			return path[:i]
		}
	}
	return ""
}
