package aggs

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// The hashes by which Elasticsearch spreads values over partitions.

// partitionSeed is its seed for terms.
const partitionSeed = 31

// murmur3 is MurmurHash3 in its 32-bit form.
func murmur3(b []byte, seed uint32) uint32 {
	const c1, c2 = 0xcc9e2d51, 0x1b873593
	h, n := seed, len(b)
	for ; len(b) >= 4; b = b[4:] {
		k := binary.LittleEndian.Uint32(b)
		h ^= bits.RotateLeft32(k*c1, 15) * c2
		h = bits.RotateLeft32(h, 13)*5 + 0xe6546b64
	}
	var k uint32
	for i := len(b) - 1; i >= 0; i-- {
		k = k<<8 | uint32(b[i])
	}
	if len(b) > 0 {
		h ^= bits.RotateLeft32(k*c1, 15) * c2
	}
	h ^= uint32(n)
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}

// mix64 is hppc's BitMixer.mix64.
func mix64(z uint64) uint64 {
	z = (z ^ z>>32) * 0x4cd6944c5cc20b6d
	z = (z ^ z>>29) * 0xfc12c5b19d3259e9
	return z ^ z>>32
}

// sortable is a double as a long that sorts like it.
func sortable(v float64) int64 {
	b := int64(math.Float64bits(v))
	return b ^ b>>63&math.MaxInt64
}

// unsortable is the double that sortable was given.
func unsortable(k int64) float64 { return math.Float64frombits(uint64(k ^ k>>63&math.MaxInt64)) }

func floorMod(hash, n int64) int64 { return (hash%n + n) % n }
