package segment

import "slices"

// VectorColumn holds one vector a document, all of the same number of dimensions.
type VectorColumn struct {
	docSet
	dims int
	docs []uint32
	flat []float32
}

// Dims is the number of dimensions.
func (v *VectorColumn) Dims() int { return v.dims }

// Docs are the documents that have a vector, ascending; the i-th one's vector is At(i).
func (v *VectorColumn) Docs() []uint32 { return v.docs }

// At is the i-th vector; it must not be changed.
func (v *VectorColumn) At(i int) []float32 { return v.flat[i*v.dims : (i+1)*v.dims : (i+1)*v.dims] }

// Of is a document's vector, nil when it has none.
func (v *VectorColumn) Of(doc uint32) []float32 {
	i, ok := slices.BinarySearch(v.docs, doc)
	if !ok {
		return nil
	}
	return v.At(i)
}

// Bytes is what the column occupies in memory.
func (v *VectorColumn) Bytes() int64 {
	return v.docSet.bytes() + int64(4*(len(v.docs)+len(v.flat)))
}

type vectorRows struct {
	docs []uint32
	flat []float32
}

func (r *vectorRows) add(doc uint32, v []float32) {
	r.docs = append(r.docs, doc)
	r.flat = append(r.flat, v...)
}

func (r vectorRows) build(n int) *VectorColumn {
	v := &VectorColumn{dims: len(r.flat) / len(r.docs), docs: slices.Clone(r.docs), flat: slices.Clone(r.flat)}
	v.docSet.init(r.docs, n)
	return v
}
