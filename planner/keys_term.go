package planner

import (
	"strings"

	"postern/internal/segment"
	"postern/planner/query"
)

// Keys of terms are ordinals, spread so that terms which the dictionary does not have
// find places between two of them: that of the missing option, and a cursor's on
// either side of it.

func ordKey(ord uint32) uint64 { return uint64(ord)*4 + 4 }

// openTermKeys prepares a sort field of keywords or addresses for a segment.
func openTermKeys(x *query.Exec, f *sortField, s *segment.Segment) (keyReader, error) {
	if len(f.steps) > 0 {
		return openNestedTermKeys(x, f, s)
	}
	c := s.Keyword(f.field)
	if c == nil {
		return missingKeys{f}, nil
	}
	k := termKeys{f: f, c: c}
	k.missing = k.missingKey()
	if c.Single() {
		return singleTermKeys{k, c.OrdOf()}, nil
	}
	return k, nil
}

// termKeys is a column in which documents may have several terms.
type termKeys struct {
	f       *sortField
	c       *segment.KeywordColumn
	missing uint64
}

func (k termKeys) missingKey() uint64 {
	switch {
	case k.f.given:
		return k.after(k.f.missing)
	case k.f.missingFirst:
		return firstKey
	}
	return lastKey
}

func (k termKeys) read(docs []uint32, out []uint64, stride int) {
	flip := k.f.flip()
	for i, d := range docs {
		ords := k.c.Ords(d)
		switch {
		case len(ords) == 0:
			out[i*stride] = k.missing
		case k.f.mode == modeMax:
			out[i*stride] = ordKey(ords[len(ords)-1]) ^ flip
		default:
			out[i*stride] = ordKey(ords[0]) ^ flip
		}
	}
}

func (k termKeys) value(key uint64) sortValue {
	if key == k.missing {
		if !k.f.given {
			return sortValue{}
		}
		return k.f.missing
	}
	return sortValue{kind: stringValue, s: k.c.Term(uint32(((key ^ k.f.flip()) - 4) / 4))}
}

func (k termKeys) after(v sortValue) uint64 {
	if v.kind != stringValue {
		if k.f.missingFirst {
			return firstKey
		}
		return lastKey
	}
	ord, ok := k.c.Lookup(v.s)
	if ok {
		return ordKey(ord) ^ k.f.flip()
	}
	side := uint64(2)
	if k.f.given {
		side += uint64(strings.Compare(v.s, k.f.missing.s))
	}
	return (uint64(ord)*4 + side) ^ k.f.flip()
}

// singleTermKeys is a column with at most one term a document.
type singleTermKeys struct {
	termKeys
	ordOf []uint32
}

func (k singleTermKeys) read(docs []uint32, out []uint64, stride int) {
	flip := k.f.flip()
	for i, d := range docs {
		if o := k.ordOf[d]; o != segment.NoOrd {
			out[i*stride] = ordKey(o) ^ flip
		} else {
			out[i*stride] = k.missing
		}
	}
}
