package sketch

import (
	"encoding/binary"
	"math/bits"
)

// Murmur3 is MurmurHash3 in its 32-bit form, by which Elasticsearch spreads terms over partitions.
func Murmur3(b []byte, seed uint32) uint32 {
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

// Mix64 is hppc's BitMixer.mix64, by which Elasticsearch spreads numbers.
func Mix64(z uint64) uint64 {
	z = (z ^ z>>32) * 0x4cd6944c5cc20b6d
	z = (z ^ z>>29) * 0xfc12c5b19d3259e9
	return z ^ z>>32
}

// FloorMod is the remainder with the sign of n, as Java's Math.floorMod gives it.
func FloorMod(hash, n int64) int64 { return (hash%n + n) % n }
