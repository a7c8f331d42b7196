package qdrant

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	pb "github.com/qdrant/go-client/qdrant"

	"postern/internal/store"
)

// Kinds of points in the catalog.
const (
	kindDirectory = "directory" // one; names, aliases, templates, and where each index's metadata are
	kindIndex     = "index"     // the metadata of an index at one version
	kindPlace     = "place"     // one for each collection: the _seq_no that are not leased yet
	kindGateway   = "gateway"   // where a gateway is reached
	kindOpenings  = "openings"  // one; counts how often the cluster has been opened
)

// Members of the catalog's points.
const (
	keyKind    = "kind"
	keyUUID    = "uuid"
	keyAt      = "at" // milliseconds since 1970
	keyRefs    = "refs"
	keyNextSeq = "next_seq"
	keyOpened  = "opened" // the opening that made the collection
	keyReady   = "ready"  // the columns with a payload index
	keyFields  = "fields" // when fields came to be; see history.go
	keyCount   = "count"
)

// index is what this gateway keeps of an index.
type index struct {
	uuid string
	// mu guards the leased numbers.
	mu        sync.Mutex
	next, end int64
	// term is the primary term of this gateway's writes.
	term int64
	// highest is the last number given; -1 for none.
	highest int64

	// columns guards what is known of payload indexes: which columns have one, and for which
	// it is being made. looked says that the place was asked.
	columns       sync.Mutex
	ready, making map[string]bool
	looked        atomic.Bool

	near *near

	// sweeping says that old tombstones will be removed; written that this gateway has
	// written to the index, and so sees to those that others left.
	sweeping, written atomic.Bool
	// documents estimates how many there are.
	documents atomic.Int64

	indexed, deleted, gets, searches, refreshes atomic.Int64
}

// index is the state of an index.
func (s *Store) index(uuid string) *index {
	s.mu.Lock()
	defer s.mu.Unlock()
	ix := s.indices[uuid]
	if ix == nil {
		ix = &index{uuid: uuid, highest: -1, near: newNear()}
		s.indices[uuid] = ix
	}
	return ix
}

// placeState is what the point of a collection says.
type placeState struct {
	next   int64    // the first _seq_no that is not leased
	opened int64    // the opening that made the collection
	ready  []string // columns with a payload index
}

func (p *placeState) payload(uuid string) map[string]*pb.Value {
	return map[string]*pb.Value{keyKind: textValue(kindPlace), keyUUID: textValue(uuid), keyAt: intValue(time.Now().UnixMilli()),
		keyNextSeq: intValue(p.next), keyOpened: intValue(p.opened), keyReady: textList(p.ready)}
}

// makePlace makes the point of a collection, unless it is there.
func (s *Store) makePlace(ctx context.Context, uuid string) error {
	p := placeState{opened: s.opening}
	_, err := s.swap(ctx, catalogID(kindPlace, uuid), nil, p.payload(uuid))
	if errors.Is(err, errLost) {
		return nil
	}
	return err
}

// changePlace changes the point of a collection. change may be called again; false leaves
// the point as it is.
func (s *Store) changePlace(ctx context.Context, ix *index, change func(*placeState) bool) error {
	id := catalogID(kindPlace, ix.uuid)
	for {
		found, err := s.retrieve(ctx, s.catalogName(), []*pb.PointId{id}, []string{keyNextSeq, keyOpened, keyReady, keyChain})
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return fmt.Errorf("%w: %s", store.ErrNoIndex, ix.uuid)
		}
		m := found[0].GetPayload()
		p := placeState{next: m[keyNextSeq].GetIntegerValue(), opened: m[keyOpened].GetIntegerValue(), ready: texts(m[keyReady])}
		if !change(&p) {
			return nil
		}
		if _, err = s.swap(ctx, id, texts(m[keyChain]), p.payload(ix.uuid)); !errors.Is(err, errLost) {
			return err
		}
	}
}

// leaseSize is how many numbers a gateway takes at once.
const leaseSize = 1024

// draw gives a writer the next _seq_no, above that of the document as it is, and the
// primary term.
func (s *Store) draw(ctx context.Context, ix *index, w *writer, above int64) (seq, term int64, err error) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if ix.next >= ix.end || ix.next <= above {
		if err := s.lease(ctx, ix); err != nil {
			return 0, 0, err
		}
	}
	seq = ix.next
	ix.next++
	ix.highest = max(ix.highest, seq)
	if s.opts.Exclusive {
		ix.near.floor(w, seq)
	}
	return seq, ix.term, nil
}

// lease takes the next block of numbers. The catalog's number is above all that were ever
// leased, and so above that of any document; ix.mu is held.
func (s *Store) lease(ctx context.Context, ix *index) error {
	var next int64
	err := s.changePlace(ctx, ix, func(p *placeState) bool {
		next = p.next
		p.next += leaseSize
		ix.term = max(1, s.opening-p.opened+1)
		ix.learn(p.ready)
		return true
	})
	if err != nil {
		ix.next, ix.end = 0, 0
		return nothingWritten(err)
	}
	ix.next, ix.end = next, next+leaseSize
	return nil
}

// returnLeases gives back what was leased and not used, as far as nobody has leased since:
// so the numbers of an index that one gateway writes to have no gaps.
func (s *Store) returnLeases() {
	ctx, cancel := context.WithTimeout(context.Background(), s.opts.Timeout)
	defer cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, ix := range s.indices {
		ix.mu.Lock()
		if ix.next < ix.end {
			err := s.changePlace(ctx, ix, func(p *placeState) bool {
				last := p.next == ix.end
				p.next = ix.next
				return last
			})
			if err != nil {
				s.log.Debug("sequence numbers were not given back", "index", ix.uuid, "error", err)
			}
		}
		ix.mu.Unlock()
	}
}

// countOpening counts this opening of the cluster.
func (s *Store) countOpening(ctx context.Context) error {
	id := catalogID(kindOpenings, "")
	for {
		found, err := s.retrieve(ctx, s.catalogName(), []*pb.PointId{id}, []string{keyCount, keyChain})
		if err != nil {
			return err
		}
		var chain []string
		count := int64(1)
		if len(found) > 0 {
			p := found[0].GetPayload()
			chain, count = texts(p[keyChain]), p[keyCount].GetIntegerValue()+1
		}
		_, err = s.swap(ctx, id, chain, map[string]*pb.Value{keyKind: textValue(kindOpenings), keyCount: intValue(count)})
		if errors.Is(err, errLost) {
			continue
		}
		s.opening = count
		return err
	}
}

// nothingWritten says of a failed lease that no document was touched.
func nothingWritten(err error) error {
	if errors.Is(err, store.ErrUnknown) {
		return unavailable(err)
	}
	return err
}
