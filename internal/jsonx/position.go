package jsonx

// Pos is the line and column, from 1, at which the value begins. Columns count
// bytes, as Jackson's byte parser does.
func (v Value) Pos() (line, col int) {
	if v.t == nil {
		return 0, 0
	}
	return position(v.t.src, int(v.node().start))
}

// EndPos is the line and column of the value's last byte: an object's or array's
// closing bracket.
func (v Value) EndPos() (line, col int) {
	if v.t == nil {
		return 0, 0
	}
	return position(v.t.src, int(v.node().end)-1)
}

// position counts the lines before an offset. It is asked for in error messages
// only, so nothing is kept for it while parsing.
func position(src []byte, offset int) (line, col int) {
	line, lineStart := 1, 0
	for i := 0; i < offset; i++ {
		switch src[i] {
		case '\n':
			line, lineStart = line+1, i+1
		case '\r':
			if i+1 < len(src) && src[i+1] == '\n' {
				if i+1 >= offset {
					continue
				}
				i++
			}
			line, lineStart = line+1, i+1
		}
	}
	return line, offset - lineStart + 1
}
