package xcontent

import (
	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// stand is an error with the place at which Elasticsearch's parser stood; the parsers
// around it tell that place.
type stand struct {
	line, col int
	err       error
}

func (s *stand) Error() string { return s.err.Error() }

func (s *stand) Unwrap() error { return s.err }

// standing says that the parser stood at the beginning of v.
func standing(v jsonx.Value, err error) error {
	line, col := v.Pos()
	return &stand{line, col, err}
}

// placed makes an error that tells no place stand at v.
func placed(v jsonx.Value, err error) error {
	e, ok := err.(*eserr.Error)
	if !ok {
		return err
	}
	if _, _, told := position(e); told {
		return err
	}
	return standing(v, err)
}

// standingAtEnd says that the parser stood at the last byte of v.
func standingAtEnd(v jsonx.Value, err error) error {
	line, col := v.EndPos()
	return &stand{line, col, err}
}
