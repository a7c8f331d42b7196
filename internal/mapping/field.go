package mapping

import (
	"unicode/utf8"

	"postern/internal/analysis"
	"postern/internal/datemath"
	"postern/internal/jsonx"
)

// Field is one leaf of a mapping: a field that values can be written to, or a
// multi-field of one. Fields are immutable.
type Field struct {
	// Name is the full path, a multi-field's included.
	Name string
	// Type is Elasticsearch's name of the mapping type.
	Type string
	Kind Kind
	// NestedPath is the nested object that the field lies in, "" for none.
	NestedPath string

	// Index tells that the field can be searched, DocValues that it has a column,
	// Store that stored_fields can ask for it.
	Index, DocValues, Store bool
	// Norms tells that the field's length counts in scores.
	Norms bool
	// IndexOptions is what the index of a text or keyword keeps of a term: docs, freqs,
	// positions or offsets.
	IndexOptions string

	// Analyzer makes the terms of a text; SearchAnalyzer and SearchQuoteAnalyzer those of
	// queries and of phrases. They are nil for other types.
	Analyzer, SearchAnalyzer, SearchQuoteAnalyzer *analysis.Analyzer
	// PositionIncrementGap is the distance between the values of a text.
	PositionIncrementGap int
	// Lowercase tells that a keyword's values and queries go through the normalizer
	// "lowercase".
	Lowercase bool
	// SplitQueriesOnWhitespace tells that a full text query on a keyword is split first.
	SplitQueriesOnWhitespace bool
	// IgnoreAbove is the length in UTF-16 units beyond which a keyword is not indexed; 0 is
	// no limit.
	IgnoreAbove int

	// Format reads and prints a date or date_nanos.
	Format *datemath.Format
	// ScalingFactor is that of a scaled_float.
	ScalingFactor float64
	// NullValue stands for an explicit null; it does not exist when null means nothing.
	NullValue jsonx.Value

	// BM25 are the parameters of a text's or keyword's scores.
	BM25 BM25
	// Dims and Similarity are those of a dense_vector.
	Dims       int
	Similarity string

	ignoreMalformed, coerce, ignoreZ bool
	typ                              *fieldType
	// settings are the parameters, in the order of the type's.
	settings []setting
	// multi are the multi-fields by name, copyTo the full paths that values go to, too.
	multi  []*Field
	copyTo []string
	// short is the last part of the name.
	short string
	// source is the path whose values in _source the field is made of.
	source string
}

// Normalize is a keyword's term for a text of a query.
func (f *Field) Normalize(text string) string {
	if f.Lowercase {
		return analysis.Lowercase(text)
	}
	return text
}

// IgnoreMalformed tells that a wrong value is left out instead of refusing its document.
func (f *Field) IgnoreMalformed() bool { return f.ignoreMalformed }

// utf16Len counts the UTF-16 units of a text.
func utf16Len(s string) int {
	n := 0
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			i++
			n++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}
