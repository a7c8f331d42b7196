package planner

import (
	"net/netip"

	"postern/internal/eserr"
)

// ipRaw is the form of an address in columns: 16 bytes.
func ipRaw(text string) (string, *eserr.Error) {
	a, err := netip.ParseAddr(text)
	if err != nil || a.Zone() != "" {
		return "", eserr.IllegalArgument("'%s' is not an IP string literal.", text)
	}
	b := a.As16()
	return string(b[:]), nil
}

// ipText is an address of 16 bytes as Elasticsearch prints it.
func ipText(raw string) string {
	if len(raw) != 16 {
		return raw
	}
	return netip.AddrFrom16([16]byte([]byte(raw))).Unmap().String()
}
