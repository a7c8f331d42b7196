package mapping

import (
	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// fieldType is a mapping type of leaves.
type fieldType struct {
	name string
	kind Kind
	// params are in the order in which GET _mapping prints them.
	params []parameter
	// early is how many of them stand before fields and copy_to; 0 is all.
	early int
	// arrays tells that the type reads arrays itself.
	arrays bool
	// fill sets the members of a Field from its settings and checks them together.
	fill func(c *fieldContext, f *Field) error
	// read appends a document's value, which is not null and, unless arrays is set, no array.
	read func(p *docParser, f *Field, v jsonx.Value) error
}

// fieldTypeOf finds a mapping type; an error for one that Elasticsearch has and we have
// not, nil for one that nobody has.
func fieldTypeOf(name string) (*fieldType, error) {
	switch name {
	case "text":
		return textType(), nil
	case "keyword":
		return keywordType(), nil
	case "long", "integer", "short", "byte", "double", "float", "half_float":
		return numberType(name), nil
	case "scaled_float":
		return scaledFloatType(), nil
	case "date", "date_nanos":
		return dateType(name), nil
	case "boolean":
		return booleanType(), nil
	case "ip":
		return ipType(), nil
	case "geo_point":
		return geoPointType(), nil
	case "binary":
		return binaryType(), nil
	case "dense_vector":
		return denseVectorType(), nil
	case "unsigned_long", "flattened", "completion", "integer_range", "float_range", "long_range", "double_range",
		"date_range", "ip_range", "geo_shape", "shape", "point", "wildcard", "constant_keyword", "counted_keyword", "version", "join",
		"percolator", "rank_feature", "rank_features", "search_as_you_type", "token_count", "histogram",
		"aggregate_metric_double", "match_only_text", "annotated_text", "murmur3", "sparse_vector",
		"semantic_text", "passthrough", "icu_collation_keyword":
		return nil, eserr.Refused("the mapping type [%s] is not supported", name)
	}
	return nil, nil
}

// indexed fills what most types share.
func indexed(f *Field) {
	f.Index, f.DocValues, f.Store = f.isOn("index"), f.isOn("doc_values"), f.isOn("store")
	f.ignoreMalformed, f.coerce = f.isOn("ignore_malformed"), f.isOn("coerce")
}

// columnParams are index, doc_values and store.
func columnParams() []parameter {
	return []parameter{boolParam("index", true), boolParam("doc_values", true), boolParam("store", false)}
}

// malformed is ignore_malformed with the index's default.
func malformedParam(printed bool) parameter {
	p := boolParam("ignore_malformed", false).updatable()
	p.explicit = printed
	return p
}

// setNull makes NullValue of the setting null_value.
func (f *Field) setNull() {
	if s := f.find("null_value"); s.json != "" && s.json != "null" {
		f.NullValue = jsonx.MustParse(s.json)
	}
}
