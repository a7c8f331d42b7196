package query

import (
	"bytes"
	"slices"
	"strconv"
)

// Keys are written as name(part,part,…); strings are quoted, so that no value can
// look like structure.

func appendQuoted(dst []byte, s string) []byte { return strconv.AppendQuote(dst, s) }

func appendFloat32(dst []byte, f float32) []byte {
	return strconv.AppendFloat(dst, float64(f), 'g', -1, 32)
}

// appendNodes appends the keys of nodes in their order, which shows in the last bits of a
// sum of scores.
func appendNodes(dst []byte, nodes []Node) []byte {
	dst = append(dst, '[')
	for i, n := range nodes {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = n.AppendKey(dst)
	}
	return append(dst, ']')
}

// appendNodeSet appends the keys of nodes whose order and number mean nothing.
func appendNodeSet(dst []byte, nodes []Node) []byte {
	keys := make([][]byte, len(nodes))
	for i, n := range nodes {
		keys[i] = n.AppendKey(nil)
	}
	slices.SortFunc(keys, bytes.Compare)
	keys = slices.CompactFunc(keys, bytes.Equal)
	dst = append(dst, '[')
	dst = append(dst, bytes.Join(keys, []byte{','})...)
	return append(dst, ']')
}
