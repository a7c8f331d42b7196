package xcontent

import (
	"strings"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// Definition reads the definition of one aggregation: beside its metadata and its
// sub-aggregations there is one member, whose key tells its kind.
type Definition struct {
	// Name is what the client calls it.
	Name string
	kind string
	subs bool
}

// AggregationName checks the name of an aggregation and that v defines one.
func AggregationName(k jsonx.Key, v jsonx.Value) error {
	name := k.Text()
	if name == "" || strings.ContainsAny(name, "[]>") {
		line, col := k.Pos()
		return eserr.Parsing(line, col, "Invalid aggregation name [%s]. Aggregation names can contain any character except '[', ']', and '>'", name)
	}
	return nil
}

// Start checks that v is an object.
func (d *Definition) Start(v jsonx.Value) error {
	if v.Kind() == jsonx.Object {
		return nil
	}
	line, col := v.Pos()
	return eserr.Parsing(line, col, "Aggregation definition for [%s starts with a [%s], expected a [START_OBJECT].", d.Name, TokenOf(v))
}

// Member checks that a member of the definition is an object.
func (d *Definition) Member(k jsonx.Key, v jsonx.Value) error {
	if v.Kind() == jsonx.Object {
		return nil
	}
	line, col := v.Pos()
	return eserr.Parsing(line, col, "Expected [START_OBJECT] under [%s], but got a [%s] in [%s]", k.Text(), TokenOf(v), d.Name)
}

// Sub notes that there are sub-aggregations; a second time is an error.
func (d *Definition) Sub(v jsonx.Value) error {
	if !d.subs {
		d.subs = true
		return nil
	}
	line, col := v.Pos()
	return eserr.Parsing(line, col, "Found two sub aggregation definitions under [%s]", d.Name)
}

// Kind notes the kind; a second one is an error.
func (d *Definition) Kind(k jsonx.Key, v jsonx.Value) error {
	if d.kind == "" {
		d.kind = k.Text()
		return nil
	}
	line, col := v.Pos()
	return eserr.Parsing(line, col, "Found two aggregation type definitions in [%s]: [%s] and [%s]", d.Name, d.kind, k.Text())
}

// Nothing is the complaint of an aggregation that has no members.
func (d *Definition) Nothing(v jsonx.Value) error {
	line, col := v.Pos()
	return eserr.Parsing(line, col, "Expected [FIELD_NAME] under a [START_OBJECT], but got a [%s] in [%s]", TokenOf(v), d.Name)
}

// End checks that there was a kind.
func (d *Definition) End(v jsonx.Value) error {
	if d.kind != "" {
		return nil
	}
	line, col := v.EndPos()
	return eserr.Parsing(line, col, "Missing definition for aggregation [%s]", d.Name)
}

// UnknownAggregation is the complaint about a kind that does not exist.
func UnknownAggregation(k jsonx.Key, m jsonx.Value, known []string) error {
	return unknownNamed(k, m, "Unknown aggregation type ["+k.Text()+"]"+Suggest(k.Text(), known))
}
