package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// byteSize is a flag such as 512mb or 1g; a bare number counts bytes.
type byteSize int64

func (b *byteSize) UnmarshalText(text []byte) error {
	s := strings.ToLower(strings.TrimSpace(string(text)))
	shift := 0
	for _, u := range []struct {
		suffix string
		shift  int
	}{{"kb", 10}, {"mb", 20}, {"gb", 30}, {"tb", 40}, {"k", 10}, {"m", 20}, {"g", 30}, {"t", 40}, {"b", 0}} {
		if digits, ok := strings.CutSuffix(s, u.suffix); ok {
			s, shift = digits, u.shift
			break
		}
	}
	n, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64>>shift {
		return fmt.Errorf("%q is no size, such as 512mb or 2gb", text)
	}
	*b = byteSize(n << shift)
	return nil
}
