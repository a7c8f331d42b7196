package aggs

import (
	"cmp"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	gen "postern/generated/aggs"
	"postern/internal/eserr"
	"postern/internal/mapping"
)

// ipRanges is ranges of addresses, from one on and below another.
type ipRanges struct {
	v      *values
	bounds []ipRange
	keyed  bool
}

// ipRange has addresses of 16 bytes; an empty one is an open side.
type ipRange struct{ key, from, to string }

type ipRangesResult struct {
	*ipRanges
	answered
	n     *node
	cells []*bucket
}

func parseIPRange(c *source) (aggregator, error) {
	a := c.a.IPRange
	v, err := c.values(wanted{field: a.Field, missing: a.Missing, only: mapping.KindIP, unmapped: mapping.KindIP})
	if err != nil {
		return nil, err
	}
	out := &ipRanges{v: v, keyed: a.Keyed != nil && *a.Keyed}
	if len(a.Ranges) == 0 {
		return nil, eserr.IllegalArgument("No [ranges] specified for the [%s] aggregation", c.name)
	}
	for i := range a.Ranges {
		one, err := ipRangeOf(&a.Ranges[i])
		if err != nil {
			return nil, err
		}
		out.bounds = append(out.bounds, one)
	}
	slices.SortStableFunc(out.bounds, func(a, b ipRange) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(btoi(a.to == ""), btoi(b.to == "")), cmp.Compare(a.to, b.to))
	})
	return out, nil
}

// ipRangeOf reads one range: a mask, or two bounds.
func ipRangeOf(a *gen.IpRangeAggregationRange) (one ipRange, err error) {
	shown := func(bound string) string {
		if bound == "" {
			return "*"
		}
		return ipText([]byte(bound))
	}
	switch {
	case a.Mask != nil:
		if one.from, one.to, err = maskOf(*a.Mask); err != nil {
			return one, err
		}
		one.key = *a.Mask
	default:
		for _, side := range []struct {
			text *string
			into *string
		}{{a.From, &one.from}, {a.To, &one.to}} {
			if side.text == nil {
				continue
			}
			if *side.into, err = parseIP(*side.text); err != nil {
				return one, err
			}
		}
		one.key = shown(one.from) + "-" + shown(one.to)
	}
	if a.Key != nil {
		one.key = *a.Key
	}
	return one, nil
}

// maskOf reads a CIDR block: the first address of it, and the first after it.
func maskOf(text string) (from, to string, err error) {
	address, length, ok := strings.Cut(text, "/")
	if !ok {
		return "", "", eserr.IllegalArgument("Expected [ip/prefix] but was [%s]", text)
	}
	a, err := netip.ParseAddr(address)
	if err != nil || a.Zone() != "" {
		return "", "", eserr.IllegalArgument("'%s' is not an IP string literal.", address)
	}
	bits, err := strconv.Atoi(length)
	if err != nil {
		return "", "", eserr.NumberFormat("For input string: \"" + length + "\"")
	}
	if bits < 0 || bits > a.BitLen() {
		return "", "", eserr.IllegalArgument("Illegal prefix length [%d] in [%s]. Must be 0-32 for IPv4 ranges, 0-128 for IPv6 ranges", bits, text)
	}
	low := a.As16()
	keepBits(low[:], 128-a.BitLen()+bits)
	first := low
	if at := 128 - a.BitLen() + bits - 1; at >= 0 {
		if !addBit(low[:], at) {
			return lowest(first), "", nil
		}
		return lowest(first), string(low[:]), nil
	}
	return "", "", nil
}

// lowest is a bound, open where nothing lies below it.
func lowest(b [16]byte) string {
	if b == [16]byte{} {
		return ""
	}
	return string(b[:])
}

// keepBits clears all but the first bits.
func keepBits(b []byte, n int) {
	for i := range b {
		switch {
		case n >= 8*(i+1):
		case n <= 8*i:
			b[i] = 0
		default:
			b[i] &= 0xFF << (8*(i+1) - n)
		}
	}
}

// addBit adds one at a bit; ok is false when that overflows.
func addBit(b []byte, at int) (ok bool) {
	add := byte(1) << (7 - at%8)
	for i := at / 8; i >= 0; i-- {
		b[i] += add
		if b[i] >= add {
			return true
		}
		add = 1
	}
	return false
}

func (a *ipRanges) empty(n *node) result {
	out := &ipRangesResult{ipRanges: a, n: n, cells: make([]*bucket, len(a.bounds))}
	for i := range out.cells {
		out.cells[i] = newBucket(n.subs)
	}
	return out
}

func (r *ipRange) holds(address string) bool {
	return address >= r.from && (r.to == "" || address < r.to)
}

func (r *ipRangesResult) collect(x *collector, s *selection) error {
	k := r.v.keyword(s.seg)
	for i := range r.bounds {
		b := &r.bounds[i]
		list := make([]uint32, 0, s.len())
		if k != nil {
			low, high := k.LowerBound(b.from), uint32(k.NumTerms())
			if b.to != "" {
				high = k.LowerBound(b.to)
			}
			for _, d := range s.docs() {
				if slices.ContainsFunc(k.Ords(d), func(ord uint32) bool { return ord >= low && ord < high }) {
					list = append(list, d)
				}
			}
		}
		if r.v.hasMissing() && b.holds(r.v.missingText) {
			list = append(list, r.v.without(s).docs()...)
			slices.Sort(list)
		}
		if err := r.cells[i].collect(x, &selection{seg: s.seg, list: list}); err != nil {
			return err
		}
	}
	return nil
}

func (r *ipRangesResult) merge(other result) {
	for i, b := range other.(*ipRangesResult).cells {
		r.cells[i].merge(b)
	}
}

func (r *ipRangesResult) reduce()                        { r.all(r.cells) }
func (r *ipRangesResult) keyText(b *answerBucket) string { return r.bounds[b.long].key }

func (r *ipRangesResult) appendBody(w *writer) {
	r.reduce()
	var keyed func(int) string
	if r.keyed {
		keyed = func(i int) string { return r.keyText(&r.buckets[i]) }
	}
	w.bucketList(len(r.buckets), keyed, func(i int) {
		one := r.bounds[r.buckets[i].long]
		if !r.keyed {
			w.string("key", one.key)
		}
		if one.from != "" {
			w.string("from", ipText([]byte(one.from)))
		}
		if one.to != "" {
			w.string("to", ipText([]byte(one.to)))
		}
		w.bucket(r.n, r.buckets[i].bucket)
	})
}

func (r *ipRangesResult) prefix() string { return "ip_range" }

// checkIPRange finds bounds that are none, whatever the index.
func checkIPRange(a *gen.IpRangeAggregation) error {
	for i := range a.Ranges {
		if _, err := ipRangeOf(&a.Ranges[i]); err != nil {
			return err
		}
	}
	return nil
}
