package versus

import (
	"context"

	"postern/conformance/jsontree"
)

// mostTries bounds how often shrinking asks.
const mostTries = 400

// shrink removes documents and parts of the request as long as the answers still differ
// in the same kind of way.
func (e *Engines) shrink(ctx context.Context, d Difference) (Difference, error) {
	tries := 0
	kind := kindOf(d.What, d.Request)
	still := func(w World, q Request, reload bool) (bool, error) {
		if tries++; tries > mostTries {
			return false, nil
		}
		if reload {
			if err := e.load(ctx, w); err != nil {
				return false, err
			}
		}
		right, tested, err := e.ask(ctx, q)
		if err != nil {
			return false, err
		}
		what := differ(right, tested)
		if what == "" || kindOf(what, q) != kind {
			return false, nil
		}
		d = Difference{w, q, right, tested, what}
		return true, nil
	}
	if err := e.load(ctx, d.World); err != nil {
		return d, err
	}
	if err := smallerRequest(d, still); err != nil {
		return d, err
	}
	for size := (len(d.World.Documents) + 1) / 2; size > 0; size /= 2 {
		for at := 0; at < len(d.World.Documents); {
			w := World{d.World.Mapping, without(d.World.Documents, at, min(at+size, len(d.World.Documents)))}
			ok, err := still(w, d.Request, true)
			if err != nil {
				return d, err
			}
			if !ok {
				at += size
			}
		}
	}
	if err := e.load(ctx, d.World); err != nil {
		return d, err
	}
	return d, smallerRequest(d, still)
}

func without(list []string, from, to int) []string {
	return append(append([]string(nil), list[:from]...), list[to:]...)
}

// smallerRequest drops members and elements, from outside in, until none can go.
func smallerRequest(d Difference, still func(World, Request, bool) (bool, error)) error {
	v, err := jsontree.Parse([]byte(d.Request.Body))
	if err != nil {
		return nil // no JSON is as small as it is
	}
	for again := true; again; {
		again = false
		for i := 0; ; i++ {
			n := i
			smaller, dropped := drop(v, &n)
			if !dropped {
				break
			}
			ok, err := still(d.World, Request{d.Request.Query, jsontree.Compact(smaller)}, false)
			if err != nil {
				return err
			}
			if ok {
				v, again = smaller, true
				i--
			}
		}
	}
	return nil
}

// drop is v without its n-th member or element, counted from outside in.
func drop(v jsontree.Value, n *int) (jsontree.Value, bool) {
	switch v := v.(type) {
	case jsontree.Object:
		for i := range v {
			if *n == 0 {
				return append(append(jsontree.Object{}, v[:i]...), v[i+1:]...), true
			}
			*n--
		}
		for i := range v {
			if inner, ok := drop(v[i].Value, n); ok {
				out := append(jsontree.Object{}, v...)
				out[i].Value = inner
				return out, true
			}
		}
	case jsontree.Array:
		for i := range v {
			if *n == 0 {
				return append(append(jsontree.Array{}, v[:i]...), v[i+1:]...), true
			}
			*n--
		}
		for i := range v {
			if inner, ok := drop(v[i], n); ok {
				out := append(jsontree.Array{}, v...)
				out[i] = inner
				return out, true
			}
		}
	}
	return v, false
}
