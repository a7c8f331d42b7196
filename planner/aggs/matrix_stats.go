package aggs

import (
	"math"

	gen "postern/generated/aggs"
	"postern/internal/javamap"
	"postern/internal/jsonx"
)

// matrixStats is the moments of several fields and how they vary together, over the
// documents that have all of them.
type matrixStats struct {
	names  []string
	fields []*values
	mode   gen.SortMode
}

// matrixResult keeps running moments, which take one pass (Pébay, Formulas for robust,
// one-pass parallel computation of covariances and arbitrary-order statistical moments,
// 2008).
type matrixResult struct {
	*matrixStats
	count   int64
	moments []moments
	deltas  []float64
	// together[i][j], j < i, is the sum of the products of two fields' deviations.
	together [][]float64
}

// moments are the mean and the sums of the second to fourth powers of the deviations.
type moments struct{ sum, mean, m2, m3, m4 float64 }

func parseMatrixStats(c *source) (aggregator, error) {
	a := c.a.MatrixStats
	out := &matrixStats{mode: a.Mode}
	order := javamap.Order(a.Fields)
	for _, i := range order {
		name := a.Fields[i]
		f, err := c.fieldOf(name)
		if err != nil {
			return nil, err
		}
		if f == nil {
			continue // as if it had not been asked for
		}
		w := wanted{field: &name}
		for _, m := range a.Missing {
			if m.Key == name {
				w.missing = jsonx.MustParse(javaDouble(m.Value))
			}
		}
		v, err := c.numbers(w)
		if err != nil {
			return nil, err
		}
		out.names, out.fields = append(out.names, name), append(out.fields, v)
	}
	return out, nil
}

func (a *matrixStats) empty(*node) result {
	r := &matrixResult{matrixStats: a, moments: make([]moments, len(a.fields)), together: make([][]float64, len(a.fields))}
	for i := range r.together {
		r.together[i] = make([]float64, i)
	}
	return r
}

func (r *matrixResult) collect(x *collector, s *selection) error {
	if len(r.fields) == 0 {
		return nil
	}
	docs := s.docs()
	columns := make([][]float64, len(r.fields)) // one value a document, NaN without one
	for i, v := range r.fields {
		of, vals := x.readDoubles(v, s)
		column := make([]float64, len(docs))
		at := 0
		for j, d := range docs {
			from := at
			for at < len(of) && of[at] == d {
				at++
			}
			column[j] = r.one(vals[from:at])
		}
		columns[i] = column
	}
	row := make([]float64, len(columns))
	for j := range docs {
		whole := true
		for i, column := range columns {
			row[i] = column[j]
			whole = whole && !math.IsNaN(row[i])
		}
		if whole {
			r.add(row)
		}
	}
	return nil
}

// one is the value that stands for several; vals ascend.
func (r *matrixResult) one(vals []float64) float64 {
	n := len(vals)
	switch {
	case n == 0:
		return math.NaN()
	case n == 1 || r.mode == gen.SortModeMin:
		return vals[0]
	case r.mode == gen.SortModeMax:
		return vals[n-1]
	case r.mode == gen.SortModeMedian:
		return (vals[(n-1)/2] + vals[n/2]) / 2
	}
	sum := 0.0
	for _, v := range vals {
		sum += v
	}
	if r.mode == gen.SortModeSum {
		return sum
	}
	return sum / float64(n)
}

func (r *matrixResult) add(row []float64) {
	r.count++
	n := float64(r.count)
	deltas := r.deltas[:0]
	for i, v := range row {
		m := &r.moments[i]
		m.sum += v
		deltas = append(deltas, v*n-m.sum)
		if r.count == 1 {
			m.mean = v
			continue
		}
		d := v - m.mean
		dn := d / n
		t := d * dn * (n - 1)
		m.mean += dn
		m.m4 += t*dn*dn*(n*n-3*n+3) + 6*dn*dn*m.m2 - 4*dn*m.m3
		m.m3 += t*dn*(n-2) - 3*dn*m.m2
		m.m2 += t
	}
	r.deltas = deltas
	if r.count == 1 {
		return
	}
	for i := range row {
		for j := range i {
			r.together[i][j] += 1 / (n * (n - 1)) * deltas[i] * deltas[j]
		}
	}
}

func (r *matrixResult) merge(other result) {
	o := other.(*matrixResult)
	if o.count == 0 {
		return
	}
	if r.count == 0 {
		*r = *o
		return
	}
	na, nb := float64(r.count), float64(o.count)
	n := na + nb
	for i := range r.together {
		for j := range i {
			di, dj := o.moments[i].mean-r.moments[i].mean, o.moments[j].mean-r.moments[j].mean
			r.together[i][j] += o.together[i][j] + di*dj*na*nb/n
		}
	}
	for i := range r.moments {
		a, b := &r.moments[i], &o.moments[i]
		d := b.mean - a.mean
		m4 := a.m4 + b.m4 + d*d*d*d*na*nb*(na*na-na*nb+nb*nb)/(n*n*n) + 6*d*d*(na*na*b.m2+nb*nb*a.m2)/(n*n) + 4*d*(na*b.m3-nb*a.m3)/n
		m3 := a.m3 + b.m3 + d*d*d*na*nb*(na-nb)/(n*n) + 3*d*(na*b.m2-nb*a.m2)/n
		a.m2, a.m3, a.m4 = a.m2+b.m2+d*d*na*nb/n, m3, m4
		a.mean, a.sum = (na*a.mean+nb*b.mean)/n, a.sum+b.sum
	}
	r.count += o.count
}

func (r *matrixResult) covariance(i, j int) float64 {
	switch {
	case i == j:
		return r.moments[i].m2 / float64(r.count-1)
	case i < j:
		i, j = j, i
	}
	return r.together[i][j] / float64(r.count-1)
}

func (r *matrixResult) appendBody(w *writer) {
	w.int("doc_count", r.count)
	if r.count == 0 {
		return
	}
	n := float64(r.count)
	w.name("fields")
	w.braces('[', ']', func() {
		for i, name := range r.names {
			m := &r.moments[i]
			w.item(func() {
				w.string("name", name)
				w.int("count", r.count)
				w.float("mean", m.mean)
				w.float("variance", m.m2/(n-1))
				w.float("skewness", math.Sqrt(n)*m.m3/math.Pow(m.m2, 1.5))
				w.float("kurtosis", n*m.m4/(m.m2*m.m2))
				w.object("covariance", func() { r.row(w, func(j int) float64 { return r.covariance(i, j) }) })
				w.object("correlation", func() {
					r.row(w, func(j int) float64 {
						if i == j {
							return 1
						}
						return r.covariance(i, j) / (math.Sqrt(r.covariance(i, i)) * math.Sqrt(r.covariance(j, j)))
					})
				})
			})
		}
	})
}

func (r *matrixResult) row(w *writer, of func(j int) float64) {
	for j, name := range r.names {
		w.float(name, of(j))
	}
}

func (r *matrixResult) prefix() string { return "matrix_stats" }
