package segment

import (
	"slices"
	"strconv"
	"testing"

	"postern/internal/mapping"
)

func TestDocsOfID(t *testing.T) {
	tail := NewTail()
	for i := range 1000 {
		tail.Append(&mapping.Document{ID: strconv.Itoa(i % 700), SeqNo: int64(i)})
	}
	s := tail.View(1000)
	for i := range 700 {
		want := []uint32{uint32(i)}
		if i < 300 {
			want = append(want, uint32(i+700))
		}
		if got := s.DocsOfID(nil, []byte(strconv.Itoa(i))); !slices.Equal(got, want) {
			t.Fatalf("%d: %v, want %v", i, got, want)
		}
	}
	if got := s.DocsOfID(nil, []byte("700")); got != nil {
		t.Errorf("700: %v", got)
	}
	if got := NewTail().View(0).DocsOfID(nil, []byte("1")); got != nil {
		t.Errorf("empty: %v", got)
	}
}
