package jsonx

// explain words the error of a body that is not valid.
func explain(src []byte, err error) *SyntaxError {
	return &SyntaxError{Line: 1, Col: 1, Msg: "invalid"}
}
