// Package eserr holds the one error type that reaches a client, in
// Elasticsearch's own shape. Errors are built by the constructors of this
// package, which fix the status of each type.
package eserr

import (
	"errors"
	"strconv"

	"postern/internal/jsonx"
)

// Error is an Elasticsearch error object.
//
// Encoded it is {"root_cause":[…],"type":…,"reason":…,<meta>,"caused_by":…}; the
// body of an answer wraps it as {"error":…,"status":…}.
type Error struct {
	Status int
	Type   string
	Reason string
	// RootCause lists the innermost failures; nil stands for the error itself.
	RootCause []*Error
	CausedBy  *Error
	// Meta are the further members (index, index_uuid, line, col, resource.type,
	// resource.id, phase, …) in the order in which they are written. They stand after
	// the reason and before caused_by.
	Meta []Meta

	// Mute says that the reason is null: Java's exceptions may have none.
	Mute bool

	traced bool
	role   role
}

// Meta is one further member of an error object; Raw is its encoded JSON value.
type Meta struct {
	Name string
	Raw  []byte
}

func (e *Error) Error() string { return e.Type + ": " + e.Reason }

// Unwrap gives the cause, so that errors.As reaches inner errors.
func (e *Error) Unwrap() error {
	if e.CausedBy == nil {
		return nil
	}
	return e.CausedBy
}

// With returns e with one more string member.
func (e *Error) With(name, value string) *Error {
	e.Meta = append(e.Meta, Meta{name, jsonx.AppendString(nil, value)})
	return e
}

// WithInt returns e with one more number member.
func (e *Error) WithInt(name string, value int) *Error {
	e.Meta = append(e.Meta, Meta{name, strconv.AppendInt(nil, int64(value), 10)})
	return e
}

// Cause returns e with its caused_by set.
func (e *Error) Cause(c *Error) *Error {
	e.CausedBy = c
	return e
}

// Traced is e with a stack_trace in it and in all its causes, as ?error_trace asks for.
// There are no Java frames to show: a trace is the error's own line.
func (e *Error) Traced() *Error {
	if e == nil {
		return nil
	}
	t := *e
	t.traced = true
	t.CausedBy = e.CausedBy.Traced()
	t.RootCause = nil
	for _, r := range e.RootCause {
		t.RootCause = append(t.RootCause, r.Traced())
	}
	return &t
}

// AppendCause appends the error object without root_cause, as it stands inside
// root_cause, caused_by, bulk items and shard failures.
func (e *Error) AppendCause(dst []byte) []byte {
	dst = append(dst, '{')
	dst = e.appendMembers(dst)
	return append(dst, '}')
}

// AppendJSON appends {"error":{…},"status":N}.
func (e *Error) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"error":`...)
	dst = e.AppendObject(dst)
	dst = append(dst, `,"status":`...)
	dst = strconv.AppendInt(dst, int64(e.Status), 10)
	return append(dst, '}')
}

// AppendObject appends the error object with its root causes, as it also stands inside
// answers about several things.
func (e *Error) AppendObject(dst []byte) []byte {
	dst = append(dst, `{"root_cause":[`...)
	roots := e.RootCause
	if roots == nil {
		inner := *e
		inner.CausedBy = nil
		roots = []*Error{&inner}
	}
	for i, r := range roots {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = r.AppendCause(dst)
	}
	dst = append(dst, `],`...)
	dst = e.appendMembers(dst)
	return append(dst, '}')
}

func (e *Error) appendMembers(dst []byte) []byte {
	dst = append(dst, `"type":`...)
	dst = jsonx.AppendString(dst, e.Type)
	dst = append(dst, `,"reason":`...)
	if e.Mute {
		dst = append(dst, "null"...)
	} else {
		dst = jsonx.AppendString(dst, e.Reason)
	}
	for _, m := range e.Meta {
		dst = append(dst, ',')
		dst = jsonx.AppendString(dst, m.Name)
		dst = append(dst, ':')
		dst = append(dst, m.Raw...)
	}
	if e.CausedBy != nil {
		dst = append(dst, `,"caused_by":`...)
		dst = e.CausedBy.AppendCause(dst)
	}
	if e.traced {
		dst = append(dst, `,"stack_trace":`...)
		dst = jsonx.AppendString(dst, e.Error())
	}
	return dst
}

// As finds an *Error in err's chain.
func As(err error) (*Error, bool) {
	var e *Error
	ok := errors.As(err, &e)
	return e, ok
}
