package jsonx

// Enter counts how deep a decoder of v's body has descended into values of one kind, which
// only that decoder knows: it tells the new depth. Leave takes it back. Values of a body
// are decoded by one goroutine.
func (v Value) Enter() int {
	v.t.depth++
	return v.t.depth
}

// Leave is called when a value that was entered has been decoded.
func (v Value) Leave() { v.t.depth-- }
