package qdrant

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"postern/conformance/engines/qdranttest"
	"postern/internal/eserr"
	"postern/internal/fence/memory"
	"postern/internal/jsonx"
	"postern/internal/metadata"
	"postern/internal/mutate"
	"postern/internal/store"
)

// TestLinearizable lets six clients of two gateways work on few documents, in every way
// that documents can be written, and holds what they were told against one order of all
// of it, document by document. Each has a fence of its own, so that nothing but the store
// keeps them apart.
func TestLinearizable(t *testing.T) {
	o := place(t, qdranttest.Start(t).Addr)
	first, second := open(t, o), open(t, o)
	defer first.Close()
	defer second.Close()
	_, err := newMutator(first).CreateIndex(context.Background(), metadata.Creation{Name: "i", Definition: metadata.Definition{
		Settings: metadata.NewSettings("index.gc_deletes", "1h"),
		Mappings: jsonx.MustParse(`{"properties":{"a":{"type":"keyword"},"b":{"type":"keyword"}}}`)}})
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	each := 60
	if os.Getenv("POSTERN_SOAK") != "" {
		each = 2000
	}
	h := &operations{began: time.Now()}
	var group sync.WaitGroup
	for client := range 6 {
		s := []*Store{first, second}[client%2]
		c := &linearClient{TB: t, store: s, mutator: newMutator(s), h: h, number: client, rng: rand.New(rand.NewPCG(seed, uint64(client))), seen: map[string]observed{}}
		group.Go(func() {
			for range each {
				c.act()
			}
		})
	}
	group.Wait()
	for kind, n := range h.outcomes() {
		if n == 0 {
			t.Errorf("no operation was %s", kind)
		}
	}
	if result, _ := porcupine.CheckOperationsVerbose(documentModel(), h.all, time.Minute); result != porcupine.Ok {
		t.Errorf("the history is %s", result)
	}
}

func newMutator(s *Store) *mutate.Mutator {
	return mutate.New(mutate.Config{Catalog: s, Documents: s, Fence: memory.New(16, 64)})
}

// operations is a history.
type operations struct {
	began time.Time
	mu    sync.Mutex
	all   []porcupine.Operation
}

func (h *operations) now() int64 { return int64(time.Since(h.began)) }

func (h *operations) add(op porcupine.Operation) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = append(h.all, op)
}

// outcomes counts what the history has to have to say something.
func (h *operations) outcomes() map[string]int {
	n := map[string]int{"created": 0, "updated": 0, "deleted": 0, "not_found": 0, "noop": 0, "a conflict": 0, "a read": 0}
	for _, op := range h.all {
		for i, out := range op.Output.([]documentOutput) {
			switch {
			case op.Input.(documentInput).steps[i].kind == readStep:
				n["a read"]++
			case out.conflict:
				n["a conflict"]++
			default:
				n[out.result.String()]++
			}
		}
	}
	return n
}

// documentInput is one call about one document.
type documentInput struct {
	id    string
	steps []step
}

type stepKind uint8

const (
	readStep stepKind = iota
	indexStep
	createStep
	updateStep
	deleteStep
)

type step struct {
	kind        stepKind
	value       string
	seqNo, term int64 // if_seq_no and if_primary_term, when term is set
	external    int64 // a version from outside, when set
}

type documentOutput struct {
	conflict bool
	result   mutate.Result
	observed
}

// observed is a document as somebody saw it.
type observed struct {
	found                bool
	version, seqNo, term int64
	a, b                 string
}

// linearClient makes one call after the other.
type linearClient struct {
	testing.TB
	store   *Store
	mutator *mutate.Mutator
	h       *operations
	number  int
	writes  int
	rng     *rand.Rand
	seen    map[string]observed
}

func (c *linearClient) act() {
	id := []string{"hot", "hot", "hot", "one", "two"}[c.rng.IntN(5)]
	n := 1
	if c.rng.IntN(5) == 0 {
		n = 2 + c.rng.IntN(3)
	}
	in := documentInput{id: id}
	for range n {
		in.steps = append(in.steps, c.step(id, n == 1))
	}
	began := c.h.now()
	out := c.call(in)
	ended := c.h.now()
	for _, o := range out {
		if o.found {
			c.seen[id] = o.observed
		}
	}
	c.h.add(porcupine.Operation{ClientId: c.number, Input: in, Call: began, Output: out, Return: ended})
}

func (c *linearClient) step(id string, reads bool) step {
	c.writes++
	s := step{value: fmt.Sprintf("%d-%d", c.number, c.writes)}
	switch n := c.rng.IntN(20); {
	case n < 4 && reads:
		s.kind = readStep
	case n < 8:
		s.kind = indexStep
	case n < 10:
		s.kind = createStep
	case n < 14:
		s.kind = updateStep
		if c.rng.IntN(3) > 0 {
			s.value = "same"
		}
	case n < 16:
		s.kind = deleteStep
	default:
		s.kind = []stepKind{indexStep, deleteStep}[c.rng.IntN(2)]
		if last := c.seen[id]; last.found && c.rng.IntN(2) == 0 {
			s.seqNo, s.term = last.seqNo, last.term
		} else {
			s.external = last.version + int64(c.rng.IntN(4))
		}
	}
	return s
}

func (c *linearClient) call(in documentInput) []documentOutput {
	if in.steps[0].kind == readStep {
		state, err := c.store.Load(context.Background())
		if err != nil {
			c.Error(err)
			return []documentOutput{{}}
		}
		docs, err := c.store.Get(context.Background(), state.Index("i"), []string{in.id}, true)
		if err != nil {
			c.Error(err)
			return []documentOutput{{}}
		}
		return []documentOutput{{observed: seenIn(c, docs[0].Found, docs[0].Source, docs[0].Version, docs[0].SeqNo, docs[0].PrimaryTerm)}}
	}
	ops := make([]mutate.Op, len(in.steps))
	for i, s := range in.steps {
		ops[i] = s.op(in.id)
	}
	outcomes, err := c.mutator.Apply(context.Background(), ops, store.RefreshNone)
	if err != nil {
		c.Error(err)
	}
	out := make([]documentOutput, len(ops))
	for i := range outcomes {
		out[i] = c.output(&outcomes[i])
	}
	return out
}

func (s step) op(id string) mutate.Op {
	o := mutate.Op{Index: "i", ID: id, GivenID: true, Source: fmt.Appendf(nil, `{"a":%q}`, s.value)}
	o.Action = map[stepKind]mutate.Action{indexStep: mutate.Index, createStep: mutate.Create, updateStep: mutate.Update, deleteStep: mutate.Delete}[s.kind]
	if s.kind == updateStep {
		doc := jsonx.MustParse(fmt.Sprintf(`{"b":%q}`, s.value))
		o.Update = &mutate.PartialUpdate{Doc: doc, DocAsUpsert: true, Retries: true}
	}
	if s.term > 0 {
		o.IfSeqNo, o.IfPrimaryTerm = &s.seqNo, &s.term
	}
	if s.external > 0 {
		o.VersionType, o.Version = mutate.External, &s.external
	}
	return o
}

func (c *linearClient) output(o *mutate.Outcome) documentOutput {
	if e, ok := eserr.As(o.Err); ok && e.Status == 409 {
		return documentOutput{conflict: true}
	}
	if o.Err != nil { // an unknown outcome, too, which takes a fault
		c.Error(o.Err)
	}
	found := o.Result != mutate.Deleted && o.Result != mutate.NotFound
	seen := observed{found: found, version: o.Version, seqNo: o.SeqNo, term: o.PrimaryTerm}
	if o.Source != nil {
		seen = seenIn(c, found, o.Source, o.Version, o.SeqNo, o.PrimaryTerm)
	}
	return documentOutput{result: o.Result, observed: seen}
}

func seenIn(t testing.TB, found bool, source []byte, version, seqNo, term int64) observed {
	if !found {
		return observed{}
	}
	v, err := jsonx.Parse(source)
	if err != nil {
		t.Error(err)
		return observed{}
	}
	return observed{true, version, seqNo, term, v.Get("a").Text(), v.Get("b").Text()}
}

// documentModel is what Elasticsearch makes of calls on one document, one after the other.
func documentModel() porcupine.Model {
	return porcupine.Model{
		Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
			byID := map[string][]porcupine.Operation{}
			for _, op := range history {
				id := op.Input.(documentInput).id
				byID[id] = append(byID[id], op)
			}
			var all [][]porcupine.Operation
			for _, ops := range byID {
				all = append(all, ops)
			}
			return all
		},
		Init: func() any { return observed{seqNo: -1} },
		Step: func(state, input, output any) (bool, any) {
			in, out := input.(documentInput), output.([]documentOutput)
			d, ok := state.(observed), true
			for i := 0; i < len(in.steps) && ok; i++ {
				d, ok = d.take(in.steps[i], out[i])
			}
			return ok, d
		},
		Equal: func(a, b any) bool { return a == b },
	}
}

// take is the document after a step with that outcome; false when it can't have it.
func (d observed) take(s step, out documentOutput) (observed, bool) {
	if s.kind == readStep {
		if !out.found {
			return d, !d.found
		}
		return d, d == out.observed
	}
	conflict := s.kind == createStep && d.found ||
		s.term > 0 && (!d.found || d.seqNo != s.seqNo || d.term != s.term) ||
		s.external > 0 && d.version >= s.external && d.seqNo >= 0
	if conflict || out.conflict {
		return d, conflict == out.conflict
	}
	n := observed{found: s.kind != deleteStep, version: d.version + 1, seqNo: out.seqNo, term: out.term, a: s.value}
	if s.external > 0 {
		n.version = s.external
	}
	want := mutate.Created
	if d.found {
		want = mutate.Updated
	}
	switch s.kind {
	case updateStep:
		n.a, n.b = d.a, s.value
		if d.found && d.b == s.value {
			return d, out.result == mutate.Noop && out.observed == d
		}
	case deleteStep:
		n.a = ""
		if want = mutate.NotFound; d.found {
			want = mutate.Deleted
		}
	}
	return n, out.result == want && out.version == n.version && out.seqNo > d.seqNo
}
