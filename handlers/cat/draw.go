package cat

import (
	"unicode/utf8"

	"postern/internal/jsonx"
)

// AppendJSON appends the rows as objects.
func (v *View) AppendJSON(dst []byte) []byte {
	dst = append(dst, '[')
	for i, row := range v.sorted {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '{')
		for j, s := range v.shown {
			if j > 0 {
				dst = append(dst, ',')
			}
			dst = jsonx.AppendString(dst, s.display)
			dst = append(dst, ':')
			if cell := v.table.Rows[row][s.column]; cell.kind == emptyCell {
				dst = append(dst, "null"...)
			} else {
				dst = jsonx.AppendString(dst, cell.render(&v.opt))
			}
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// AppendText appends the table as text.
func (v *View) AppendText(dst []byte) []byte {
	if v.opt.Help {
		return v.appendHelp(dst)
	}
	lines := make([][]string, 0, len(v.sorted)+1)
	if v.opt.V {
		line := make([]string, len(v.shown))
		for i, s := range v.shown {
			line[i] = s.display
		}
		lines = append(lines, line)
	}
	for _, row := range v.sorted {
		line := make([]string, len(v.shown))
		for i, s := range v.shown {
			line[i] = v.table.Rows[row][s.column].render(&v.opt)
		}
		lines = append(lines, line)
	}
	widths := widthsOf(lines, len(v.shown))
	for _, line := range lines {
		for i, text := range line {
			if i > 0 {
				dst = append(dst, ' ')
			}
			pad := widths[i] - utf8.RuneCountInString(text)
			switch {
			case v.table.Columns[v.shown[i].column].Right:
				dst = append(appendBlanks(dst, pad), text...)
			case i == len(line)-1:
				dst = append(dst, text...)
			default:
				dst = appendBlanks(append(dst, text...), pad)
			}
		}
		dst = append(dst, '\n')
	}
	return dst
}

// appendHelp appends the list of columns.
func (v *View) appendHelp(dst []byte) []byte {
	lines := make([][]string, len(v.table.Columns))
	for i, c := range v.table.Columns {
		lines[i] = []string{c.Name, c.Aliases, c.Help}
	}
	widths := widthsOf(lines, 3)
	for _, line := range lines {
		for i, text := range line {
			if i > 0 {
				dst = append(dst, " | "...)
			}
			dst = appendBlanks(append(dst, text...), widths[i]-utf8.RuneCountInString(text))
		}
		dst = append(dst, '\n')
	}
	return dst
}

func widthsOf(lines [][]string, columns int) []int {
	widths := make([]int, columns)
	for _, line := range lines {
		for i, text := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(text))
		}
	}
	return widths
}

func appendBlanks(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, ' ')
	}
	return dst
}
