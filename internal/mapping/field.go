package mapping

// Field is one leaf of a mapping. Fields are immutable.
type Field struct {
	// Name is the full path, a multi-field's included.
	Name string
	// Type is Elasticsearch's name of the mapping type.
	Type string
	Kind Kind
	// PositionIncrementGap is the distance between the values of a text.
	PositionIncrementGap int
}
