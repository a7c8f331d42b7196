package metadata

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/mapping"
)

// Definition is what a client says of an index to be created.
type Definition struct {
	Settings Settings
	Mappings jsonx.Value // absent for none
	Aliases  []Alias
}

// ParseDefinition reads the body of a create index request; an absent value is an empty
// one.
func ParseDefinition(v jsonx.Value) (Definition, error) {
	var d Definition
	if !v.Exists() {
		return d, nil
	}
	if v.Kind() != jsonx.Object {
		return d, eserr.NotXContent()
	}
	for k, m := range v.Members() {
		var err error
		switch key := k.Text(); key {
		case "settings":
			if m.Kind() != jsonx.Object {
				return d, eserr.ParseError("key [settings] must be an object")
			}
			d.Settings, err = ParseSettings(m)
		case "mappings":
			if m.Kind() != jsonx.Object {
				return d, notAnObject(m)
			}
			if inner := m.Get("_doc"); inner.Exists() {
				return d, eserr.IllegalArgument("The mapping definition cannot be nested under a type [_doc] unless include_type_name is set to true.")
			}
			d.Mappings = m
		case "aliases":
			if m.Kind() != jsonx.Object {
				return d, notAnObject(m)
			}
			d.Aliases, err = parseAliases(m, true)
		default:
			return d, eserr.ParseError("unknown key [%s] for create index", key)
		}
		if err != nil {
			return d, err
		}
	}
	return d, nil
}

// notAnObject is what a Java cast says.
func notAnObject(v jsonx.Value) error {
	class := "java.lang.String"
	switch v.Kind() {
	case jsonx.Array:
		class = "java.util.ArrayList"
	case jsonx.Number:
		class = "java.lang.Integer"
	case jsonx.True, jsonx.False:
		class = "java.lang.Boolean"
	}
	return eserr.ClassCast(class, "java.util.Map")
}

// Creation is the request to create one index.
type Creation struct {
	Name string // resolved
	// ProvidedName is the name as it was asked for, date math included.
	ProvidedName string
	Definition
	UUID string
	At   time.Time
	// Auto says that a document's arrival creates the index.
	Auto bool
	// CheckFilter validates the filter of an alias; nil for no check.
	CheckFilter FilterCheck
	// Check has the last word on the index as it would be; nil for no check.
	Check func(*Index) error
}

// FilterCheck reads an alias's filter as a query on the index and says what is wrong with
// it.
type FilterCheck func(ix *Index, filter []byte) error

// createdVersion is the version of Elasticsearch's indices whose behaviour is kept.
const createdVersion = "8512000"

// CreateIndex adds an index made of the best matching template and the definition.
func (s *State) CreateIndex(c Creation) (*State, *Index, error) {
	if err := s.validateNewIndex(c.Name); err != nil {
		return nil, nil, err
	}
	template := s.TemplateFor(c.Name, c.Settings.Bool("index.hidden", false))
	if c.Auto && template != nil && template.AllowAutoCreate != nil && !*template.AllowAutoCreate {
		return nil, nil, eserr.IndexNotFoundBare("composable template ["+strings.Join(template.Patterns, ", ")+"] forbids index auto creation", "")
	}
	if _, private := c.Settings.find("index.version.created"); private {
		return nil, nil, eserr.Validation("private index setting [index.version.created] can not be set explicitly")
	}
	if err := c.Settings.Validate(); err != nil {
		return nil, nil, err
	}
	ix := &Index{Name: c.Name, UUID: c.UUID, CreatedMillis: c.At.UnixMilli(), MappingVersion: 1, SettingsVersion: 1, AliasesVersion: 1}
	given := c.Settings
	mappings := c.Mappings
	aliases := c.Aliases
	if template != nil {
		given = template.Settings.With(given)
		mappings = mergeMappings(template.mappings(), mappings)
		for _, a := range template.Aliases {
			a.Name = strings.ReplaceAll(a.Name, "{index}", c.Name)
			if !slices.ContainsFunc(aliases, func(b Alias) bool { return b.Name == a.Name }) {
				aliases = putAlias(aliases, a)
			}
		}
	}
	ix.Settings = c.settings(given)
	var err error
	if ix.Mapping, err = parseMapping(mappings, ix.Settings); err != nil {
		return nil, nil, err
	}
	if ix.Aliases, err = s.newAliases(ix, aliases, c.CheckFilter); err != nil {
		return nil, nil, err
	}
	if c.Check != nil {
		if err := c.Check(ix); err != nil {
			return nil, nil, err
		}
	}
	indices := s.copyIndices()
	indices[ix.Name] = ix
	next := s.withIndices(indices)
	if err := next.checkAliases(ix.Aliases); err != nil {
		return nil, nil, err
	}
	return next, ix, nil
}

func (c *Creation) settings(given Settings) Settings {
	provided := c.ProvidedName
	if provided == "" {
		provided = c.Name
	}
	base := NewSettings("index.number_of_shards", "1", "index.number_of_replicas", "1",
		"index.routing.allocation.include._tier_preference", "data_content")
	return expandReplicas(base.With(given)).With(NewSettings("index.uuid", c.UUID, "index.provided_name", provided,
		"index.creation_date", strconv.FormatInt(c.At.UnixMilli(), 10), "index.version.created", createdVersion))
}

// expandReplicas follows index.auto_expand_replicas on one node: the lower bound is met.
func expandReplicas(s Settings) Settings {
	text, ok := s.Get("index.auto_expand_replicas")
	low, _, isRange := strings.Cut(text, "-")
	if !ok || !isRange {
		return s
	}
	if _, err := strconv.Atoi(low); err != nil {
		return s
	}
	return s.With(NewSettings("index.number_of_replicas", low))
}

// newAliases checks the aliases of a new index.
func (s *State) newAliases(ix *Index, aliases []Alias, check FilterCheck) ([]Alias, error) {
	for i := range aliases {
		a := &aliases[i]
		if a.Name == ix.Name {
			return nil, eserr.IllegalArgument("alias name [%s] self-conflicts with index name", a.Name)
		}
		if err := s.validateAliasName(a.Name); err != nil {
			return nil, err
		}
		if err := checkFilter(check, ix, a); err != nil {
			return nil, err
		}
	}
	return aliases, nil
}

func checkFilter(check FilterCheck, ix *Index, a *Alias) error {
	if check == nil || a.Filter == nil {
		return nil
	}
	err := check(ix, a.Filter)
	if err == nil {
		return nil
	}
	cause, ok := eserr.As(err)
	if !ok {
		return err
	}
	if cause.Status == 501 {
		return cause
	}
	return eserr.IllegalArgument("failed to parse filter for alias [%s]", a.Name).Cause(cause)
}

func parseMapping(v jsonx.Value, settings Settings) (*mapping.Mapping, error) {
	options, err := mapping.OptionsOf(settings.Lists())
	if err != nil {
		return nil, err
	}
	if !v.Exists() {
		v = jsonx.MustParse("{}")
	}
	return mapping.Parse(v, options)
}
