package valkey

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/valkey-io/valkey-go"

	"postern/internal/fence"
)

func scopeName(s fence.Scope) string { return [...]string{"documents", "metadata", "directory"}[s] }

func flag(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// Begin opens a token; see fence.Fence. The token's name is ours: when the answer is lost,
// it is closed again, for the backend has not been touched.
func (f *Fence) Begin(ctx context.Context, in fence.Intent) (fence.Token, error) {
	id := f.owner + ":" + strconv.FormatUint(f.tokens.Add(1), 10)
	f.open.Store(id, in)
	t, err := f.begin(ctx, id, in)
	if err != nil {
		f.closeToken(id)
	}
	return t, err
}

// The pauses between two looks at an id that another token claims.
const minWait, maxWait = 500 * time.Microsecond, 16 * time.Millisecond

func (f *Fence) begin(ctx context.Context, id string, in fence.Intent) (fence.Token, error) {
	for wait := time.Duration(minWait); ; wait = min(2*wait, maxWait) {
		list, e, err := f.current(ctx, "begin", false, func(*epoch) []string { return f.intent(id, in) })
		if err != nil {
			return fence.Token{}, err
		}
		if planned := in.Planned.Incarnation; planned != 0 && planned != e.incarnation {
			return fence.Token{}, fence.ErrMoved
		}
		switch word, _ := list[0].ToString(); word {
		case "ok":
			return token(id, in, list)
		case "moved":
			return fence.Token{}, fence.ErrMoved
		case "full":
			return fence.Token{}, fence.ErrFull
		case "held":
		default:
			return fence.Token{}, errAnswer
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return fence.Token{}, ctx.Err()
		}
	}
}

func token(id string, in fence.Intent, list []valkey.ValkeyMessage) (fence.Token, error) {
	t := fence.Token{ID: id, Index: in.Index}
	if len(list) != 3 {
		return t, errAnswer
	}
	sequence, err := number(&list[1])
	if err != nil {
		return t, err
	}
	first, err := number(&list[2])
	t.Sequence, t.SeqNo = sequence, int64(first)
	return t, err
}

// intent are the arguments of begin behind incarnation and run.
func (f *Fence) intent(id string, in fence.Intent) []string {
	args := make([]string, 0, 16+2*len(in.Planned.Indices)+len(in.Uncovered)+len(in.IDs))
	args = append(args, id, f.owner, scopeName(in.Scope), in.Index, in.Operation, flag(in.IDs == nil && in.Scope == fence.Documents), strconv.Itoa(in.SeqNos))
	args = append(args, f.bounds...)
	if in.Planned.Incarnation == 0 {
		args = append(args, "", "0")
	} else {
		args = append(args, strconv.FormatUint(in.Planned.Directory, 10), strconv.Itoa(len(in.Planned.Indices)))
		for _, v := range in.Planned.Indices {
			args = append(args, v.UUID, strconv.FormatUint(v.Meta, 10))
		}
	}
	args = append(append(args, strconv.Itoa(len(in.Uncovered))), in.Uncovered...)
	return append(append(args, strconv.Itoa(len(in.IDs))), in.IDs...)
}

// Complete closes a token off the caller's path; see fence.Fence.
func (f *Fence) Complete(t fence.Token) { f.closeToken(t.ID) }

// Lookup reads the vector and a valid entry; see fence.Fence.
func (f *Fence) Lookup(ctx context.Context, key string, indices []string) (fence.Found, error) {
	list, e, err := f.current(ctx, "lookup", true, func(*epoch) []string {
		return append([]string{entryKey(key), "1"}, indices...)
	})
	if err != nil {
		return fence.Found{}, err
	}
	if len(list) != 5 {
		return fence.Found{}, errAnswer
	}
	found := fence.Found{}
	if found.Vector, err = readVector(&list[1], e, indices); err != nil {
		return fence.Found{}, err
	}
	quiet, err := list[2].AsInt64()
	if err != nil {
		return fence.Found{}, unavailable(err)
	}
	found.Quiet = quiet == 1
	if entry, err := list[3].AsBytes(); err == nil {
		found.Entry = entry
	}
	found.Positions, err = readPositions(&list[4], found.Vector)
	return found, err
}

// entryKey is short and without a byte that means something, however long the plan's key.
func entryKey(key string) string {
	if key == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(key))
	return string(sum[:])
}

func number(m *valkey.ValkeyMessage) (uint64, error) {
	text, err := m.ToString()
	if err != nil {
		return 0, unavailable(err)
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%w: %w", errAnswer, err)
	}
	return n, nil
}

func readVector(m *valkey.ValkeyMessage, e *epoch, indices []string) (fence.Vector, error) {
	v := fence.Vector{Incarnation: e.incarnation}
	list, err := m.ToArray()
	if err != nil || len(list) != 2+2*len(indices) {
		return v, errAnswer
	}
	if v.Directory, err = number(&list[1]); err != nil {
		return v, err
	}
	for i, uuid := range indices {
		iv := fence.IndexVersion{UUID: uuid}
		if iv.Meta, err = number(&list[2+2*i]); err != nil {
			return v, err
		}
		if iv.Data, err = number(&list[3+2*i]); err != nil {
			return v, err
		}
		v.Indices = append(v.Indices, iv)
	}
	return v, nil
}

func readPositions(m *valkey.ValkeyMessage, v fence.Vector) ([]fence.Position, error) {
	list, err := m.ToArray()
	if err != nil || len(list) != len(v.Indices) {
		return nil, errAnswer
	}
	positions := make([]fence.Position, len(list))
	for i := range list {
		parts, err := list[i].ToArray()
		if err != nil || len(parts) != 3 {
			return nil, errAnswer
		}
		unbounded, err := number(&parts[0])
		if err != nil {
			return nil, err
		}
		p := &positions[i]
		p.Sequence, p.Unbounded = v.Indices[i].Data, unbounded > 0
		if p.Open, err = sorted(&parts[1]); err != nil {
			return nil, err
		}
		if p.Uncovered, err = sorted(&parts[2]); err != nil {
			return nil, err
		}
	}
	return positions, nil
}

// Publish keeps an entry; see fence.Fence.
func (f *Fence) Publish(ctx context.Context, key string, found fence.Found, entry []byte) (bool, error) {
	if !found.Quiet {
		return false, nil
	}
	v := found.Vector
	var b strings.Builder
	fmt.Fprintf(&b, "%d,%d", v.Incarnation, v.Directory)
	uuids := make([]string, len(v.Indices))
	for i, iv := range v.Indices {
		fmt.Fprintf(&b, ",%d,%d", iv.Meta, iv.Data)
		uuids[i] = iv.UUID
	}
	list, _, err := f.current(ctx, "publish", false, func(*epoch) []string {
		return append([]string{entryKey(key), string(entry), f.entryMillis, b.String()}, uuids...)
	})
	if err != nil {
		return false, err
	}
	word, err := list[0].ToString()
	return word == "ok", unavailableIf(err)
}

// Since lists written ids; see fence.Fence.
func (f *Fence) Since(ctx context.Context, index string, after uint64) ([]string, bool, error) {
	list, _, err := f.current(ctx, "since", true, func(*epoch) []string {
		return []string{index, strconv.FormatUint(after, 10)}
	})
	if err != nil {
		return nil, false, err
	}
	if word, _ := list[0].ToString(); word != "ok" {
		return nil, false, nil
	}
	ids, err := list[1].AsStrSlice()
	if err != nil {
		return nil, false, unavailable(err)
	}
	for i, j := 0, len(ids)-1; i < j; i, j = i+1, j-1 {
		ids[i], ids[j] = ids[j], ids[i]
	}
	return ids, true, nil
}

// Forget drops a deleted index; see fence.Fence.
func (f *Fence) Forget(ctx context.Context, index string) error {
	_, err := f.call(ctx, "forget", false, index)
	return err
}

// Clear drops all answers; see fence.Fence.
func (f *Fence) Clear(ctx context.Context) (int64, error) {
	total := int64(0)
	for cursor := "0"; ; {
		list, err := f.call(ctx, "clear", false, "1000", cursor)
		if err != nil {
			return total, err
		}
		n, err := list[1].AsInt64()
		if err != nil {
			return total, unavailable(err)
		}
		total += n
		if cursor, err = list[0].ToString(); err != nil {
			return total, unavailable(err)
		}
		if cursor == "0" {
			return total, nil
		}
	}
}
