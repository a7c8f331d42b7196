package mapping

import (
	"math"
	"strconv"
	"strings"

	"postern/internal/eserr"
)

// BM25 are the parameters of a field's scoring.
type BM25 struct{ K1, B float32 }

// DefaultBM25 are Lucene's own.
func DefaultBM25() BM25 { return BM25{1.2, 0.75} }

// similarities reads index.similarity.NAME.PARAMETER settings, of which it is given one at
// a time.
type similarities struct {
	byName map[string]BM25
	types  map[string]string
}

func (s *similarities) set(name, value string) error {
	name, ok := strings.CutPrefix(name, "index.similarity.")
	if !ok {
		return nil
	}
	name, param, _ := strings.Cut(name, ".")
	if s.byName == nil {
		s.byName, s.types = map[string]BM25{}, map[string]string{}
	}
	p, known := s.byName[name]
	if !known {
		p = DefaultBM25()
	}
	switch param {
	case "type":
		if value != "BM25" {
			return eserr.Refused("the similarity [%s] of type [%s] is not supported, only those of type [BM25] are", name, value)
		}
		s.types[name] = value
	case "discount_overlaps": // no analyzer here puts two terms in one place
	case "k1", "b":
		f, err := strconv.ParseFloat(value, 32)
		if err != nil {
			return eserr.IllegalArgument("Failed to parse value [%s] for setting [index.similarity.%s.%s]", value, name, param)
		}
		switch {
		case param == "k1" && (f < 0 || math.IsInf(f, 0) || math.IsNaN(f)):
			return eserr.IllegalArgument("illegal k1 value: %v, must be a non-negative finite value", float32(f))
		case param == "b" && !(f >= 0 && f <= 1):
			return eserr.IllegalArgument("illegal b value: %v, must be between 0 and 1", float32(f))
		case param == "k1":
			p.K1 = float32(f)
		default:
			p.B = float32(f)
		}
	default:
		return eserr.IllegalArgument("Unknown settings for similarity of type [BM25]: [%s]", param)
	}
	s.byName[name] = p
	return nil
}

// done checks that every similarity has a type.
func (s *similarities) done() (map[string]BM25, error) {
	for name := range s.byName {
		if s.types[name] == "" {
			return nil, eserr.IllegalArgument("Similarity [%s] must have an associated type", name)
		}
	}
	return s.byName, nil
}

// bm25 are the parameters that a field's similarity stands for.
func (o *Options) bm25(similarity setting) BM25 {
	name := "default"
	if similarity.given {
		name = similarity.text
	}
	if p, ok := o.Similarities[name]; ok {
		return p
	}
	return DefaultBM25()
}
