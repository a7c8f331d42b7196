package qdrant

import (
	"context"
	"hash/maphash"
	"slices"
	"strings"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	pb "github.com/qdrant/go-client/qdrant"

	"postern/internal/eserr"
	"postern/internal/mapping"
	"postern/internal/metadata"
	"postern/internal/segment"
	"postern/internal/store"
)

const (
	// pageBytes is how much a page of a scan shall be; the number of documents follows.
	pageBytes = 4 << 20
	firstPage = 256
	lastPage  = 4096
	smallPage = 8
)

// slowScan is from when on a scan is told of in the log.
const slowScan = 5 * time.Second

// Snapshot reads what a search sees; see store.Documents. It is a scan, whose pages may be
// from adjacent moments: each document is there once, as it was at some time since the scan
// began.
func (s *Store) Snapshot(ctx context.Context, meta *metadata.Index, hold store.Hold) (store.Snapshot, error) {
	leave, err := s.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	ix := s.index(meta.UUID)
	ix.searches.Add(1)
	if hold == store.HoldForRequest {
		snap, err := s.nearSnapshot(ctx, meta, ix)
		if err != nil {
			return nil, err
		}
		if snap != nil {
			return snap, nil
		}
	}
	snap, err := s.scan(ctx, meta, must(live()), store.Columns{All: true}, hold)
	if err != nil {
		return nil, err
	}
	ix.documents.Store(snap.documents())
	return snap, nil
}

// scan reads the documents that meet a filter, in the order of _seq_no. A document that is
// written meanwhile moves to the end, where it is met again; so none is missed, and of one
// that is met twice the newer counts.
func (s *Store) scan(ctx context.Context, meta *metadata.Index, f *pb.Filter, want store.Columns, hold store.Hold) (_ *snapshot, err error) {
	started := time.Now()
	c := &collector{s: s, meta: meta, want: want, history: s.historyOf(meta.UUID), tail: segment.NewTail(), rows: map[uint64]uint32{}, seed: maphash.MakeSeed()}
	defer c.release()
	snap := &snapshot{s: s, uuid: meta.UUID}
	if hold == store.HoldForContext {
		if snap.spool, err = newSpool(s.opts.SpillDir); err != nil {
			return nil, err
		}
		defer func() {
			if err != nil {
				snap.Release()
			}
		}()
	}
	page := &pb.ScrollPoints{CollectionName: s.collectionName(meta.UUID), Filter: f, WithPayload: include(scanKeys())}
	limit, last := uint32(firstPage), int64(-1)
	for {
		page.Limit = &limit
		page.OrderBy = &pb.OrderBy{Key: keySeqNo, Direction: pb.Direction_Asc.Enum(), StartFrom: &pb.StartFrom{Value: &pb.StartFrom_Integer{Integer: last + 1}}}
		r, err := s.scroll(ctx, page)
		if err != nil {
			return nil, err
		}
		bytes := 0
		for _, p := range r.GetResult() {
			rec, err := readRecord(p)
			if err != nil {
				return nil, err
			}
			if rec.SeqNo <= last {
				continue
			}
			last = rec.SeqNo
			bytes += len(rec.Source) + 64
			if snap.spool != nil {
				if err := snap.spool.add(rec.SeqNo, p); err != nil {
					return nil, err
				}
			}
			if err := c.add(&rec); err != nil {
				return nil, err
			}
		}
		n := len(r.GetResult())
		if n < int(limit) {
			break
		}
		snap.gathered = true
		limit = uint32(min(max(pageBytes/max(1, bytes/n), smallPage), lastPage))
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	if snap.spool != nil {
		if err := snap.spool.finish(); err != nil {
			return nil, err
		}
	}
	snap.parts = c.parts()
	if took := time.Since(started); took > slowScan {
		s.log.Warn("slow scan", "index", meta.Name, "documents", c.tail.Len(), "took", took)
	}
	return snap, nil
}

// collector makes a segment of what a scan reads.
type collector struct {
	s    *Store
	meta *metadata.Index
	want store.Columns
	// history tells which fields were not there when a document was written.
	history *history
	tail    *segment.Tail
	doc     mapping.Document
	// rows are the last row of each _id, by a hash of it; twice are rows with equal hashes.
	rows  map[uint64]uint32
	seed  maphash.Seed
	twice [][2]uint32
	held  int64 // counted in the store's budget
}

// append appends a document and gives its row.
func (c *collector) append(r *record) uint32 {
	c.s.parse(c.meta, &c.doc, r)
	c.history.forget(&c.doc, r.mapping)
	c.drop()
	return uint32(c.tail.Append(&c.doc))
}

// add appends a document, one of many, and sees to the memory.
func (c *collector) add(r *record) error {
	row := c.append(r)
	hash := maphash.String(c.seed, r.ID)
	if before, met := c.rows[hash]; met {
		c.twice = append(c.twice, [2]uint32{before, row})
	}
	c.rows[hash] = row
	if row%64 != 0 {
		return nil
	}
	held := c.tail.Bytes()
	used := c.s.scanning.Add(held - c.held)
	c.held = held
	if limit := c.s.opts.MemoryBudget; limit > 0 && used > limit {
		return eserr.CircuitBreaking("scan of ["+c.meta.Name+"]", used-held, held, limit)
	}
	return nil
}

func (c *collector) release() { c.s.scanning.Add(-c.held) }

// drop leaves out the columns that nobody asked for.
func (c *collector) drop() {
	if c.want.All {
		return
	}
	unwanted := func(v mapping.Value) bool { return !slices.Contains(c.want.Fields, v.Field.Name) }
	c.doc.Values = slices.DeleteFunc(c.doc.Values, unwanted)
	for i := range c.doc.Children {
		child := &c.doc.Children[i]
		child.Values = slices.DeleteFunc(child.Values, unwanted)
	}
}

// parts are the documents, of those with equal _id the last.
func (c *collector) parts() []segment.Part {
	if c.tail.Len() == 0 {
		return nil
	}
	part := segment.Part{Segment: c.tail.View(c.tail.Len())}
	for _, rows := range c.twice {
		if part.ID(rows[0]) != part.ID(rows[1]) {
			continue
		}
		if part.Live == nil {
			part.Live = roaring.New()
			part.Live.AddRange(0, uint64(part.Len()))
		}
		part.Live.Remove(rows[0])
	}
	return []segment.Part{part}
}

// parse makes the columns of a record.
func (s *Store) parse(meta *metadata.Index, doc *mapping.Document, r *record) {
	if err := s.opts.Parse(meta, doc, r.ID, r.Routing, r.Source); err != nil {
		// The mapping has become stricter than it was when the document was taken. It stays a
		// document, without columns.
		s.log.Warn("a document is no longer what the mapping takes; no search by its fields will find it",
			"index", meta.Name, "id", strings.ToValidUTF8(r.ID, "?"), "error", err)
		*doc = mapping.Document{Ignored: r.Ignored}
	}
	doc.ID, doc.Routing, doc.SeqNo, doc.Version = r.ID, r.Routing, r.SeqNo, r.Version
}
