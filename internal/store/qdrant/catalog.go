package qdrant

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	pb "github.com/qdrant/go-client/qdrant"

	"postern/internal/metadata"
	"postern/internal/store"
)

// catalog is the metadata as of one version of the directory point. The metadata of each
// index are a point of their own, which is never changed: a new version is a new point, and
// the directory says which one counts. So every change, of one index or of many, is one
// compare-and-set of the directory.
type catalog struct {
	chain []string // of the directory
	state *metadata.State
	refs  map[*metadata.Index]string
	byRef map[string]*metadata.Index
	// histories are those of the indices, by uuid.
	histories map[string]*history
	fencing   fencing
}

func (c *catalog) keep(ix *metadata.Index, ref string, h *history) {
	c.refs[ix], c.byRef[ref], c.histories[ix.UUID] = ref, ix, h
}

// historyOf is the history of an index; nil when it is not known.
func (s *Store) historyOf(uuid string) *history { return s.catalog.Load().histories[uuid] }

func newCatalog(chain []string, size int) *catalog {
	return &catalog{chain: chain, refs: make(map[*metadata.Index]string, size), byRef: make(map[string]*metadata.Index, size),
		histories: make(map[string]*history, size)}
}

// begin reads the directory, or makes that of a new cluster.
func (s *Store) begin(ctx context.Context) error {
	if _, err := s.load(ctx); !errors.Is(err, errNoDirectory) {
		return err
	}
	payload := s.newDirectory(s.opts.NewState())
	if _, err := s.swap(ctx, directoryID(), nil, payload); err != nil && !errors.Is(err, errLost) {
		return err
	}
	_, err := s.load(ctx)
	return err
}

var errNoDirectory = errors.New("qdrant: the catalog has no directory")

func directoryID() *pb.PointId { return catalogID(kindDirectory, "") }

func directoryPayload(state *metadata.State, refs map[*metadata.Index]string, f fencing) map[string]*pb.Value {
	var all []string
	body := state.AppendDirectory(nil, func(ix *metadata.Index) string {
		all = append(all, refs[ix])
		return refs[ix]
	})
	payload := map[string]*pb.Value{keyKind: textValue(kindDirectory), keyRefs: textList(all)}
	putBytes(payload, body)
	f.put(payload)
	return payload
}

// directoryKeys are the members of the directory.
func directoryKeys() []string {
	return []string{keySource, keyBytes, keyRefs, keyChain, keyFenced, keyIncarnation, keyOwners}
}

// Load is the current metadata; see store.Catalog.
func (s *Store) Load(ctx context.Context) (*metadata.State, error) {
	leave, err := s.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	if s.opts.Exclusive {
		return s.catalog.Load().state, nil
	}
	c, err := s.load(ctx)
	if err != nil {
		return nil, err
	}
	return c.state, nil
}

// load is the current catalog, for a gateway that may work under it.
func (s *Store) load(ctx context.Context) (*catalog, error) {
	c, err := s.loadAny(ctx)
	if err == nil {
		err = s.allowed(c)
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// loadAny asks whether the directory has moved, and reads what is new in it.
func (s *Store) loadAny(ctx context.Context) (*catalog, error) {
	for try := 0; ; try++ {
		known := s.catalog.Load()
		keys := []string{keyWrite}
		if known == nil {
			keys = append(directoryKeys(), keyWrite)
		}
		found, err := s.retrieve(ctx, s.catalogName(), []*pb.PointId{directoryID()}, keys)
		if err == nil && len(found) == 0 {
			err = errNoDirectory
		}
		if err != nil {
			return nil, catalogError(err)
		}
		if known != nil && found[0].GetPayload()[keyWrite].GetStringValue() == known.chain[0] {
			return known, nil
		}
		if known != nil {
			found, err = s.retrieve(ctx, s.catalogName(), []*pb.PointId{directoryID()}, directoryKeys())
			if err != nil || len(found) == 0 {
				return nil, catalogError(err)
			}
		}
		c, err := s.readDirectory(ctx, known, found[0].GetPayload())
		if errors.Is(err, errGone) && try < 10 {
			continue // the directory has moved meanwhile
		}
		if err != nil {
			return nil, err
		}
		s.catalog.CompareAndSwap(known, c)
		return c, nil
	}
}

// catalogError is that of a call to the catalog: that it is gone is no missing index.
func catalogError(err error) error {
	if errors.Is(err, store.ErrNoIndex) {
		return fmt.Errorf("the catalog is gone: %s", err.Error())
	}
	return err
}

// errGone says that a point which the directory named is not there.
var errGone = errors.New("qdrant: the metadata of an index are gone")

// readDirectory reads the metadata that the directory names and are not known yet.
func (s *Store) readDirectory(ctx context.Context, known *catalog, payload map[string]*pb.Value) (*catalog, error) {
	refs := texts(payload[keyRefs])
	c := newCatalog(texts(payload[keyChain]), len(refs))
	c.fencing = readFencing(payload)
	var missing []*pb.PointId
	for _, ref := range refs {
		if known != nil && known.byRef[ref] != nil {
			ix := known.byRef[ref]
			c.keep(ix, ref, known.histories[ix.UUID])
			continue
		}
		missing = append(missing, pb.NewIDUUID(ref))
	}
	if len(missing) > 0 {
		found, err := s.retrieve(ctx, s.catalogName(), missing, []string{keySource, keyBytes, keyFields})
		if err != nil {
			return nil, catalogError(err)
		}
		for _, p := range found {
			b, err := readBytes(p.GetPayload())
			if err != nil {
				return nil, err
			}
			ix, err := metadata.DecodeIndex(b)
			if err != nil {
				return nil, err
			}
			c.keep(ix, p.GetId().GetUuid(), readHistory(texts(p.GetPayload()[keyFields])))
		}
	}
	body, err := readBytes(payload)
	if err != nil {
		return nil, err
	}
	c.state, err = metadata.DecodeDirectory(body, func(ref string) (*metadata.Index, error) {
		if ix := c.byRef[ref]; ix != nil {
			return ix, nil
		}
		return nil, errGone
	})
	return c, err
}

// Update changes the metadata; see store.Catalog.
func (s *Store) Update(ctx context.Context, change func(*metadata.State) (*metadata.State, error)) (*metadata.State, error) {
	leave, err := s.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	s.updating.Lock() // gateways compete, the clients of one need not
	defer s.updating.Unlock()
	for {
		before, err := s.load(ctx)
		if err != nil {
			return nil, err
		}
		next, err := change(before.state)
		if err != nil || next == before.state {
			return before.state, err
		}
		after, err := s.replace(ctx, before, next)
		if err == nil {
			s.catalog.CompareAndSwap(before, after)
			return next, nil
		}
		if !errors.Is(err, errLost) {
			return before.state, catalogError(err)
		}
		if !sleep(ctx, rand.N(10*time.Millisecond)) {
			return before.state, ctx.Err()
		}
	}
}

// replace writes the metadata that are new, and then the directory.
func (s *Store) replace(ctx context.Context, before *catalog, next *metadata.State) (*catalog, error) {
	indices := next.Indices()
	after := newCatalog(nil, len(indices))
	after.state, after.fencing = next, before.fencing
	var points []*pb.PointStruct
	var added []*pb.PointId
	for _, ix := range indices {
		if ref, known := before.refs[ix]; known {
			after.keep(ix, ref, before.histories[ix.UUID])
			continue
		}
		h := before.histories[ix.UUID].next(before.state.IndexByUUID(ix.UUID), ix)
		id := catalogID(kindIndex, newWriteID())
		payload := map[string]*pb.Value{keyKind: textValue(kindIndex), keyUUID: textValue(ix.UUID), keyAt: intValue(time.Now().UnixMilli()),
			keyFields: textList(h.texts())}
		putBytes(payload, ix.AppendBinary(nil))
		points, added = append(points, &pb.PointStruct{Id: id, Payload: payload}), append(added, id)
		after.keep(ix, id.GetUuid(), h)
	}
	if len(points) > 0 {
		if err := s.upsert(ctx, &pb.UpsertPoints{CollectionName: s.catalogName(), Points: points}); err != nil {
			return nil, nothingWritten(err)
		}
	}
	chain, err := s.swap(ctx, directoryID(), before.chain, directoryPayload(next, after.refs, after.fencing))
	if err != nil {
		if errors.Is(err, errLost) {
			s.removeMetadata(ctx, added)
		}
		return nil, err // of an unknown outcome nothing may be removed
	}
	after.chain = chain
	var old []*pb.PointId
	for ref := range before.byRef {
		if after.byRef[ref] == nil {
			old = append(old, pb.NewIDUUID(ref))
		}
	}
	s.removeMetadata(ctx, old)
	return after, nil
}

// removeMetadata removes points that no directory names any more; what is left of them is
// found by the next sweep.
func (s *Store) removeMetadata(ctx context.Context, ids []*pb.PointId) {
	if len(ids) == 0 {
		return
	}
	if err := s.remove(context.WithoutCancel(ctx), s.catalogName(), must(hasID(ids...))); err != nil {
		s.log.Debug("old metadata were not removed", "error", err)
	}
}
