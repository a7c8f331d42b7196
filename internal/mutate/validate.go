package mutate

import (
	"fmt"

	"postern/internal/eserr"
)

// maxIDBytes is the longest _id.
const maxIDBytes = 512

// anyVersion is how Elasticsearch names a version that was not given.
const anyVersion = -3

// CheckNumbers refuses sequence numbers that there cannot be; Elasticsearch does so while
// it reads the request.
func (o *Op) CheckNumbers() error {
	if o.IfSeqNo != nil && *o.IfSeqNo < 0 && *o.IfSeqNo != -2 {
		return eserr.IllegalArgument("sequence numbers must be non negative. got [%d].", *o.IfSeqNo)
	}
	if o.IfPrimaryTerm != nil && *o.IfPrimaryTerm < 0 {
		return eserr.IllegalArgument("primary term must be non negative. got [%d]", *o.IfPrimaryTerm)
	}
	return nil
}

// Validate lists what Elasticsearch finds wrong with an operation before it does
// anything.
func (o *Op) Validate() (wrong []string) {
	if o.Index == "" && o.Refusal == nil {
		wrong = append(wrong, "index is missing")
	}
	switch o.Action {
	case Create:
		return o.validateCreate(wrong)
	case Delete, Update:
		if o.ID == "" {
			wrong = append(wrong, "id is missing")
		}
	case Index:
		if !o.GivenID {
			return o.validateCreate(wrong)
		}
	}
	wrong = o.validateVersions(wrong)
	if o.Action == Update {
		return o.validateUpdate(wrong)
	}
	return o.validateID(wrong)
}

func (o *Op) validateCreate(wrong []string) []string {
	switch {
	case o.VersionType != Internal:
		return append(wrong, "create operations only support internal versioning. use index instead")
	case o.Version != nil:
		return append(wrong, "create operations do not support explicit versions. use index instead")
	case o.IfSeqNo != nil || o.IfPrimaryTerm != nil:
		return append(wrong, "create operations do not support compare and set. use index instead")
	}
	return o.validateID(wrong)
}

func (o *Op) validateID(wrong []string) []string {
	if len(o.ID) > maxIDBytes {
		return append(wrong, fmt.Sprintf("id [%s] is too long, must be no longer than %d bytes but was: %d", o.ID, maxIDBytes, len(o.ID)))
	}
	return wrong
}

func (o *Op) validateVersions(wrong []string) []string {
	version, term := int64(anyVersion), int64(0)
	if o.Version != nil {
		version = *o.Version
	}
	if o.IfPrimaryTerm != nil {
		term = *o.IfPrimaryTerm
	}
	switch {
	case o.VersionType != Internal && version < 0, o.VersionType == Internal && version < 0 && version != anyVersion:
		wrong = append(wrong, fmt.Sprintf("illegal version value [%d] for version type [%s]", version, o.VersionType))
	case o.VersionType == Internal && version != anyVersion:
		wrong = append(wrong, "internal versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and `if_primary_term` instead")
	}
	if o.IfSeqNo != nil && (o.VersionType != Internal || version != anyVersion) {
		wrong = append(wrong, "compare and write operations can not use versioning")
	}
	switch {
	case term == 0 && o.IfSeqNo != nil:
		wrong = append(wrong, "ifSeqNo is set, but primary term is [0]")
	case term != 0 && o.IfSeqNo == nil:
		wrong = append(wrong, fmt.Sprintf("ifSeqNo is unassigned, but primary term is [%d]", term))
	}
	return wrong
}

func (o *Op) validateUpdate(wrong []string) []string {
	u := o.Update
	if o.IfSeqNo != nil {
		if u.Retries {
			wrong = append(wrong, "compare and write operations can not be retried")
		}
		if u.DocAsUpsert {
			wrong = append(wrong, "compare and write operations can not be used with upsert")
		}
		if u.Upsert.Exists() {
			wrong = append(wrong, "upsert requests are not supported with `if_seq_no` and `if_primary_term`")
		}
	}
	if !u.Doc.Exists() {
		wrong = append(wrong, "script or doc is missing")
		if u.DocAsUpsert {
			wrong = append(wrong, "doc must be specified if doc_as_upsert is enabled")
		}
	}
	return wrong
}
