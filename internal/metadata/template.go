package metadata

import (
	"slices"
	"strconv"
	"strings"

	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/xcontent"
)

// Template is a composable index template. It is immutable.
type Template struct {
	Name     string
	Patterns []string
	// HasTemplate tells that the member "template" was given; HasSettings, HasAliases and
	// Mappings (as JSON, nil for none) tell which of its members were.
	HasTemplate, HasSettings, HasAliases bool
	Settings                             Settings
	Mappings                             []byte
	Aliases                              []Alias
	ComposedOf, IgnoreMissing            []string
	Priority, Version                    *int64
	Meta                                 []byte
	AllowAutoCreate, Deprecated          *bool
}

// ParseTemplate reads the body of a put index template request.
func ParseTemplate(name string, v jsonx.Value) (*Template, error) {
	t := &Template{Name: name}
	p := xcontent.Parser{Style: xcontent.Object, Name: "index_template"}
	if err := p.Start(v); err != nil {
		return nil, err
	}
	known := []string{"index_patterns", "template", "composed_of", "priority", "version", "_meta", "data_stream", "allow_auto_create", "ignore_missing_component_templates", "deprecated"}
	for k, m := range v.Members() {
		key := k.Text()
		var err error
		switch key {
		case "index_patterns":
			err = texts(p, k, m, &t.Patterns)
			if err == nil && len(t.Patterns) == 0 {
				return nil, eserr.IllegalArgument("There must be at least one pattern, zero given")
			}
		case "composed_of":
			err = texts(p, k, m, &t.ComposedOf)
		case "ignore_missing_component_templates":
			err = texts(p, k, m, &t.IgnoreMissing)
		case "template":
			err = t.parseTemplate(k, m, p)
		case "priority":
			err = long(p, k, m, &t.Priority)
		case "version":
			err = long(p, k, m, &t.Version)
		case "_meta":
			if m.Kind() != jsonx.Object {
				return nil, p.Wrong(k, m)
			}
			t.Meta = jsonx.Compact(nil, m)
		case "allow_auto_create":
			err = truth(p, k, m, &t.AllowAutoCreate)
		case "deprecated":
			err = truth(p, k, m, &t.Deprecated)
		case "data_stream":
			return nil, eserr.Refused("index templates with [data_stream] are not supported in this version of Postern")
		default:
			return nil, p.Unknown(k, m, known)
		}
		if err != nil {
			return nil, err
		}
	}
	if t.Patterns == nil {
		return nil, eserr.IllegalArgument("Required [index_patterns]")
	}
	return t, nil
}

func (t *Template) parseTemplate(of jsonx.Key, v jsonx.Value, outer xcontent.Parser) error {
	p := xcontent.Parser{Style: xcontent.Object, Name: "template"}
	if v.Kind() != jsonx.Object {
		return outer.Wrong(of, v)
	}
	t.HasTemplate = true
	for k, m := range v.Members() {
		var err error
		switch key := k.Text(); key {
		case "settings":
			if m.Kind() != jsonx.Object {
				return outer.Fail(of, m, p.Wrong(k, m))
			}
			t.HasSettings = true
			t.Settings, err = ParseSettings(m)
		case "mappings":
			if m.Kind() != jsonx.Object {
				return outer.Fail(of, m, p.Wrong(k, m))
			}
			t.Mappings = appendHashed(nil, unwrapType(m))
		case "aliases":
			if m.Kind() != jsonx.Object {
				return outer.Fail(of, m, p.Wrong(k, m))
			}
			t.HasAliases = true
			t.Aliases, err = parseAliases(m, false)
		case "lifecycle":
			return eserr.Refused("index templates with [lifecycle] are not supported in this version of Postern")
		default:
			err = p.Unknown(k, m, []string{"settings", "mappings", "aliases", "lifecycle"})
		}
		if err != nil {
			return outer.Fail(of, m, err)
		}
	}
	return nil
}

// unwrapType takes the type _doc off a mapping that is wrapped in it.
func unwrapType(v jsonx.Value) jsonx.Value {
	if inner := v.Get("_doc"); v.Len() == 1 && inner.Kind() == jsonx.Object {
		return inner
	}
	return v
}

func texts(p xcontent.Parser, k jsonx.Key, v jsonx.Value, into *[]string) error {
	if !(xcontent.Strings | xcontent.Arrays).Has(xcontent.TokenOf(v)) {
		return p.Wrong(k, v)
	}
	if err := xcontent.OneOrMany(into, v, xcontent.Text); err != nil {
		return p.Fail(k, v, err)
	}
	return nil
}

func long(p xcontent.Parser, k jsonx.Key, v jsonx.Value, into **int64) error {
	if !(xcontent.Numbers | xcontent.Strings).Has(xcontent.TokenOf(v)) {
		return p.Wrong(k, v)
	}
	if err := xcontent.Opt(into, v, xcontent.Long); err != nil {
		return p.Fail(k, v, err)
	}
	return nil
}

func truth(p xcontent.Parser, k jsonx.Key, v jsonx.Value, into **bool) error {
	if !(xcontent.Bools | xcontent.Strings).Has(xcontent.TokenOf(v)) {
		return p.Wrong(k, v)
	}
	if err := xcontent.Opt(into, v, xcontent.Bool); err != nil {
		return p.Fail(k, v, err)
	}
	return nil
}

// AppendJSON appends the template as GET _index_template shows it.
func (t *Template) AppendJSON(dst []byte, flat bool) []byte {
	dst = append(dst, `{"index_patterns":`...)
	dst = appendTexts(dst, t.Patterns)
	if t.HasTemplate {
		dst = append(dst, `,"template":{`...)
		if t.HasSettings {
			dst = append(dst, `"settings":`...)
			if flat {
				dst = t.Settings.AppendFlat(dst)
			} else {
				dst = t.Settings.AppendNested(dst)
			}
		}
		if t.Mappings != nil {
			dst = member(dst, "mappings")
			dst = append(dst, t.Mappings...)
		}
		if t.HasAliases {
			dst = member(dst, "aliases")
			dst = AppendAliases(dst, t.Aliases)
		}
		dst = append(dst, '}')
	}
	dst = append(dst, `,"composed_of":`...)
	dst = appendTexts(dst, t.ComposedOf)
	if t.Priority != nil {
		dst = append(dst, `,"priority":`...)
		dst = strconv.AppendInt(dst, *t.Priority, 10)
	}
	if t.Version != nil {
		dst = append(dst, `,"version":`...)
		dst = strconv.AppendInt(dst, *t.Version, 10)
	}
	if t.Meta != nil {
		dst = append(dst, `,"_meta":`...)
		dst = append(dst, t.Meta...)
	}
	if t.AllowAutoCreate != nil {
		dst = append(dst, `,"allow_auto_create":`...)
		dst = jsonx.AppendBool(dst, *t.AllowAutoCreate)
	}
	if t.IgnoreMissing != nil {
		dst = append(dst, `,"ignore_missing_component_templates":`...)
		dst = appendTexts(dst, t.IgnoreMissing)
	}
	if t.Deprecated != nil {
		dst = append(dst, `,"deprecated":`...)
		dst = jsonx.AppendBool(dst, *t.Deprecated)
	}
	return append(dst, '}')
}

func member(dst []byte, name string) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	return append(jsonx.AppendString(dst, name), ':')
}

func appendTexts(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for i, text := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonx.AppendString(dst, text)
	}
	return append(dst, ']')
}

func (t *Template) priority() int64 {
	if t.Priority == nil {
		return 0
	}
	return *t.Priority
}

func (t *Template) mappings() jsonx.Value {
	if t.Mappings == nil {
		return jsonx.Value{}
	}
	return jsonx.MustParse(string(t.Mappings))
}

// matches tells that the template is for indices of that name. One for all names passes
// hidden indices by.
func (t *Template) matches(name string, hidden bool) bool {
	for _, p := range t.Patterns {
		if hidden && p == "*" {
			return false
		}
	}
	return slices.ContainsFunc(t.Patterns, func(p string) bool { return MatchWildcard(p, name) })
}

// TemplateFor is the template of the highest priority for indices of that name, or nil.
func (s *State) TemplateFor(name string, hidden bool) *Template {
	var best *Template
	for _, t := range s.templates {
		if t.matches(name, hidden) && (best == nil || t.priority() > best.priority()) {
			best = t
		}
	}
	return best
}

// PutTemplate adds or, unless create says so, replaces a template.
func (s *State) PutTemplate(t *Template, create bool) (*State, error) {
	if t.priority() < 0 {
		return nil, eserr.ActionValidation("index template priority must be >= 0")
	}
	if _, set := t.Settings.find("index.hidden"); set && slices.Contains(t.Patterns, "*") {
		return nil, eserr.ActionValidation("global composable templates may not specify the setting index.hidden")
	}
	i, exists := slices.BinarySearchFunc(s.templates, t.Name, func(t *Template, name string) int { return compare(t.Name, name) })
	if exists && create {
		return nil, eserr.IllegalArgument("index template [%s] already exists", t.Name)
	}
	if err := s.checkTemplate(t); err != nil {
		return nil, err
	}
	next := s.change()
	next.templates = slices.Clone(s.templates)
	if exists {
		next.templates[i] = t
	} else {
		next.templates = slices.Insert(next.templates, i, t)
	}
	return next, nil
}

func (s *State) checkTemplate(t *Template) error {
	var missing []string
	for _, c := range t.ComposedOf {
		if !slices.Contains(t.IgnoreMissing, c) {
			missing = append(missing, c)
		}
	}
	if len(missing) > 0 {
		// Postern has no component templates.
		list := strings.Join(missing, ", ")
		return invalidTemplate(t.Name, "index template ["+t.Name+"] specifies component templates ["+list+"] that do not exist")
	}
	if err := s.checkOverlap(t); err != nil {
		return err
	}
	if wrong := t.complaints(); len(wrong) > 0 {
		return invalidTemplate(t.Name, eserr.Validation(wrong...).Reason)
	}
	settings := Creation{Definition: Definition{}}
	if _, err := parseMapping(t.mappings(), settings.settings(t.Settings)); err != nil {
		cause, ok := eserr.As(err)
		if !ok || cause.Status == 501 {
			return err
		}
		return eserr.IllegalArgument("composable template [%s] template after composition is invalid", t.Name).
			Cause(eserr.IllegalArgument("invalid composite mappings for [%s]", t.Name).Cause(cause))
	}
	return nil
}

// complaints lists what is wrong with the template's name, patterns and settings.
func (t *Template) complaints() []string {
	var wrong []string
	switch {
	case strings.Contains(t.Name, " "):
		wrong = append(wrong, "name must not contain a space")
	case strings.Contains(t.Name, ","):
		wrong = append(wrong, "name must not contain a ','")
	case strings.Contains(t.Name, "#"):
		wrong = append(wrong, "name must not contain a '#'")
	case strings.Contains(t.Name, "*"):
		wrong = append(wrong, "name must not contain a '*'")
	case strings.HasPrefix(t.Name, "_"):
		wrong = append(wrong, "name must not start with '_'")
	}
	if strings.ToLower(t.Name) != t.Name {
		wrong = append(wrong, "name must be lower cased")
	}
	for _, p := range t.Patterns {
		for _, c := range []struct{ part, name string }{{" ", "a space"}, {",", "a ','"}, {"#", "a '#'"}, {":", "a ':'"}} {
			if strings.Contains(p, c.part) {
				wrong = append(wrong, "index_patterns ["+p+"] must not contain "+c.name)
			}
		}
		if strings.HasPrefix(p, "_") {
			wrong = append(wrong, "index_pattern ["+p+"] must not start with '_'")
		}
		if strings.ContainsAny(p, `?>|,/\ "<`) {
			wrong = append(wrong, "index_pattern ["+p+"] "+badCharacters)
		}
	}
	if err := t.Settings.Validate(); err != nil {
		if e, ok := eserr.As(err); ok {
			wrong = append(wrong, e.Reason)
		}
	}
	return wrong
}

// checkOverlap refuses a template whose patterns can match what another one of the same
// priority matches.
func (s *State) checkOverlap(t *Template) error {
	var names, shown []string
	for _, other := range s.templates {
		if other.Name == t.Name || other.priority() != t.priority() || !overlap(t.Patterns, other.Patterns) {
			continue
		}
		names = append(names, other.Name)
		shown = append(shown, other.Name+" => ["+strings.Join(other.Patterns, ", ")+"]")
	}
	if len(names) == 0 {
		return nil
	}
	return eserr.IllegalArgument("index template [%s] has index patterns [%s] matching patterns from existing templates [%s] with patterns (%s) that have the same priority [%d], multiple index templates may not match during index creation, please use a different priority",
		t.Name, strings.Join(t.Patterns, ", "), strings.Join(names, ","), strings.Join(shown, ","), t.priority())
}

func overlap(a, b []string) bool {
	for _, p := range a {
		for _, q := range b {
			if patternsMeet(p, q) {
				return true
			}
		}
	}
	return false
}

// patternsMeet tells that some text matches both patterns.
func patternsMeet(p, q string) bool {
	// meet[j] tells whether the rest of p and q[j:] meet; rows go from the end of p.
	meet := make([]bool, len(q)+1)
	for i := len(p); i >= 0; i-- {
		diagonal := false
		for j := len(q); j >= 0; j-- {
			below := meet[j] // of i+1, j
			var now bool
			switch {
			case i == len(p) && j == len(q):
				now = true
			case i < len(p) && p[i] == '*':
				now = below || j < len(q) && meet[j+1]
				if j < len(q) && q[j] == '*' {
					now = now || below
				}
			case j < len(q) && q[j] == '*':
				now = meet[j+1] || i < len(p) && below
			case i < len(p) && j < len(q) && p[i] == q[j]:
				now = diagonal
			}
			diagonal = below
			meet[j] = now
		}
	}
	return meet[0]
}

func invalidTemplate(name, cause string) error {
	return &eserr.Error{Status: 400, Type: "invalid_index_template_exception", Reason: "index_template [" + name + "] invalid, cause [" + cause + "]"}
}

// DeleteTemplates removes the templates that the names and wildcards match; each must
// match one.
func (s *State) DeleteTemplates(names []string) (*State, error) {
	gone := map[string]bool{}
	var missing []string
	for _, pattern := range names {
		found := false
		for _, t := range s.templates {
			if MatchWildcard(pattern, t.Name) {
				gone[t.Name], found = true, true
			}
		}
		if !found && (pattern != "*" || len(names) > 1) {
			missing = append(missing, pattern)
		}
	}
	if len(missing) > 0 {
		return nil, &eserr.Error{Status: 404, Type: "index_template_missing_exception", Reason: "index_template [" + strings.Join(missing, ",") + "] missing"}
	}
	next := s.change()
	next.templates = slices.DeleteFunc(slices.Clone(s.templates), func(t *Template) bool { return gone[t.Name] })
	return next, nil
}

// FindTemplates lists the templates that a name or wildcard matches; a name must match.
func (s *State) FindTemplates(name string) ([]*Template, error) {
	if name == "" {
		return s.templates, nil
	}
	var found []*Template
	for _, t := range s.templates {
		if MatchWildcard(name, t.Name) {
			found = append(found, t)
		}
	}
	if found == nil && !strings.Contains(name, "*") {
		return nil, &eserr.Error{Status: 404, Type: "resource_not_found_exception", Reason: "index template matching [" + name + "] not found"}
	}
	return found, nil
}
