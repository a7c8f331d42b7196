package qdrant

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"slices"

	pb "github.com/qdrant/go-client/qdrant"
)

// A write is a compare-and-set on write ids. Qdrant does not report whether a condition
// held, so every point keeps the ids of its last writes, and a writer looks for its own.

// newWriteID is an id that no other write has.
func newWriteID() string {
	var b [12]byte
	rand.Read(b[:])
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// linked is a chain with a newer write at its head.
func linked(id string, chain []string) []string {
	return append([]string{id}, chain[:min(len(chain), chainLength-1)]...)
}

// outcome is what became of a conditional write.
type outcome uint8

const (
	// won: the write is in the chain.
	won outcome = iota
	// lost: the write has not happened, and can't any more, since its condition no longer
	// holds.
	lost
	// undecided: the condition still holds, or nobody can tell.
	undecided
)

// judge reads off a chain, which is nil for an absent point, what became of a write onto
// the state whose newest write was prior, "" for absent.
func judge(chain []string, mine, prior string) outcome {
	switch {
	case slices.Contains(chain, mine):
		return won
	case len(chain) == 0 && prior != "":
		return lost // removed; see sweepSlack for why this write is not what was removed
	case len(chain) == 0 || chain[0] == prior:
		return undecided
	case len(chain) < chainLength || prior != "" && slices.Contains(chain, prior):
		return lost // the chain reaches back to the condition, and others came after it
	}
	return undecided
}

// errLost says that another writer was faster.
var errLost = errors.New("qdrant: another gateway was faster")

// swap replaces a point of the catalog if its newest write is the first of chain, or makes
// it if chain is empty. The new chain is given back. It fails with errLost if that did not
// hold, and with store.ErrUnknown if nobody knows.
func (s *Store) swap(ctx context.Context, id *pb.PointId, chain []string, payload map[string]*pb.Value) ([]string, error) {
	mine, prior := newWriteID(), ""
	if len(chain) > 0 {
		prior = chain[0]
	}
	next := linked(mine, chain)
	payload[keyWrite], payload[keyChain] = textValue(mine), textList(next)
	up := &pb.UpsertPoints{CollectionName: s.catalogName(), Points: []*pb.PointStruct{{Id: id, Payload: payload}}}
	if prior == "" {
		up.UpdateMode = pb.UpdateMode_InsertOnly.Enum()
	} else {
		up.UpdateMode = pb.UpdateMode_UpdateOnly.Enum()
		up.UpdateFilter = must(matchAny(keyWrite, prior))
	}
	failed := s.upsert(ctx, up)
	var refused *refusal
	if errors.As(failed, &refused) {
		return nil, failed
	}
	found, err := s.retrieve(context.WithoutCancel(ctx), s.catalogName(), []*pb.PointId{id}, []string{keyChain})
	if err != nil {
		return nil, unknown(errors.Join(failed, err))
	}
	var now []string
	if len(found) > 0 {
		now = texts(found[0].GetPayload()[keyChain])
	}
	switch judge(now, mine, prior) {
	case won:
		return next, nil
	case lost:
		return nil, errLost
	}
	if failed == nil {
		// The call has come back, so it will not happen any more.
		if len(now) == 0 || now[0] == prior {
			return nil, errLost
		}
		failed = errors.New("more writes than a chain holds came after it")
	}
	return nil, unknown(failed)
}
