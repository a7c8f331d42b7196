package planner

import "net/netip"

// ipText is an address of 16 bytes as Elasticsearch prints it.
func ipText(raw string) string {
	if len(raw) != 16 {
		return raw
	}
	return netip.AddrFrom16([16]byte([]byte(raw))).Unmap().String()
}
