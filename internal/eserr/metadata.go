package eserr

import (
	"fmt"
	"net/http"
	"strings"

	"postern/internal/jsonx"
)

// noUUID stands where an error names an index that does not exist.
const noUUID = "_na_"

// InvalidIndexName is a 400 invalid_index_name_exception.
func InvalidIndexName(name, wrong string) *Error {
	e := &Error{Status: http.StatusBadRequest, Type: "invalid_index_name_exception",
		Reason: fmt.Sprintf("Invalid index name [%s], %s", name, wrong)}
	return e.With("index_uuid", noUUID).With("index", name)
}

// InvalidAliasName is a 400 invalid_alias_name_exception.
func InvalidAliasName(name, wrong string) *Error {
	return &Error{Status: http.StatusBadRequest, Type: "invalid_alias_name_exception",
		Reason: fmt.Sprintf("Invalid alias name [%s]: %s", name, wrong)}
}

// IndexExists is a 400 resource_already_exists_exception.
func IndexExists(name, uuid string) *Error {
	e := &Error{Status: http.StatusBadRequest, Type: "resource_already_exists_exception",
		Reason: fmt.Sprintf("index [%s/%s] already exists", name, uuid)}
	return e.With("index_uuid", uuid).With("index", name)
}

// IndexNotFound is the 404 index_not_found_exception of an expression; why may be empty.
func IndexNotFound(expression, why string) *Error {
	return indexNotFound(expression, why).With("resource.type", "index_or_alias").With("resource.id", expression).
		With("index_uuid", noUUID).With("index", expression)
}

// IndexNotFoundBare is IndexNotFound without the resource, as single documents have it.
func IndexNotFoundBare(name, why string) *Error {
	return indexNotFound(name, why).With("index_uuid", noUUID).With("index", name)
}

func indexNotFound(expression, why string) *Error {
	reason := "no such index"
	if expression != "" || why == "" {
		reason += " [" + expression + "]"
	}
	if why != "" {
		reason += " and " + why
	}
	return &Error{Status: http.StatusNotFound, Type: "index_not_found_exception", Reason: reason}
}

// IndicesNotFound is the index_not_found_exception of several expressions together.
func IndicesNotFound(expressions []string) *Error {
	e := &Error{Status: http.StatusNotFound, Type: "index_not_found_exception", Reason: "no such index [null]"}
	list := []byte{'['}
	for i, x := range expressions {
		if i > 0 {
			list = append(list, ',')
		}
		list = jsonx.AppendString(list, x)
	}
	e.With("resource.type", "index_expression")
	e.Meta = append(e.Meta, Meta{"resource.id", append(list, ']')})
	return e
}

// IndexClosed is a 400 index_closed_exception.
func IndexClosed(name, uuid string) *Error {
	e := &Error{Status: http.StatusBadRequest, Type: "index_closed_exception", Reason: "closed"}
	return e.With("index_uuid", uuid).With("index", name)
}

// AliasesNotFound is a 404 aliases_not_found_exception.
func AliasesNotFound(names ...string) *Error {
	text := "aliases ["
	for i, n := range names {
		if i > 0 {
			text += ","
		}
		text += n
	}
	e := &Error{Status: http.StatusNotFound, Type: "aliases_not_found_exception", Reason: text + "] missing"}
	e.With("resource.type", "aliases")
	if len(names) == 1 {
		return e.With("resource.id", names[0])
	}
	list := []byte{'['}
	for i, n := range names {
		if i > 0 {
			list = append(list, ',')
		}
		list = jsonx.AppendString(list, n)
	}
	e.Meta = append(e.Meta, Meta{"resource.id", append(list, ']')})
	return e
}

// Blocked is the 403 cluster_block_exception of an index whose settings forbid what was
// asked.
func Blocked(index, block string) *Error {
	return &Error{Status: http.StatusForbidden, Type: "cluster_block_exception",
		Reason: fmt.Sprintf("index [%s] blocked by: [%s];", index, block)}
}

// Validation is the 400 validation_exception that numbers what is wrong.
func Validation(wrong ...string) *Error {
	reason := "Validation Failed: "
	for i, w := range wrong {
		reason += fmt.Sprintf("%d: %s;", i+1, w)
	}
	return &Error{Status: http.StatusBadRequest, Type: "validation_exception", Reason: reason}
}

// ActionValidation is Validation as a request's own checks answer it.
func ActionValidation(wrong ...string) *Error {
	e := Validation(wrong...)
	e.Type = "action_request_validation_exception"
	return e
}

// NotXContent is the 500 of a body that is no object.
func NotXContent() *Error {
	return &Error{Status: http.StatusInternalServerError, Type: "not_x_content_exception",
		Reason: "Compressor detection can only be called on some xcontent bytes or compressed xcontent bytes"}
}

// ClassCast is the 500 of a value that is of another Java class than expected.
func ClassCast(class, wanted string) *Error {
	places := class + " and " + wanted + " are in " + moduleOf(class)
	if from, to := moduleOf(class), moduleOf(wanted); from != to {
		places = class + " is in " + from + "; " + wanted + " is in " + to
	}
	return &Error{Status: http.StatusInternalServerError, Type: "class_cast_exception",
		Reason: fmt.Sprintf("class %s cannot be cast to class %s (%s)", class, wanted, places)}
}

func moduleOf(class string) string {
	if strings.HasPrefix(class, "java.") {
		return "module java.base of loader 'bootstrap'"
	}
	return "unnamed module of loader 'app'"
}

// DocumentSourceMissing is the 400 of an update of a document whose source is not kept.
func DocumentSourceMissing(index, uuid, id string) *Error {
	return (&Error{Status: http.StatusBadRequest, Type: "document_source_missing_exception", Reason: "[" + id + "]: document source missing"}).inShard(index, uuid)
}

// TooMuchMemory is the 429 of a write for which there is no memory.
func TooMuchMemory() *Error {
	e := &Error{Status: http.StatusTooManyRequests, Type: "circuit_breaking_exception", Reason: "[parent] Data too large: the memory budget for columns is used up"}
	return e.With("durability", "PERMANENT")
}
