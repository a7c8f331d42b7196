package aggs

import (
	"net/netip"
	"strconv"

	"postern/internal/eserr"
	"postern/internal/mapping"
)

// ipPrefix is the networks of a field's addresses.
type ipPrefix struct {
	v                 *values
	length            int
	v6, append, keyed bool
	minCount          int64
}

// ipPrefixResult holds buckets by the network's address: four bytes, or sixteen.
type ipPrefixResult struct {
	*ipPrefix
	answered
	n     *node
	cells map[string]*bucket
}

func parseIPPrefix(c *source) (aggregator, error) {
	a := c.a.IPPrefix
	v, err := c.values(wanted{field: &a.Field, missing: a.Missing, only: mapping.KindIP, unmapped: mapping.KindIP})
	if err != nil {
		return nil, err
	}
	yes := func(b *bool) bool { return b != nil && *b }
	out := &ipPrefix{v: v, length: a.PrefixLength, v6: yes(a.IsIpv6), append: yes(a.AppendPrefixLength), keyed: yes(a.Keyed), minCount: 1}
	if a.MinDocCount != nil {
		out.minCount = *a.MinDocCount
	}
	most := 32
	if out.v6 {
		most = 128
	}
	if out.length < 0 || out.length > most {
		return nil, eserr.IllegalArgument("[prefix_length] must be in range [0, %d] while value is [%d]", most, out.length)
	}
	return out, nil
}

func (a *ipPrefix) empty(n *node) result {
	return &ipPrefixResult{ipPrefix: a, n: n, cells: map[string]*bucket{}}
}

// network is that of an address of sixteen bytes. Of one that is not of the asked
// version Elasticsearch takes the bytes that stand in the same place.
func (a *ipPrefix) network(address []byte) string {
	var b [16]byte
	copy(b[:], address)
	part := b[:]
	if !a.v6 {
		part = b[12:]
	}
	keepBits(part, a.length)
	return string(part)
}

func (r *ipPrefixResult) find(network string) *bucket {
	b := r.cells[network]
	if b == nil {
		b = newBucket(r.n.subs)
		r.cells[network] = b
	}
	return b
}

func (r *ipPrefixResult) collect(x *collector, s *selection) error {
	if k := r.v.keyword(s.seg); k != nil {
		// Networks are numbered once a term, documents then by number.
		numbers, networks := map[string]int32{}, []string(nil)
		of := make([]int32, k.NumTerms())
		for ord := range of {
			network := r.network(k.TermBytes(uint32(ord)))
			n, ok := numbers[network]
			if !ok {
				n = int32(len(networks))
				numbers[network], networks = n, append(networks, network)
			}
			of[ord] = n
		}
		docs, group := make([]uint32, 0, s.len()), make([]int32, 0, s.len())
		for _, d := range s.docs() {
			for _, ord := range k.Ords(d) {
				docs, group = append(docs, d), append(group, of[ord])
			}
		}
		err := x.collectGroups(s, docs, group, len(networks), len(r.n.subs) > 0, func(g int) *bucket { return r.find(networks[g]) })
		if err != nil {
			return err
		}
	}
	if !r.v.hasMissing() {
		return nil
	}
	without := r.v.without(s)
	if without.len() == 0 {
		return nil
	}
	return r.find(r.network([]byte(r.v.missingText))).collect(x, without)
}

func (r *ipPrefixResult) merge(other result) {
	mergeMaps(r.cells, other.(*ipPrefixResult).cells, r.n.subs)
}

func (r *ipPrefixResult) reduce() {
	if r.begin() {
		r.texts(sorted(r.cells, order{{by: byKey}}, r.minCount))
	}
}

func (r *ipPrefixResult) keyText(b *answerBucket) string {
	text := ipText([]byte(b.text))
	if r.append {
		text += "/" + strconv.Itoa(r.length)
	}
	return text
}

func (r *ipPrefixResult) appendBody(w *writer) {
	r.reduce()
	var keyed func(int) string
	if r.keyed {
		keyed = func(i int) string { return r.keyText(&r.buckets[i]) }
	}
	w.bucketList(len(r.buckets), keyed, func(i int) {
		if !r.keyed {
			w.string("key", r.keyText(&r.buckets[i]))
		}
		if !r.v6 {
			mask := [4]byte{255, 255, 255, 255}
			keepBits(mask[:], r.length)
			w.string("netmask", netip.AddrFrom4(mask).String())
		}
		w.int("doc_count", r.buckets[i].count)
		w.bool("is_ipv6", r.v6)
		w.int("prefix_length", int64(r.length))
		w.bucketSubs(r.n, r.buckets[i].bucket, r.n.hashed)
	})
}

func (r *ipPrefixResult) prefix() string { return "ip_prefix" }
