package segment

import (
	"sync"

	"postern/internal/mapping"
)

// Tail is the one mutable segment of an index: documents are appended, and a View shows
// those before a watermark without sealing anything, so that a refresh after every write
// makes no one-document segments.
type Tail struct {
	mu   sync.Mutex
	rows *rows
	last *Segment // the latest view
}

// NewTail makes an empty tail.
func NewTail() *Tail { return &Tail{rows: newRows()} }

// Append copies a document, whose SeqNo is above all former ones, and gives its row.
func (t *Tail) Append(d *mapping.Document) (row int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rows.append(d)
	return t.rows.n - 1
}

// Len counts the rows.
func (t *Tail) Len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.rows.n
}

// Bytes estimates what the rows occupy in memory.
func (t *Tail) Bytes() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := t.rows.size
	if t.last != nil {
		n += t.last.Bytes()
	}
	return n
}

// View is an immutable segment of the rows below the watermark. A column of it is built
// when it is first asked for. The same watermark gives the same segment.
func (t *Tail) View(watermark int) *Segment {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last == nil || t.last.n != watermark {
		t.last = t.rows.segment(watermark)
	}
	return t.last
}

// Seal makes a segment of all rows, with all columns built. The tail must not be
// appended to any more.
func (t *Tail) Seal() *Segment {
	s := t.View(t.Len())
	s.buildAll()
	return s
}

func (s *Segment) buildAll() {
	for name := range s.fields {
		s.column(name)
	}
	for path := range s.children {
		s.Children(path).Segment.buildAll()
	}
}
