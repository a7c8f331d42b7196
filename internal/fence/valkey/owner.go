package valkey

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/valkey-io/valkey-go"

	"postern/internal/fence"
)

// join takes part in the server's incarnation. If the server has been restarted since that
// was last advanced, it is advanced; either way this gateway then announces the tokens that
// it holds open: the server may have come back without them.
func (f *Fence) join(ctx context.Context) error {
	known := f.epoch.Load()
	f.renew.Lock()
	defer f.renew.Unlock()
	if f.epoch.Load() != known {
		return nil // another call has done it meanwhile
	}
	for range 8 {
		list, err := f.call(ctx, "state", true)
		if err != nil {
			return err
		}
		if len(list) != 3 {
			return errAnswer
		}
		incarnation, err := number(&list[0])
		if err != nil {
			return err
		}
		run, _ := list[1].ToString()
		vouched, _ := list[2].ToString()
		if run == vouched && incarnation > 0 {
			return f.announce(ctx, &epoch{incarnation, strconv.FormatUint(incarnation, 10), run})
		}
		if incarnation > 0 {
			f.log.Warn("valkey was started anew; the fence's incarnation advances", "was", incarnation, "run", run)
		}
		next, owners, err := f.incarnations.Advance(ctx, incarnation)
		if err != nil {
			return unavailable(err)
		}
		if !slices.Contains(owners, f.owner) {
			owners = append(owners, f.owner)
		}
		// Whoever is slower is told so, and reads the state again.
		if _, err := f.call(ctx, "advance", false, append([]string{strconv.FormatUint(next, 10), run}, owners...)...); err != nil {
			return err
		}
	}
	return unavailable(errors.New("other gateways advance its incarnation all the time"))
}

// announce names the open tokens of this gateway under a new incarnation. What had been
// lost is open again with its counter raised, so that no answer from before is served.
func (f *Fence) announce(ctx context.Context, e *epoch) (err error) {
	f.open.Range(func(key, value any) bool {
		id, in := key.(string), value.(fence.Intent)
		args := append([]string{e.text, e.run, id, f.owner, scopeName(in.Scope), in.Index, in.Operation,
			flag(in.IDs == nil && in.Scope == fence.Documents), f.bounds[0]}, in.IDs...)
		var list []valkey.ValkeyMessage
		if list, err = f.call(ctx, "announce", false, args...); err != nil {
			return false
		}
		if word, _ := list[0].ToString(); word == "lost" {
			f.log.Warn("valkey came back without an open write", "index", in.Index, "operation", in.Operation)
		}
		return true
	})
	if err != nil {
		return err
	}
	if _, err = f.call(ctx, "present", false, e.text, e.run, f.owner); err != nil {
		return err
	}
	f.epoch.Store(e)
	return nil
}

// closeToken closes a token in the background, and goes on until the server has answered.
// The backend is done with it, so that it need not be announced any more; a begin that is
// still on its way is found by sweep.
func (f *Fence) closeToken(id string) {
	f.open.Delete(id)
	f.beats.Go(func() {
		for wait := 10 * time.Millisecond; f.Release(context.Background(), id) != nil; wait = min(2*wait, time.Second) {
			if f.stopped.Load() {
				return
			}
			time.Sleep(wait)
		}
	})
}

// Settle waits until every token that this gateway has completed is closed on the server. It
// tells whether none is open any more.
func (f *Fence) Settle(ctx context.Context) bool {
	for {
		tokens, err := f.Tokens(ctx)
		if err == nil {
			mine, closing := 0, 0
			for _, t := range tokens {
				if t.Owner != f.owner {
					continue
				}
				if mine++; !f.holds(t.ID) {
					closing++
				}
			}
			if closing == 0 {
				return mine == 0
			}
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return false
		}
	}
}

func (f *Fence) holds(token string) bool {
	_, open := f.open.Load(token)
	return open
}

// beatEvery is how often a gateway says that it lives.
const beatEvery = time.Second

// SilentAfter is how long a gateway must not have been heard of before others recover
// what it left open.
const SilentAfter = 15 * time.Second

func (f *Fence) beat(ctx context.Context) {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	for n := 0; ; n++ {
		if _, _, err := f.current(ctx, "beat", false, func(*epoch) []string { return []string{f.owner} }); err != nil && ctx.Err() == nil {
			f.log.Warn("valkey does not answer", "error", err)
		} else if n%10 == 9 {
			f.sweep(ctx)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// sweep closes tokens that carry this gateway's name and that it does not know: their
// begin arrived after it was given up.
func (f *Fence) sweep(ctx context.Context) {
	tokens, err := f.Tokens(ctx)
	if err != nil {
		return
	}
	for _, t := range tokens {
		if t.Owner == f.owner && !f.holds(t.ID) && t.Age > f.timeout {
			if err := f.Release(ctx, t.ID); err == nil {
				f.log.Info("a write that was given up before it began is closed", "token", t.ID)
			}
		}
	}
}

// An OpenToken is what the fence keeps of a mutation that is not known to be done.
type OpenToken struct {
	ID, Owner, Index, Scope, Operation string
	Sequence                           uint64
	// Age is how long it is open, Silent for how long its owner has not been heard of; a
	// negative Silent: never.
	Age, Silent time.Duration
	// Unbounded says that its ids are not known.
	Unbounded bool
	IDs       []string
}

// Tokens lists the open tokens of all gateways, by index and sequence.
func (f *Fence) Tokens(ctx context.Context) ([]OpenToken, error) {
	list, err := f.call(ctx, "status", true)
	if err != nil {
		return nil, err
	}
	tokens := make([]OpenToken, len(list))
	for i := range list {
		if err := tokens[i].read(&list[i]); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(tokens, func(a, b OpenToken) int {
		if c := strings.Compare(a.Index, b.Index); c != 0 {
			return c
		}
		return int(int64(a.Sequence) - int64(b.Sequence))
	})
	return tokens, nil
}

func (t *OpenToken) read(m *valkey.ValkeyMessage) error {
	parts, err := m.ToArray()
	if err != nil || len(parts) != 10 {
		return errAnswer
	}
	for i, to := range []*string{&t.ID, &t.Owner, &t.Index, &t.Scope, &t.Operation} {
		*to, _ = parts[i].ToString()
	}
	if t.Sequence, err = number(&parts[5]); err != nil {
		return err
	}
	age, err := number(&parts[6])
	if err != nil {
		return err
	}
	t.Age, t.Silent = time.Duration(age)*time.Microsecond, -1
	if silent, err := number(&parts[7]); err == nil {
		t.Silent = time.Duration(silent) * time.Microsecond
	}
	unbounded, _ := parts[8].ToString()
	t.Unbounded = unbounded == "1"
	t.IDs, err = sorted(&parts[9])
	return err
}

func sorted(m *valkey.ValkeyMessage) ([]string, error) {
	list, err := m.AsStrSlice()
	if err != nil {
		return nil, unavailable(err)
	}
	slices.Sort(list)
	if len(list) == 0 {
		return nil, nil
	}
	return list, nil
}

// Release closes a token of whichever owner, once what it may still do has been made
// impossible or is known. One that is not open is closed already.
func (f *Fence) Release(ctx context.Context, id string) error {
	_, err := f.call(ctx, "complete", false, id)
	return err
}
