package eserr

import (
	"fmt"
	"net/http"

	"postern/internal/jsonx"
)

// QueryShard is a 400 query_shard_exception: a query that one index cannot answer.
func QueryShard(index, uuid, format string, a ...any) *Error {
	e := &Error{Status: http.StatusBadRequest, Type: "query_shard_exception", Reason: fmt.Sprintf(format, a...)}
	return e.With("index_uuid", uuid).With("index", index)
}

// NumberFormat is a 400 number_format_exception: a text that is no number.
func NumberFormat(reason string) *Error {
	return &Error{Status: http.StatusBadRequest, Type: "number_format_exception", Reason: reason}
}

// UnsupportedOperation is a 400 unsupported_operation_exception: what Elasticsearch
// itself refuses to do, unlike Refused.
func UnsupportedOperation(format string, a ...any) *Error {
	return &Error{Status: http.StatusBadRequest, Type: "unsupported_operation_exception", Reason: fmt.Sprintf(format, a...)}
}

// ParseError is a 400 parse_exception.
func ParseError(format string, a ...any) *Error {
	return &Error{Status: http.StatusBadRequest, Type: "parse_exception", Reason: fmt.Sprintf(format, a...)}
}

// IllegalState is a 500 illegal_state_exception.
func IllegalState(format string, a ...any) *Error {
	return &Error{Status: http.StatusInternalServerError, Type: "illegal_state_exception", Reason: fmt.Sprintf(format, a...)}
}

// TooManyClauses is a 400 too_many_clauses: a query with more parts than allowed.
func TooManyClauses(format string, a ...any) *Error {
	return &Error{Status: http.StatusBadRequest, Type: "too_many_clauses", Reason: fmt.Sprintf(format, a...)}
}

// ShardFailure is the failure of a search on one index.
type ShardFailure struct {
	Index string
	Node  string
	Cause *Error
	// Shard is its number, NoShard where the failure is of none.
	Shard int
}

// NoShard is the number of a shard that is not known.
const NoShard = -1

// SearchPhase is the search_phase_execution_exception of a search that failed on all
// its indices. Its status is the failures' own.
func SearchPhase(phase string, failures []ShardFailure) *Error {
	e := &Error{Status: http.StatusServiceUnavailable, Type: "search_phase_execution_exception", Reason: "all shards failed"}
	e.With("phase", phase)
	e.Meta = append(e.Meta, Meta{"grouped", []byte("true")})
	groups := GroupFailures(failures)
	list := []byte{'['}
	for i, f := range groups {
		if i > 0 {
			list = append(list, ',')
		}
		list = f.AppendJSON(list)
	}
	e.Meta = append(e.Meta, Meta{"failed_shards", append(list, ']')})
	e.RootCause = []*Error{}
	for i, f := range groups {
		root := f.Cause.guessRoot()
		bare := *root
		bare.CausedBy = nil
		e.RootCause = append(e.RootCause, &bare)
		if i == 0 || f.Cause.Status >= 500 {
			e.Status = f.Cause.Status
		}
	}
	if len(failures) > 0 {
		// A failure that is an exception of Elasticsearch itself is not said twice.
		cause := failures[0].Cause
		if failures[0].Shard == NoShard {
			e.CausedBy = cause
		} else if root := cause.guessRoot(); root != cause {
			e.CausedBy = root
		} else if cause.foreign() {
			wrapped := *cause
			inner := *cause
			wrapped.CausedBy = &inner
			e.CausedBy = &wrapped
		}
	}
	return e
}

// GroupFailures keeps one failure of each index and kind, as answers list them.
func GroupFailures(failures []ShardFailure) []ShardFailure {
	var groups []ShardFailure
	seen := make(map[string]bool)
	for _, f := range failures {
		key := f.Index + "\x00" + f.Cause.Type + "\x00" + f.Cause.Reason
		if !seen[key] {
			seen[key] = true
			groups = append(groups, f)
		}
	}
	return groups
}

// AppendJSON appends the failure as it stands in failed_shards and _shards.failures.
func (f ShardFailure) AppendJSON(dst []byte) []byte {
	if f.Shard == NoShard {
		dst = append(dst, `{"shard":-1,"index":null`...)
	} else {
		dst = append(dst, `{"shard":0,"index":`...)
		dst = jsonx.AppendString(dst, f.Index)
		dst = append(dst, `,"node":`...)
		if f.Cause.Mute {
			dst = append(dst, "null"...)
		} else {
			dst = jsonx.AppendString(dst, f.Node)
		}
	}
	dst = append(dst, `,"reason":`...)
	dst = f.Cause.AppendCause(dst)
	return append(dst, '}')
}

// guessRoot is the innermost cause that is one of Elasticsearch's own exceptions, as
// long as the chain to it consists of such. One that has a root cause is its own.
func (e *Error) guessRoot() *Error {
	for e.CausedBy != nil && e.RootCause == nil && !e.foreign() && !e.CausedBy.foreign() {
		e = e.CausedBy
	}
	return e
}

// foreign tells exceptions of Java, Lucene and the body parser from Elasticsearch's.
func (e *Error) foreign() bool {
	switch e.Type {
	case "illegal_argument_exception", "number_format_exception", "illegal_state_exception",
		"unsupported_operation_exception", "null_pointer_exception", "class_cast_exception",
		"arithmetic_exception", "date_time_parse_exception", "date_time_exception",
		"x_content_parse_exception", "io_exception", "too_many_clauses", "too_complex_to_determinize_exception", "too_many_nested_clauses",
		"query_validation_exception":
		return true
	}
	return false
}

// ReducePhase is the search_phase_execution_exception of results that cannot be made
// one.
func ReducePhase(cause *Error) *Error {
	e := &Error{Status: cause.Status, Type: "search_phase_execution_exception", RootCause: []*Error{}, CausedBy: cause}
	e.With("phase", "rank-feature")
	e.Meta = append(e.Meta, Meta{"grouped", []byte("true")}, Meta{"failed_shards", []byte("[]")})
	return e
}

// PartialFailure is the search_phase_execution_exception of a search that failed on some
// of its indices and may not answer from the others.
func PartialFailure(failures []ShardFailure) *Error {
	e := SearchPhase("query", failures)
	e.Reason, e.CausedBy = "Partial shards failure", nil
	return e
}
