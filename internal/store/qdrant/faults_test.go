package qdrant

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"postern/conformance/engines/qdranttest"
	"postern/conformance/faults"
	"postern/internal/metadata"
	"postern/internal/store"
	"postern/internal/store/storetest"
)

// patience is the deadline of a gateway's calls in these tests.
const patience = time.Second

// trouble spoils the network or the server for a while, and ends it. What it has spoilt it
// counts.
type trouble struct {
	name string
	make func(t *testing.T, server *qdranttest.Server, proxies []*faults.Proxy, spoilt *atomic.Int64)
}

func troubles() []trouble {
	// some is a rule that gives its verdict on one message of n.
	some := func(n int, verdict faults.Verdict, spoilt *atomic.Int64) faults.Rule {
		return func() faults.Verdict {
			if rand.N(n) > 0 {
				return faults.Pass()
			}
			spoilt.Add(1)
			return verdict
		}
	}
	return []trouble{
		{"connections are cut after a write was applied", func(_ *testing.T, _ *qdranttest.Server, proxies []*faults.Proxy, spoilt *atomic.Int64) {
			for _, p := range proxies {
				p.Answers(some(12, faults.Cut(), spoilt))
			}
			time.Sleep(2 * patience)
		}},
		{"connections are cut before a write arrives", func(_ *testing.T, _ *qdranttest.Server, proxies []*faults.Proxy, spoilt *atomic.Int64) {
			for _, p := range proxies {
				p.Requests(some(20, faults.Cut(), spoilt))
			}
			time.Sleep(2 * patience)
		}},
		{"answers are slower than the deadline", func(_ *testing.T, _ *qdranttest.Server, proxies []*faults.Proxy, spoilt *atomic.Int64) {
			for _, p := range proxies {
				p.Answers(some(30, faults.Delay(patience*3/2), spoilt))
			}
			time.Sleep(4 * patience)
		}},
		{"writes arrive after they were given up", func(_ *testing.T, _ *qdranttest.Server, proxies []*faults.Proxy, spoilt *atomic.Int64) {
			for range 6 {
				p := proxies[rand.N(len(proxies))]
				p.Requests(some(20, faults.Hold(), spoilt))
				time.Sleep(patience + rand.N(patience/2)) // about when they are given up, and tried again
				p.Heal()
			}
		}},
		{"answers vanish", func(_ *testing.T, _ *qdranttest.Server, proxies []*faults.Proxy, spoilt *atomic.Int64) {
			proxies[0].Answers(some(20, faults.Swallow(), spoilt))
			time.Sleep(3 * patience)
			proxies[0].CutAll()
		}},
		{"Qdrant is killed and restarted", func(t *testing.T, server *qdranttest.Server, _ []*faults.Proxy, spoilt *atomic.Int64) {
			for range 2 {
				server.Kill(t)
				spoilt.Add(1)
				time.Sleep(patience / 2)
				server.Restart(t)
				time.Sleep(patience / 2)
			}
		}},
	}
}

// Two gateways write and read the same few documents while things break: nothing that was
// acknowledged is lost, nothing that was refused is there, nobody reads what was not or
// is no more, errors are 503, and the same gateways go on when things work again.
func TestFaults(t *testing.T) {
	server := qdranttest.Start(t)
	all := troubles()
	if testing.Short() {
		all = []trouble{all[0], all[len(all)-1]}
	}
	for _, trouble := range all {
		t.Run(trouble.name, func(t *testing.T) {
			proxies := []*faults.Proxy{faults.Start(t, server.Addr, faults.HTTP2), faults.Start(t, server.Addr, faults.HTTP2)}
			o := place(t, server.Addr)
			setup := open(t, o)
			ix := storetest.Index(t, setup, "i")
			documents := []string{"a", "b", "c"}
			for _, d := range documents {
				doc := storetest.Put(t, ix, d, list(nil))
				if _, err := setup.Write(t.Context(), ix, []store.Mutation{doc}, store.RefreshNone); err != nil {
					t.Fatal(err)
				}
			}
			var gateways []*Store
			for _, p := range proxies {
				through := o
				through.Address, through.Timeout = p.Addr, patience
				gateway := open(t, through)
				defer gateway.Close()
				gateways = append(gateways, gateway)
			}

			l := &ledger{}
			stop := load(t, l, gateways, ix, documents)
			var spoilt atomic.Int64
			time.Sleep(patience / 4)
			trouble.make(t, server, proxies, &spoilt)
			for _, p := range proxies {
				p.Heal()
			}
			recovered(t, gateways, ix)
			stop()
			if spoilt.Load() == 0 || l.acknowledged() < 10 {
				t.Errorf("%d faults, %d acknowledged writes: that shows nothing", spoilt.Load(), l.acknowledged())
			}
			t.Logf("%d faults, %d of %d writes acknowledged, %d reads", spoilt.Load(), l.acknowledged(), len(l.appends), len(l.reads))
			final := settled(t, setup, ix)
			setup.Close()
			for _, problem := range l.problems(final) {
				t.Error(problem)
			}
		})
	}
}

// load lets clients of all gateways write and read until stop.
func load(t *testing.T, l *ledger, gateways []*Store, ix *metadata.Index, documents []string) (stop func()) {
	var group sync.WaitGroup
	var done atomic.Bool
	started := time.Now()
	for g, gateway := range gateways {
		for client := range 2 {
			group.Go(func() {
				for n := 0; !done.Load(); n++ {
					d := documents[rand.N(len(documents))]
					if rand.N(3) == 0 { // one that is made about now, by whoever is first
						d = fmt.Sprint("new-", int(time.Since(started)/(patience/10)))
					}
					name := fmt.Sprintf("%d-%d-%d", g, client, n)
					if n%5 == 4 {
						l.write(t, gateway, ix, name, d, documents[rand.N(len(documents))], d)
					} else {
						l.write(t, gateway, ix, name, d)
					}
				}
			})
		}
		group.Go(func() {
			for ; !done.Load(); time.Sleep(patience / 20) {
				l.read(t, gateway, ix, documents...)
				l.search(t, gateway, ix, documents)
			}
		})
	}
	return func() {
		done.Store(true)
		group.Wait()
	}
}

// recovered waits until every gateway writes and reads again.
func recovered(t *testing.T, gateways []*Store, ix *metadata.Index) {
	t.Helper()
	deadline := time.Now().Add(20 * patience)
	for i, gateway := range gateways {
		for {
			// A document that no trouble has touched: it is made and removed.
			id := fmt.Sprint("probe-", i)
			results, err := gateway.Write(t.Context(), ix, []store.Mutation{storetest.Remove(id)}, store.RefreshNone)
			if err == nil && results[0].Err == nil {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("gateway %d does not recover: %v %v", i, err, results)
			}
			time.Sleep(patience / 20)
		}
	}
}

// settled reads all documents when late writes have arrived: not before a call's deadline
// has passed, and then until nothing changes.
func settled(t *testing.T, s *Store, ix *metadata.Index) map[string][]string {
	t.Helper()
	for before := ""; ; time.Sleep(patience / 2) {
		found := storetest.Visible(t, s, ix)
		if now := fmt.Sprint(found); now != before {
			before = now
			continue
		}
		final := map[string][]string{}
		for _, line := range found {
			document, source, ok := strings.Cut(line, " v")
			_, source, _ = strings.Cut(source, " ")
			names, err := unlist([]byte(source))
			if err != nil || !ok {
				t.Fatal(line, err)
			}
			final[document] = names
		}
		return final
	}
}
