package mapping

import (
	"fmt"
	"net/http"

	"postern/internal/eserr"
)

// mapperParsing is Elasticsearch's complaint about a definition.
func mapperParsing(format string, a ...any) *eserr.Error {
	return &eserr.Error{Status: http.StatusBadRequest, Type: "mapper_parsing_exception", Reason: fmt.Sprintf(format, a...)}
}

// mapperException is the complaint about updates that nothing may change.
func mapperException(format string, a ...any) *eserr.Error {
	return &eserr.Error{Status: http.StatusInternalServerError, Type: "mapper_exception", Reason: fmt.Sprintf(format, a...)}
}

func classCast(from, to string) *eserr.Error {
	return &eserr.Error{Status: http.StatusBadRequest, Type: "class_cast_exception",
		Reason: fmt.Sprintf("class %s cannot be cast to class %s (%s and %s are in module java.base of loader 'bootstrap')", from, to, from, to)}
}

// failedToParse wraps what is wrong with a definition. Errors of Elasticsearch's own
// types are root causes; others, such as illegal arguments, are not. Refusals stay as they are.
func failedToParse(err error) error {
	inner, ok := eserr.As(err)
	if !ok || inner.Status == http.StatusNotImplemented {
		return err
	}
	outer := mapperParsing("Failed to parse mapping: %s", inner.Reason).Cause(inner)
	root := outer
	for c := inner; c != nil && isElasticsearch(c.Type); c = c.CausedBy {
		root = c
	}
	bare := *root
	bare.CausedBy = nil
	outer.RootCause = []*eserr.Error{&bare}
	return outer
}

func isElasticsearch(typ string) bool {
	switch typ {
	case "mapper_parsing_exception", "mapper_exception", "parse_exception", "document_parsing_exception", "parsing_exception":
		return true
	}
	return false
}
