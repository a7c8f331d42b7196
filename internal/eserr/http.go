package eserr

import (
	"net/http"

	"postern/internal/bytesize"
	"postern/internal/jsonx"
)

// MediaType is the 400 of headers that name no usable media type; cause says why.
func MediaType(headers string, cause *Error) *Error {
	return (&Error{Status: http.StatusBadRequest, Type: "media_type_header_exception",
		Reason: "Invalid media-type value on headers [" + headers + "]"}).Cause(cause)
}

// StatusException is Elasticsearch's error without a class of its own.
func StatusException(status int, reason string) *Error {
	return &Error{Status: status, Type: "status_exception", Reason: reason}
}

// BadParameter is the 400 of a URL whose parameters can't be decoded.
func BadParameter(cause *Error) *Error {
	return (&Error{Status: http.StatusBadRequest, Type: "bad_parameter_exception",
		Reason: "java.lang.IllegalArgumentException: " + cause.Reason}).Cause(cause)
}

// BodyTooLarge is the 413 of a body beyond the limit.
func BodyTooLarge(limit int64) *Error {
	return &Error{Status: http.StatusRequestEntityTooLarge, Type: "too_long_http_content_exception",
		Reason: "HTTP content is larger than " + bytesize.In(limit, "b") + " bytes."}
}

// HeaderTooLarge is the 400 of a request line and headers beyond the limit.
func HeaderTooLarge(limit int64) *Error {
	return &Error{Status: http.StatusBadRequest, Type: "too_long_http_header_exception",
		Reason: "HTTP header is larger than " + bytesize.In(limit, "b") + " bytes."}
}

// CircuitBreaking is the 429 of a request that the memory left would not hold.
func CircuitBreaking(label string, used, wanted, limit int64) *Error {
	size := func(n int64) string { return bytesize.In(n, "b") + "/" + bytesize.Text(n) }
	e := &Error{Status: http.StatusTooManyRequests, Type: "circuit_breaking_exception",
		Reason: "[parent] Data too large, data for [" + label + "] would be [" + size(used+wanted) +
			"], which is larger than the limit of [" + size(limit) + "], real usage: [" + size(used) +
			"], new bytes reserved: [" + size(wanted) + "]"}
	e.WithInt("bytes_wanted", int(used+wanted)).WithInt("bytes_limit", int(limit))
	return e.With("durability", "TRANSIENT")
}

// Timeout is the 503 of a request that ran past its deadline.
func Timeout(reason string) *Error {
	return &Error{Status: http.StatusServiceUnavailable, Type: "timeout_exception", Reason: reason}
}

// Unavailable is the 503 of a request whose documents can't be reached, or not known to
// have been.
func Unavailable(reason string) *Error {
	return &Error{Status: http.StatusServiceUnavailable, Type: "unavailable_shards_exception", Reason: reason}
}

// Internal is the 500 of everything that is not expected. The id stands in the log
// too, with what happened.
func Internal(id string) *Error {
	return &Error{Status: http.StatusInternalServerError, Type: "internal_error",
		Reason: "unexpected error; the server's log has it under the id [" + id + "]"}
}

// SourceWithoutType is the answer to one of the parameters source and
// source_content_type without the other.
func SourceWithoutType() *Error {
	return IllegalState("source and source_content_type parameters are required")
}

// SourceType is the answer to a source_content_type that names no format.
func SourceType(value string) *Error {
	return IllegalState("Unknown value for source_content_type [%s]", value)
}

// Plain is Elasticsearch's body of errors that have no error object: a text, and the
// status where it is not 0.
func Plain(dst []byte, text string, status int) []byte {
	dst = append(dst, `{"error":`...)
	dst = jsonx.AppendString(dst, text)
	if status != 0 {
		dst = append(dst, `,"status":`+bytesize.In(int64(status), "b")...)
	}
	return append(dst, '}')
}
