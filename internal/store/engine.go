package store

import (
	"context"

	"postern/internal/metadata"
)

// Engine is what a store of Documents may have beside it: a query engine of its own, that
// answers some questions without handing out the documents. Each method is one call, which
// sees one moment; two calls may see two. Any of them may answer ErrNotPushed at once
// when the store cannot do it, does not yet have the index that it takes, or holds
// documents of which it does not know the values; the caller then evaluates a Snapshot.
type Engine interface {
	// Page gives the first limit documents, in the order, of those that match. Documents
	// without a value to order by are left out, and so is the order among equal values.
	// What is Uncovered for the order may come several times, and is then given once.
	Page(ctx context.Context, ix *metadata.Index, f Filter, order Order, limit int, want Columns) (Page, error)
	// Scan gives all documents that match, as Documents.Snapshot gives all there are.
	// Their sources are read when they are asked for.
	Scan(ctx context.Context, ix *metadata.Index, f Filter, want Columns) (Snapshot, error)
	// Count counts the documents that match.
	Count(ctx context.Context, ix *metadata.Index, f Filter) (int64, error)
	// Facet counts, for each term of a keyword field, or each whole number of a field of
	// these, the matching documents that have it, and gives those with the highest counts.
	// Fewer than limit are all there are; none has the count 0.
	Facet(ctx context.Context, ix *metadata.Index, f Filter, field string, limit int) ([]FacetValue, error)
	// Weigh tells, without a call, what questions about an index would cost.
	Weigh(ix *metadata.Index) Weight
}

// Order is what a Page is ordered by: a field of numbers.
type Order struct {
	Field string
	Desc  bool
}

// Page is the answer of Engine.Page.
type Page struct {
	// Snapshot holds the documents of the page, and no others, with their sources: reading
	// them is no further call.
	Snapshot Snapshot
	// Full tells that limit was reached: there may be more.
	Full bool
}

// FacetValue is one term, or one whole number, with the documents that have it.
type FacetValue struct {
	Term  string
	Long  int64
	Count int64
}

// Columns are those that a caller will read from a snapshot; others may be missing.
type Columns struct {
	// All asks for every column there is; Fields is then not looked at.
	All bool
	// Fields are the fields, and the nested paths of which the objects are looked at.
	// _id, _seq_no, _version, _routing and _ignored are always there.
	Fields []string
}

// Weight is what is known about an index without asking.
type Weight struct {
	// Documents estimates how many there are.
	Documents int64
	// Near tells that the columns are in memory, so that a Snapshot costs no scan; Keeps
	// that they would be after one.
	Near, Keeps bool
}
