package qdrant

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/internal/metadata"
	"postern/internal/store"
)

// A ledger is what clients did to documents that are lists, and were told. Writers append
// names that nobody else appends, so that a document's list is the order of its writes,
// and whether the history is linearizable can be read off it.
type ledger struct {
	mu      sync.Mutex
	appends []appended
	reads   []seen
}

type appended struct {
	document, name string
	begun, ended   time.Time
	outcome        outcome // won: acknowledged; lost: said not to have happened
	place          int     // in the final list
}

type seen struct {
	document     string
	names        []string
	begun, ended time.Time
}

func (l *ledger) appended(all ...appended) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.appends = append(l.appends, all...)
}

func (l *ledger) seen(s seen) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reads = append(l.reads, s)
}

// acknowledged counts the appends that were.
func (l *ledger) acknowledged() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, a := range l.appends {
		if a.outcome == won {
			n++
		}
	}
	return n
}

// problems holds the ledger to the documents as they are in the end.
func (l *ledger) problems(final map[string][]string) []string {
	var found []string
	for document, list := range final {
		if names := slices.Sorted(slices.Values(list)); len(slices.Compact(names)) != len(list) {
			found = append(found, fmt.Sprintf("%s has a write twice: %v", document, list))
		}
	}
	for i := range l.appends {
		a := &l.appends[i]
		a.place = slices.Index(final[a.document], a.name)
		if a.outcome == won && a.place < 0 {
			found = append(found, fmt.Sprintf("%s was acknowledged in %s and is lost", a.name, a.document))
		}
		if a.outcome == lost && a.place >= 0 {
			found = append(found, fmt.Sprintf("%s was said not to be written in %s, and is there", a.name, a.document))
		}
	}
	for _, a := range l.appends {
		for _, b := range l.appends {
			if a.document == b.document && a.outcome == won && b.place >= 0 && a.ended.Before(b.begun) && a.place > b.place {
				found = append(found, fmt.Sprintf("%s was acknowledged before %s began, and comes after it in %s", a.name, b.name, a.document))
			}
		}
	}
	for _, r := range l.reads {
		found = append(found, l.misread(r, final[r.document])...)
	}
	return found
}

func (l *ledger) misread(r seen, list []string) []string {
	if len(r.names) > len(list) || !slices.Equal(r.names, list[:len(r.names)]) {
		return []string{fmt.Sprintf("%s was once %v, which is no beginning of %v", r.document, r.names, list)}
	}
	var found []string
	for _, a := range l.appends {
		switch {
		case a.document != r.document:
		case a.outcome == won && a.ended.Before(r.begun) && a.place >= len(r.names):
			found = append(found, fmt.Sprintf("a read of %s did not see %s, which was acknowledged before", r.document, a.name))
		case a.place >= 0 && a.place < len(r.names) && a.begun.After(r.ended):
			found = append(found, fmt.Sprintf("a read of %s saw %s before it was written", r.document, a.name))
		}
	}
	for _, later := range l.reads {
		if later.document == r.document && r.ended.Before(later.begun) && len(later.names) < len(r.names) {
			found = append(found, fmt.Sprintf("%s went back from %d to %d writes", r.document, len(r.names), len(later.names)))
		}
	}
	return found
}

// What would be wrong is seen: one problem for each ledger.
func TestLedgerSeesWhatIsWrong(t *testing.T) {
	at := func(second int) time.Time { return time.Unix(int64(second), 0) }
	write := func(name string, from, to int, o outcome) appended {
		return appended{document: "d", name: name, begun: at(from), ended: at(to), outcome: o}
	}
	read := func(from, to int, names ...string) seen { return seen{"d", names, at(from), at(to)} }
	for _, test := range []struct {
		want  string
		l     *ledger
		final []string
	}{
		{"", &ledger{appends: []appended{write("x", 1, 2, won), write("y", 1, 3, undecided), write("z", 2, 3, lost)}, reads: []seen{read(1, 2), read(2, 3, "y"), read(3, 4, "y", "x")}}, []string{"y", "x"}},
		{"lost", &ledger{appends: []appended{write("x", 1, 2, won)}}, nil},
		{"said not to be written", &ledger{appends: []appended{write("x", 1, 2, lost)}}, []string{"x"}},
		{"twice", &ledger{appends: []appended{write("x", 1, 2, undecided)}}, []string{"x", "x"}},
		{"comes after it", &ledger{appends: []appended{write("x", 1, 2, won), write("y", 3, 4, won)}}, []string{"y", "x"}},
		{"no beginning", &ledger{appends: []appended{write("x", 1, 2, undecided), write("y", 1, 2, won)}, reads: []seen{read(1, 4, "x")}}, []string{"y"}},
		{"did not see", &ledger{appends: []appended{write("x", 1, 2, won)}, reads: []seen{read(3, 4)}}, []string{"x"}},
		{"before it was written", &ledger{appends: []appended{write("x", 5, 6, won)}, reads: []seen{read(3, 4, "x")}}, []string{"x"}},
		{"went back", &ledger{appends: []appended{write("x", 1, 9, won)}, reads: []seen{read(2, 3, "x"), read(4, 5)}}, []string{"x"}},
	} {
		found := test.l.problems(map[string][]string{"d": test.final})
		if test.want == "" && len(found) == 0 || len(found) == 1 && test.want != "" && strings.Contains(found[0], test.want) {
			continue
		}
		t.Errorf("want %q, found %v", test.want, found)
	}
}

// list is a source that is a list of names.
func list(names []string) string { return fmt.Sprintf(`{"k":%s}`, quoted(names)) }

func quoted(names []string) []byte {
	out := []byte{'['}
	for i, name := range names {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, `"`+name+`"`...)
	}
	return append(out, ']')
}

// unlist reads it back.
func unlist(source []byte) ([]string, error) {
	if len(source) == 0 {
		return nil, nil // not there yet
	}
	v, err := jsonx.Parse(source)
	if err != nil {
		return nil, err
	}
	var names []string
	for e := range v.Get("k").Elements() {
		names = append(names, e.Text())
	}
	return names, nil
}

// appending is the mutation that appends a name to a document.
func appending(ix *metadata.Index, document, name string) store.Mutation {
	return store.Mutation{ID: document, NeedSource: true, Apply: func(p store.Prior) (store.Next, error) {
		names, err := unlist(p.Source)
		if err != nil {
			return store.Next{}, err
		}
		source := list(append(names, name))
		doc := &mapping.Document{}
		if _, err := ix.Mapping.ParseDocument(doc, document, "", jsonx.MustParse(source)); err != nil {
			return store.Next{}, err
		}
		return store.Next{Action: store.Put, Version: p.Version + 1, Source: []byte(source), Doc: doc}, nil
	}}
}

// write appends a new name to each of the documents in one call, and records what came of it.
func (l *ledger) write(t *testing.T, s *Store, ix *metadata.Index, name string, documents ...string) {
	var mutations []store.Mutation
	var all []appended
	for i, d := range documents {
		a := appended{document: d, name: fmt.Sprint(name, ".", i)}
		all, mutations = append(all, a), append(mutations, appending(ix, d, a.name))
	}
	begun := time.Now()
	results, err := s.Write(context.Background(), ix, mutations, store.RefreshNone)
	ended := time.Now()
	for i := range all {
		failed := err
		if failed == nil {
			failed = results[i].Err
		}
		all[i].begun, all[i].ended = begun, ended
		switch {
		case failed == nil:
		case err == nil && !errors.Is(failed, store.ErrUnknown):
			all[i].outcome = lost
		default:
			all[i].outcome = undecided
		}
		clear503(t, failed)
	}
	l.appended(all...)
}

// clear503 wants an error, if there is one, to tell a client to come back.
func clear503(t *testing.T, err error) {
	t.Helper()
	var e *eserr.Error
	if err != nil && (!errors.As(err, &e) || e.Status != http.StatusServiceUnavailable || e.Reason == "") {
		t.Errorf("a client would be told: %v", err)
	}
}

// read reads the documents by id.
func (l *ledger) read(t *testing.T, s *Store, ix *metadata.Index, documents ...string) {
	begun := time.Now()
	docs, err := s.Get(context.Background(), ix, documents, true)
	ended := time.Now()
	if err != nil {
		clear503(t, err)
		return
	}
	for i, doc := range docs {
		if !doc.Found {
			t.Errorf("%s is gone", documents[i])
			continue
		}
		names, err := unlist(doc.Source)
		if err != nil {
			t.Error(err)
		}
		l.seen(seen{documents[i], names, begun, ended})
	}
}

// search reads all documents through a snapshot, as a search does; some have to be among them.
func (l *ledger) search(t *testing.T, s *Store, ix *metadata.Index, documents []string) {
	begun := time.Now()
	snap, err := s.Snapshot(context.Background(), ix, store.HoldForContext)
	ended := time.Now()
	if err != nil {
		clear503(t, err)
		return
	}
	defer snap.Release()
	var seqNos []int64
	for _, p := range snap.Parts() {
		for doc := range uint32(p.Len()) {
			if p.Live == nil || p.Live.Contains(doc) {
				seqNos = append(seqNos, p.SeqNo(doc))
			}
		}
	}
	docs, err := snap.Sources(context.Background(), seqNos)
	if err != nil {
		clear503(t, err)
		return
	}
	missing := slices.Clone(documents)
	for _, doc := range docs {
		missing = slices.DeleteFunc(missing, func(id string) bool { return id == doc.ID })
		names, err := unlist(doc.Source)
		if err != nil {
			t.Error(err)
		}
		l.seen(seen{doc.ID, names, begun, ended})
	}
	if len(missing) > 0 {
		t.Errorf("a search does not see %v", missing)
	}
}
