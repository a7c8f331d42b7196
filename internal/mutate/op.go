package mutate

import (
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/metadata"
)

// Action is what an operation does to a document.
type Action uint8

const (
	Index Action = iota
	Create
	Update
	Delete
)

func (a Action) String() string { return [...]string{"index", "create", "update", "delete"}[a] }

// VersionType is who counts a document's versions.
type VersionType uint8

const (
	Internal VersionType = iota
	External
	ExternalGTE
)

func (t VersionType) String() string {
	return [...]string{"INTERNAL", "EXTERNAL", "EXTERNAL_GTE"}[t]
}

// Op is one operation on one document.
type Op struct {
	Action Action
	// Index is an index, an alias or a date math name.
	Index string
	// ID is empty for a document that shall be given one; GivenID tells an empty id that
	// was given from none.
	ID      string
	GivenID bool
	Routing string
	// Source is the document of Index and Create.
	Source []byte
	// Update is the body of Update.
	Update *PartialUpdate
	// IfSeqNo, IfPrimaryTerm and Version are nil when not given.
	IfSeqNo, IfPrimaryTerm, Version *int64
	VersionType                     VersionType
	RequireAlias                    bool
	// Refusal is an error that is the outcome whatever else holds; such an operation is
	// not carried out.
	Refusal error
}

// PartialUpdate is the body of an update.
type PartialUpdate struct {
	// Doc and Upsert are absent or objects.
	Doc, Upsert jsonx.Value
	DocAsUpsert bool
	// WriteNoop writes an update that changes nothing (detect_noop: false).
	WriteNoop bool
	// Retries says that retry_on_conflict was above 0. Updates are atomic here and never
	// need it, but Elasticsearch refuses it together with if_seq_no.
	Retries bool
}

// Outcome is what became of an operation.
type Outcome struct {
	Err    error
	Result Result
	// Index is the concrete index, nil when there is none.
	Index                       *metadata.Index
	ID                          string
	Version, SeqNo, PrimaryTerm int64
	// Source is the source after an update, as it is stored.
	Source []byte
}

// Result is what was done.
type Result uint8

const (
	Created Result = iota
	Updated
	Deleted
	NotFound
	Noop
)

func (r Result) String() string {
	return [...]string{"created", "updated", "deleted", "not_found", "noop"}[r]
}

// Status is the status of the answer.
func (o *Outcome) Status() int {
	if e, ok := eserr.As(o.Err); ok {
		return e.Status
	}
	switch {
	case o.Err != nil:
		return 500
	case o.Result == Created:
		return 201
	case o.Result == NotFound:
		return 404
	}
	return 200
}
