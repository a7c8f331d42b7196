package qdrant

import (
	"crypto/sha256"
	"encoding/hex"

	pb "github.com/qdrant/go-client/qdrant"
)

// The members of a document's payload.
const (
	keyID      = "_id"
	keySource  = "_source"  // the bytes that came in, when they are UTF-8
	keyBytes   = "_bytes"   // the same in base64 when they are not
	keySeqNo   = "_seq"     // indexed: scans go in its order
	keyVersion = "_version" //
	keyTerm    = "_term"    // the primary term
	keyRouting = "_routing"
	keyIgnored = "_ignored"
	keyMapping = "_mapping" // the version of the mapping that made the columns
	keyWrite   = "_write"   // the id of the last write
	keyChain   = "_chain"   // the ids of the last writes, newest first
	keyDeleted = "_deleted" // when a tombstone was made, in milliseconds since 1970
	keyCover   = "_cover"   // what the columns do not say alone; see columns.go
	keyColumns = "c"
)

// chainLength is how many write ids a point keeps: a writer finds its own as long as not
// that many others were faster than its confirming read.
const chainLength = 16

// pointID is the point of an _id: the first 128 bits of its SHA-256 as a UUID. Points carry
// the whole _id, and it is looked at whenever one is read.
func pointID(id string) *pb.PointId { return uuidOf("", id) }

// catalogID is a point of the catalog.
func catalogID(kind, name string) *pb.PointId { return uuidOf(kind+"/", name) }

func uuidOf(prefix, name string) *pb.PointId {
	sum := sha256.Sum256([]byte(prefix + name))
	var text [36]byte
	hex.Encode(text[0:8], sum[0:4])
	hex.Encode(text[9:13], sum[4:6])
	hex.Encode(text[14:18], sum[6:8])
	hex.Encode(text[19:23], sum[8:10])
	hex.Encode(text[24:36], sum[10:16])
	text[8], text[13], text[18], text[23] = '-', '-', '-', '-'
	return &pb.PointId{PointIdOptions: &pb.PointId_Uuid{Uuid: string(text[:])}}
}

// columnKey is the member of the columns that holds a field: letters and digits as they
// are, a dot as a minus, an underscore twice, any other byte in hexadecimal. So it needs no
// quotes in Qdrant's paths, and no two fields share one.
func columnKey(field string) string {
	plain := true
	for i := range len(field) {
		if !alphanumeric(field[i]) {
			plain = false
			break
		}
	}
	if plain {
		return field
	}
	const digits = "0123456789abcdef"
	key := make([]byte, 0, len(field)+8)
	for i := range len(field) {
		switch c := field[i]; {
		case alphanumeric(c):
			key = append(key, c)
		case c == '.':
			key = append(key, '-')
		case c == '_':
			key = append(key, '_', '_')
		default:
			key = append(key, '_', digits[c>>4], digits[c&15])
		}
	}
	return string(key)
}

func alphanumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// columnPath is the path of a field's column in a document's payload.
func columnPath(field string) string { return keyColumns + "." + columnKey(field) }
