package mapping

import (
	"strings"

	"postern/internal/eserr"
)

// check refuses what only the whole mapping shows to be wrong.
func (m *Mapping) check() error {
	limits := m.limits
	total, nested := 0, 0
	var err error
	fail := func(format string, a ...any) {
		if err == nil {
			err = eserr.IllegalArgument(format, a...)
		}
	}
	name := func(short string) {
		if len(short) > limits.FieldNameLength && utf16Len(short) > limits.FieldNameLength {
			fail("Field name [%s] is longer than the limit of [%d] characters", short, limits.FieldNameLength)
		}
	}
	// Elasticsearch's own fields count too, so that less than the longest of their names allows nothing.
	name("_doc_count")
	name("_data_stream_timestamp")
	m.root.walk(func(o *object) {
		if o.path == "" {
			return
		}
		total++
		if o.nested {
			nested++
		}
		name(o.name)
		if depth(o.path) > limits.Depth {
			fail("Limit of mapping depth [%d] has been exceeded due to object field [%s]", limits.Depth, o.path)
		}
	}, func(f *Field) {
		total++
		name(f.short)
	})
	m.root.aliases(func(string, string) { total++ })
	for _, n := range m.root.names {
		if metaName(n) {
			return mapperParsing("Field [%s] is defined more than once", n)
		}
	}
	if total > limits.TotalFields {
		return eserr.IllegalArgument("Limit of total fields [%d] has been exceeded", limits.TotalFields)
	}
	if err != nil {
		return err
	}
	if nested > limits.NestedFields {
		return eserr.IllegalArgument("Limit of nested fields [%d] has been exceeded", limits.NestedFields)
	}
	if err := m.checkAliases(); err != nil {
		return err
	}
	if err := m.checkDoubles(); err != nil {
		return err
	}
	return m.checkCopies()
}

func (m *Mapping) total() int {
	n := len(m.objects) - 1 + len(m.names)
	m.root.aliases(func(string, string) { n++ })
	return n
}

func (m *Mapping) checkAliases() (err error) {
	names := map[string]bool{}
	m.root.aliases(func(path, _ string) { names[path] = true })
	m.root.aliases(func(path, target string) {
		if err != nil {
			return
		}
		f := m.fields[target]
		switch {
		case target == path:
			err = mapperParsing("Invalid [path] value [%s] for field alias [%s]: an alias cannot refer to itself.", target, path)
		case names[target]:
			err = mapperParsing("Invalid [path] value [%s] for field alias [%s]: an alias cannot refer to another alias.", target, path)
		case f == nil:
			err = mapperParsing("Invalid [path] value [%s] for field alias [%s]: an alias must refer to an existing field in the mappings.", target, path)
		default:
			scope := m.Nested(parentOf(path))
			if f.NestedPath == scope {
				return
			}
			message := "The alias is not nested"
			if scope != "" {
				message = "The alias's nested scope is [" + scope + "]"
			}
			message += ", but "
			if f.NestedPath == "" {
				message += "the target is not nested."
			} else {
				message += "the target's nested scope is [" + f.NestedPath + "]."
			}
			err = eserr.IllegalArgument("Invalid [path] value [%s] for field alias [%s]: an alias must have the same nested scope as its target. %s", target, path, message)
		}
	})
	return err
}

// checkDoubles finds multi-fields whose full name is that of an object or field.
func (m *Mapping) checkDoubles() error {
	for i := 1; i < len(m.names); i++ {
		if m.names[i] == m.names[i-1] {
			return mapperParsing("Field [%s] is defined more than once", m.names[i])
		}
	}
	return nil
}

func (m *Mapping) checkCopies() (err error) {
	if len(m.copied) == 0 {
		return nil
	}
	for _, name := range m.names {
		f := m.fields[name]
		for _, to := range f.copyTo {
			target := m.fields[to]
			switch {
			case f.source != f.Name:
				return eserr.IllegalArgument("[copy_to] may not be used to copy from a multi-field: [%s]", f.Name)
			case m.objects[to] != nil:
				return eserr.IllegalArgument("Cannot copy to field [%s] since it is mapped as an object", to)
			case target != nil && target.source != target.Name && target.Name == to:
				return eserr.IllegalArgument("[copy_to] may not be used to copy to a multi-field: [%s]", to)
			}
			scope := m.Nested(to)
			if scope != "" && f.NestedPath != scope && !strings.HasPrefix(f.NestedPath, scope+".") {
				from := f.NestedPath
				if from == "" {
					from = "null"
				}
				return eserr.IllegalArgument("Illegal combination of [copy_to] and [nested] mappings: [copy_to] may only copy data to the current nested document or any of its parents, however one [copy_to] directive is trying to copy data from nested object [%s] to [%s]", from, scope)
			}
		}
	}
	return nil
}

// metaName tells whether a top level name is one of Elasticsearch's own fields.
func metaName(name string) bool {
	switch name {
	case "_id", "_index", "_source", "_routing", "_field_names", "_ignored", "_seq_no", "_version", "_nested_path",
		"_doc_count", "_data_stream_timestamp", "_tsid", "_ts_routing_hash", "_feature", "_tier", "_primary_term":
		return true
	}
	return false
}
