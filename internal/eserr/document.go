package eserr

import (
	"fmt"
	"net/http"
)

// inShard adds where a document's write failed: every document is in shard 0.
func (e *Error) inShard(index, uuid string) *Error {
	return e.With("index_uuid", uuid).With("shard", "0").With("index", index)
}

func versionConflict(index, uuid, id, explained string) *Error {
	e := &Error{Status: http.StatusConflict, Type: "version_conflict_engine_exception",
		Reason: fmt.Sprintf("[%s]: version conflict, %s", id, explained)}
	return e.inShard(index, uuid)
}

// DocumentExists is the 409 of a creation of what is there.
func DocumentExists(index, uuid, id string, version int64) *Error {
	return versionConflict(index, uuid, id, fmt.Sprintf("document already exists (current version [%d])", version))
}

// VersionConflict is the 409 of an external version that is not beyond the current one;
// orEqual says whether the same one would not have done either.
func VersionConflict(index, uuid, id string, current, provided int64, orEqual bool) *Error {
	than := "higher"
	if orEqual {
		than = "higher or equal to"
	} else {
		than += " than"
	}
	return versionConflict(index, uuid, id, fmt.Sprintf("current version [%d] is %s the one provided [%d]", current, than, provided))
}

// SeqNoConflict is the 409 of an if_seq_no that is not the document's.
func SeqNoConflict(index, uuid, id string, seqNo, term, currentSeqNo, currentTerm int64) *Error {
	return versionConflict(index, uuid, id, fmt.Sprintf("required seqNo [%d], primary term [%d]. current document has seqNo [%d] and primary term [%d]",
		seqNo, term, currentSeqNo, currentTerm))
}

// SeqNoMissing is the 409 of an if_seq_no for a document that is not there.
func SeqNoMissing(index, uuid, id string, seqNo, term int64) *Error {
	return versionConflict(index, uuid, id, fmt.Sprintf("required seqNo [%d], primary term [%d]. but no document was found", seqNo, term))
}

// DocumentMissing is the 404 of an update of what is not there.
func DocumentMissing(index, uuid, id string) *Error {
	return (&Error{Status: http.StatusNotFound, Type: "document_missing_exception", Reason: "[" + id + "]: document missing"}).inShard(index, uuid)
}

// DocumentNotFound is the 404 of a _source that is not there.
func DocumentNotFound(index, id string) *Error {
	return &Error{Status: http.StatusNotFound, Type: "resource_not_found_exception", Reason: "Document not found [" + index + "]/[" + id + "]"}
}

// RoutingMissing is the 400 of a document without the routing that its index requires.
func RoutingMissing(index, id string) *Error {
	return (&Error{Status: http.StatusBadRequest, Type: "routing_missing_exception", Reason: "routing is required for [" + index + "]/[" + id + "]"}).
		With("index_uuid", noUUID).With("index", index)
}

// DocumentParsing is the 400 of a document that its index does not take, at a position
// in it.
func DocumentParsing(line, col int, format string, a ...any) *Error {
	return &Error{Status: http.StatusBadRequest, Type: "document_parsing_exception",
		Reason: fmt.Sprintf("[%d:%d] ", line, col) + fmt.Sprintf(format, a...)}
}

// BodyRequired is the 400 of a request without the body that it needs.
func BodyRequired() *Error {
	return &Error{Status: http.StatusBadRequest, Type: "parse_exception", Reason: "request body is required"}
}

// OtherVersion is the 409 of a read that wants another version than the document has.
func OtherVersion(index, uuid, id string, current, provided int64) *Error {
	return versionConflict(index, uuid, id, fmt.Sprintf("current version [%d] is different than the one provided [%d]", current, provided))
}

// Contended is the 429 of a write that others were faster than too many times in a row.
func Contended(id string) *Error {
	return &Error{Status: http.StatusTooManyRequests, Type: "es_rejected_execution_exception",
		Reason: "rejected execution of a write of [" + id + "]: others write to it all the time"}
}

// TooManyWrites is the 429 of a write for which there is no room among those under way.
func TooManyWrites() *Error {
	return &Error{Status: http.StatusTooManyRequests, Type: "es_rejected_execution_exception",
		Reason: "rejected execution of a write: too many are under way"}
}
