package planner

import "math"

// Sort keys are uint64s in the order of the values they stand for.

const signBit = 1 << 63

func keyOfLong(v int64) uint64 { return uint64(v) ^ signBit }

func longOfKey(k uint64) int64 { return int64(k ^ signBit) }

// keyOfDouble orders as Java's Double.compare: -0.0 before 0.0, NaN last.
func keyOfDouble(f float64) uint64 {
	b := math.Float64bits(f)
	if b&signBit != 0 {
		return ^b
	}
	return b | signBit
}

func doubleOfKey(k uint64) float64 {
	if k&signBit != 0 {
		return math.Float64frombits(k &^ signBit)
	}
	return math.Float64frombits(^k)
}
