package store

// Filter says which documents of an index a call is about. It always speaks of the
// documents that searches see, tombstones never match, not even All and Not; a store
// adds what that takes.
//
// Fields are named as in the mapping. A field's values are those of its column: terms of
// keywords, addresses (16 bytes) and texts (their tokens), whole numbers of integers,
// dates (milliseconds), date_nanos (nanoseconds) and booleans (0 and 1), floating point
// numbers of the others. Beside the mapped fields there are _seq_no, whole numbers, and
// _routing and _ignored, terms. A condition on values holds when any one of the document's
// values meets it, so documents without a value never meet one.
//
// A store that cannot tell exactly the documents of a filter answers ErrNotPushed.
type Filter interface {
	filter()
	// String is for people.
	String() string
}

type (
	// All is every document.
	All struct{}
	// And is what matches each of its filters: everything when there are none.
	And []Filter
	// Or is what matches any of its filters: nothing when there are none.
	Or []Filter
	// Not is what does not match the filter.
	Not struct{ Filter Filter }
	// Terms is a field with any of some terms. Terms are compared as bytes and need not
	// be valid UTF-8.
	Terms struct {
		Field string
		Terms []string
	}
	// Longs is a field of whole numbers with any of some. They are compared as they are,
	// in all 64 bits.
	Longs struct {
		Field  string
		Values []int64
	}
	// Range is a field with a number v that lies in From <= v <= To; infinite bounds are
	// open. A store may compare a whole number as the float64 next to it, or the bound as
	// a whole number: whoever asks must take neither for granted where they differ, beyond
	// 2^53. The two zeros are equal.
	Range struct {
		Field    string
		From, To float64
	}
	// Exists is a field that has a value, be it a text without tokens.
	Exists struct{ Field string }
	// IDs is any of some _id.
	IDs struct{ IDs []string }
	// Nested is a document with an object under the nested path of which alone the filter
	// holds. Fields in it have their full names; those of the document itself, its _id and
	// _seq_no are not among an object's.
	Nested struct {
		Path   string
		Filter Filter
	}
	// Uncovered is a document that Page with that field as Order, or Facet on it, may give
	// wrongly: listed more than once, in another place, or under another value. For an
	// order such are several values and -0.0, for a facet there are none unless the store
	// has some of its own.
	Uncovered struct{ Field string }
)

func (All) filter()       {}
func (And) filter()       {}
func (Or) filter()        {}
func (Not) filter()       {}
func (Terms) filter()     {}
func (Longs) filter()     {}
func (Range) filter()     {}
func (Exists) filter()    {}
func (IDs) filter()       {}
func (Nested) filter()    {}
func (Uncovered) filter() {}
