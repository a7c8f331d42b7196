package qdrant

import (
	"encoding/base64"
	"fmt"
	"unicode/utf8"

	pb "github.com/qdrant/go-client/qdrant"

	"postern/internal/store"
)

// record is a point of a document as it was read.
type record struct {
	store.Stored
	// chain are the ids of the last writes, newest first.
	chain []string
	// deletedAt is set for a tombstone, in milliseconds since 1970.
	deletedAt int64
	// mapping is the version of the mapping that made the columns.
	mapping int64
}

func (r *record) write() string { return r.chain[0] }

// readRecord reads what was asked for of a point's payload.
func readRecord(p *pb.RetrievedPoint) (record, error) {
	m := p.GetPayload()
	r := record{chain: texts(m[keyChain]), deletedAt: m[keyDeleted].GetIntegerValue(), mapping: m[keyMapping].GetIntegerValue()}
	r.ID = textTerm(m[keyID].GetStringValue())
	r.Found = r.deletedAt == 0
	r.Routing = textTerm(m[keyRouting].GetStringValue())
	r.SeqNo, r.Version, r.PrimaryTerm = m[keySeqNo].GetIntegerValue(), m[keyVersion].GetIntegerValue(), m[keyTerm].GetIntegerValue()
	for _, field := range texts(m[keyIgnored]) {
		r.Ignored = append(r.Ignored, textTerm(field))
	}
	if m[keyID] == nil || m[keySeqNo] == nil {
		return r, fmt.Errorf("qdrant: point %s was not written by Postern", p.GetId().GetUuid())
	}
	var err error
	r.Source, err = readBytes(m)
	return r, err
}

// putBytes keeps bytes in a payload, whose strings must be UTF-8.
func putBytes(payload map[string]*pb.Value, b []byte) {
	if utf8.Valid(b) {
		payload[keySource] = textValue(string(b))
		return
	}
	payload[keyBytes] = textValue(base64.StdEncoding.EncodeToString(b))
}

// readBytes gives back what putBytes kept; nil when there is nothing.
func readBytes(payload map[string]*pb.Value) ([]byte, error) {
	if text := payload[keySource]; text != nil {
		return []byte(text.GetStringValue()), nil
	}
	if text := payload[keyBytes]; text != nil {
		return base64.StdEncoding.DecodeString(text.GetStringValue())
	}
	return nil, nil
}

// prior is the state of a document as a mutation sees it. A tombstone beyond its time is
// as if it were not there.
func (r *record) prior(now, gcDeletes int64) store.Prior {
	if r == nil || r.deletedAt != 0 && now-r.deletedAt > gcDeletes {
		return store.Prior{}
	}
	p := store.Prior{Found: r.Found, Tombstone: !r.Found, Version: r.Version, SeqNo: r.SeqNo, PrimaryTerm: r.PrimaryTerm}
	if r.Found {
		p.Routing, p.Source = r.Routing, r.Source
	}
	return p
}

// What is read of a point for one purpose or another.
func documentKeys() []string {
	return []string{keyID, keySource, keyBytes, keySeqNo, keyVersion, keyTerm, keyRouting, keyIgnored, keyDeleted}
}

func scanKeys() []string {
	return []string{keyID, keySource, keyBytes, keySeqNo, keyVersion, keyTerm, keyRouting, keyIgnored, keyMapping}
}

func priorKeys(source bool) []string {
	keys := []string{keyID, keySeqNo, keyVersion, keyTerm, keyDeleted, keyChain}
	if source {
		keys = append(keys, keySource, keyBytes, keyRouting)
	}
	return keys
}

func chainKeys() []string { return []string{keyID, keySeqNo, keyChain} }

func include(keys []string) *pb.WithPayloadSelector {
	return &pb.WithPayloadSelector{SelectorOptions: &pb.WithPayloadSelector_Include{Include: &pb.PayloadIncludeSelector{Fields: keys}}}
}
