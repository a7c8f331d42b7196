package segment

import "slices"

// GeoColumn holds points in degrees; a document may have several.
type GeoColumn struct {
	docSet
	offsets  []uint32
	lat, lon []float64
}

// Points are a document's points in the order of the source; they must not be changed.
func (g *GeoColumn) Points(doc uint32) (lat, lon []float64) {
	from, to := g.offsets[doc], g.offsets[doc+1]
	return g.lat[from:to], g.lon[from:to]
}

// Bytes is what the column occupies in memory.
func (g *GeoColumn) Bytes() int64 {
	return g.docSet.bytes() + int64(4*len(g.offsets)+8*(len(g.lat)+len(g.lon)))
}

type geoRows struct {
	docs     []uint32
	lat, lon []float64
}

func (r *geoRows) add(doc uint32, lat, lon float64) {
	r.docs, r.lat, r.lon = append(r.docs, doc), append(r.lat, lat), append(r.lon, lon)
}

func (r geoRows) build(n int) *GeoColumn {
	g := &GeoColumn{offsets: offsetsOf(r.docs, n), lat: slices.Clone(r.lat), lon: slices.Clone(r.lon)}
	g.docSet.init(r.docs, n)
	return g
}

// offsetsOf gives where each document's entries begin in a list ordered by document.
func offsetsOf(docs []uint32, n int) []uint32 {
	offsets := make([]uint32, n+1)
	for _, d := range docs {
		offsets[d+1]++
	}
	for i := range n {
		offsets[i+1] += offsets[i]
	}
	return offsets
}
