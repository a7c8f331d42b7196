package storetest

import (
	"context"
	"slices"
	"testing"

	"postern/internal/store"
)

func testStats(t *testing.T, open Opener) {
	s := open(t)
	defer closeStore(t, s)
	ix := Index(t, s, "i")
	write(t, s, ix, store.RefreshNow, Put(t, ix, "a", `{"n":1}`), Put(t, ix, "b", `{"n":2}`), Remove("a"))
	st, err := s.Stats(context.Background(), ix)
	if err != nil {
		t.Fatal(err)
	}
	if st.Docs != 1 || st.MaxSeqNo != 2 || (st.MemoryBytes > 0) != (st.Segments > 0) || !slices.Contains([]int64{0, 1}, st.Deleted) {
		t.Errorf("%+v", st)
	}
}
