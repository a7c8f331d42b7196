package mapping

import (
	"iter"
	"strconv"

	"postern/internal/analysis"
	"postern/internal/eserr"
)

// Options are the settings of an index that its mapping depends on. The zero Options are
// Elasticsearch's defaults.
type Options struct {
	// Analyzers are the index's own; nil stands for the builtin ones alone.
	Analyzers *analysis.Set
	// IgnoreMalformed and NoCoerce are the defaults of the parameters ignore_malformed and
	// coerce (index.mapping.ignore_malformed, index.mapping.coerce).
	IgnoreMalformed, NoCoerce bool
	Limits                    Limits
	// Similarities are the index's own and, as "default", that of fields without one.
	Similarities map[string]BM25
}

// Limits are the settings index.mapping.*.limit; all zero stands for the defaults.
type Limits struct {
	TotalFields, Depth, NestedFields, NestedObjects, FieldNameLength int
}

func defaultLimits() Limits {
	return Limits{TotalFields: 1000, Depth: 20, NestedFields: 50, NestedObjects: 10000, FieldNameLength: 1<<31 - 1}
}

func (l Limits) orDefaults() Limits {
	if l == (Limits{}) {
		return defaultLimits()
	}
	return l
}

// OptionsOf reads the options from an index's settings, given by flat name
// (index.mapping.coerce) as lists of texts.
func OptionsOf(settings iter.Seq2[string, []string]) (Options, error) {
	o := Options{Limits: defaultLimits()}
	var err error
	if o.Analyzers, err = analysis.ParseSet(settings); err != nil {
		return Options{}, err
	}
	var own similarities
	for name, list := range settings {
		if len(list) == 0 {
			continue
		}
		value := list[0]
		if err = own.set(name, value); err != nil {
			return Options{}, err
		}
		limit := (*int)(nil)
		switch name {
		case "index.mapping.ignore_malformed":
			o.IgnoreMalformed = value == "true"
		case "index.mapping.coerce":
			o.NoCoerce = value == "false"
		case "index.mapping.total_fields.limit":
			limit = &o.Limits.TotalFields
		case "index.mapping.depth.limit":
			limit = &o.Limits.Depth
		case "index.mapping.nested_fields.limit":
			limit = &o.Limits.NestedFields
		case "index.mapping.nested_objects.limit":
			limit = &o.Limits.NestedObjects
		case "index.mapping.field_name_length.limit":
			limit = &o.Limits.FieldNameLength
		}
		if limit != nil {
			if *limit, err = strconv.Atoi(value); err != nil {
				return Options{}, eserr.IllegalArgument("Failed to parse value [%s] for setting [%s]", value, name)
			}
		}
	}
	o.Similarities, err = own.done()
	return o, err
}
