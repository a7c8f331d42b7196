package jsonx

// Next is the token that a streaming parser reads after the first token of v, by
// Elasticsearch's name, and where it stands: what Elasticsearch complains of when it
// has passed over a value of the wrong kind.
func (v Value) Next() (token string, line, col int) {
	n := v.node()
	at := int(n.end)
	if n.kind == Object || n.kind == Array {
		at = int(n.start) + 1
	}
	p := parser{src: v.t.src, at: at}
	for p.at < len(p.src) {
		if p.space() != nil || p.at == len(p.src) {
			break
		}
		if c := p.src[p.at]; c != ',' && c != ':' {
			break
		}
		p.at++
	}
	line, col = position(v.t.src, p.at)
	if p.at == len(p.src) {
		return "null", line, col
	}
	for i := v.i + 1; i < uint32(len(v.t.nodes)); i++ {
		m := &v.t.nodes[i]
		if int(m.start) < p.at {
			continue
		}
		if int(m.start) > p.at {
			break
		}
		return v.tokenAt(i), line, col
	}
	switch p.src[p.at] {
	case '}':
		return "END_OBJECT", line, col
	case ']':
		return "END_ARRAY", line, col
	}
	return "null", line, col
}

// tokenAt names the token that a node begins with; a name is told from a string by
// the colon behind it.
func (v Value) tokenAt(i uint32) string {
	n := v.t.nodes[i]
	switch n.kind {
	case Object:
		return "START_OBJECT"
	case Array:
		return "START_ARRAY"
	case Number:
		return "VALUE_NUMBER"
	case True, False:
		return "VALUE_BOOLEAN"
	case Null:
		return "VALUE_NULL"
	}
	p := parser{src: v.t.src, at: int(n.end)}
	if p.space() == nil && p.at < len(p.src) && p.src[p.at] == ':' {
		return "FIELD_NAME"
	}
	return "VALUE_STRING"
}

// Jackson is where Jackson stands after the first token of v, and that place as its
// messages show it.
func (v Value) Jackson() (line, col int, place string) {
	n := v.node()
	at := int(n.end)
	if n.kind == Object || n.kind == Array {
		at = int(n.start) + 1
	}
	line, col = position(v.t.src, at)
	return line, col, location(v.t.src, line, col)
}

// Value is the name as a value: a string that stands where the name does.
func (k Key) Value() Value { return k.v }
