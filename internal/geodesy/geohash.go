package geodesy

import "math"

// MaxHash is the length of the longest geohash.
const MaxHash = 12

const hashDigits = "0123456789bcdefghjkmnpqrstuvwxyz"

// Hash is the geohash cell of a point: five bits a digit.
func Hash(p Point, digits int) uint64 {
	lat, lon := uint32(latBits(p.Lat))^1<<31, uint32(lonBits(p.Lon))^1<<31
	return (spread(lon)<<1 | spread(lat)) >> (64 - 5*digits)
}

// spread puts a zero before each bit.
func spread(v uint32) uint64 {
	x := uint64(v)
	x = (x | x<<16) & 0x0000FFFF0000FFFF
	x = (x | x<<8) & 0x00FF00FF00FF00FF
	x = (x | x<<4) & 0x0F0F0F0F0F0F0F0F
	x = (x | x<<2) & 0x3333333333333333
	return (x | x<<1) & 0x5555555555555555
}

// HashText is the text of a geohash.
func HashText(hash uint64, digits int) string {
	var text [MaxHash]byte
	for i := digits - 1; i >= 0; i-- {
		text[i] = hashDigits[hash&31]
		hash >>= 5
	}
	return string(text[:digits])
}

// HashBox is the area of a geohash.
func HashBox(hash uint64, digits int) Box {
	bits := 5 * digits
	var lat, lon uint64
	for i := bits - 1; i >= 0; i-- {
		b := hash >> i & 1
		if (bits-1-i)%2 == 0 {
			lon = lon<<1 | b
		} else {
			lat = lat<<1 | b
		}
	}
	height, width := math.Ldexp(180, -bits/2), math.Ldexp(360, -(bits+1)/2)
	return Box{Bottom: -90 + float64(lat)*height, Top: -90 + float64(lat+1)*height, Left: -180 + float64(lon)*width, Right: -180 + float64(lon+1)*width}
}

// HashFor is the length of the geohashes that a distance in metres asks for, as
// Elasticsearch's geoHashLevelsForPrecision computes it.
func HashFor(metres float64) int {
	if metres == 0 {
		return MaxHash
	}
	const equator, polar = 2 * math.Pi * 6_378_137.0, math.Pi * 6_356_752.314245
	width := metres / (1 + polar/equator)
	bits := math.Ceil(math.Log2(math.Ceil(equator / width))) // of the longitude, which has the odd one
	return int(math.Max(1, math.Ceil((2*bits-1)/5)))
}
