package aggs

import (
	"net/netip"
	"testing"
)

// The first address of a block is in it, the one before the second bound is its last.
func FuzzMask(f *testing.F) {
	for _, s := range []string{"10.0.0.0/8", "::/0", "0.0.0.0/0", "255.255.255.255/32", "2001:db8::/32", "ffff::/1", "1.2.3.4/33", "x", "1.2.3.4"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		from, to, err := maskOf(text)
		if err != nil || from == "" {
			return
		}
		p, err := netip.ParsePrefix(text)
		if err != nil {
			return // Java takes lengths such as +8
		}
		first, _ := netip.AddrFromSlice([]byte(from))
		if first.Unmap() != p.Masked().Addr().Unmap() {
			t.Errorf("%s begins at %s", text, first)
		}
		if to == "" {
			return
		}
		next, _ := netip.AddrFromSlice([]byte(to))
		if last := next.Prev().Unmap(); !p.Contains(last) && p.Addr().Is4() == last.Is4() {
			t.Errorf("%s ends at %s", text, last)
		}
	})
}
