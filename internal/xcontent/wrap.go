package xcontent

import (
	"errors"
	"fmt"
	"strconv"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// failPos is where Elasticsearch's parser stands when a member fails: where the cause
// says, or at the member's value.
func failPos(v jsonx.Value, err error) (line, col int) {
	var s *stand
	if errors.As(err, &s) {
		return s.line, s.col
	}
	if e, ok := err.(*eserr.Error); ok {
		if l, c, ok := position(e); ok {
			return l, c
		}
	}
	return v.Pos()
}

// position reads the line and column that an error tells, as members or in front of
// its reason.
func position(e *eserr.Error) (line, col int, ok bool) {
	for _, m := range e.Meta {
		switch m.Name {
		case "line":
			line, _ = strconv.Atoi(string(m.Raw))
		case "col":
			col, _ = strconv.Atoi(string(m.Raw))
		}
	}
	if line > 0 {
		return line, col, true
	}
	if n, _ := fmt.Sscanf(e.Reason, "[%d:%d]", &line, &col); n == 2 {
		return line, col, true
	}
	return 0, 0, false
}

// wrap makes cause the caused_by of outer.
func wrap(outer *eserr.Error, cause error) error {
	inner, ok := eserr.As(cause)
	if !ok {
		return cause
	}
	if inner.Status == 501 {
		return inner
	}
	return outer.Around(inner)
}
