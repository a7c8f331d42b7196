package aggs

import (
	"errors"

	gen "postern/generated/aggs"
	"postern/internal/eserr"
	"postern/internal/mapping"
	"postern/internal/segment"
	"postern/internal/sketch"
	"postern/internal/termregexp"
)

// partitionSeed is Elasticsearch's seed of the hash of terms.
const partitionSeed = 31

// inclusion is what include and exclude let through; nil lets everything through.
type inclusion struct {
	include, exclude               map[string]struct{}
	includePattern, excludePattern *termregexp.Automaton
	longs, notLongs                map[int64]struct{}
	doubles, notDoubles            map[float64]struct{}
	partition, partitions          int64
}

func parseInclusion(c *source, a *gen.TermsAggregation, v *values) (*inclusion, error) {
	if a.Include == nil && a.Exclude == nil {
		return nil, nil
	}
	in := &inclusion{}
	if i := a.Include; i != nil {
		switch {
		case i.TermsPartition != nil:
			p := i.TermsPartition
			if p.Partition < 0 || p.Partition >= p.NumPartitions {
				return nil, eserr.IllegalArgument("Partition must be >=0 and < numPartition which is %d", p.NumPartitions)
			}
			if a.Exclude != nil {
				return nil, eserr.IllegalArgument("Cannot specify any excludes when using a partition-based include")
			}
			in.partition, in.partitions = p.Partition, p.NumPartitions
		case i.Text != nil:
			pattern, err := v.pattern(c, *i.Text)
			if err != nil {
				return nil, err
			}
			in.includePattern = pattern
		default:
			if err := v.list(c, i.List, &in.include, &in.longs, &in.doubles); err != nil {
				return nil, err
			}
		}
	}
	if e := a.Exclude; e != nil {
		if e.Text != nil {
			pattern, err := v.pattern(c, *e.Text)
			if err != nil {
				return nil, err
			}
			in.excludePattern = pattern
		} else if err := v.list(c, e.List, &in.exclude, &in.notLongs, &in.notDoubles); err != nil {
			return nil, err
		}
	}
	return in, nil
}

// pattern compiles a regular expression on terms, which only keywords have.
func (v *values) pattern(c *source, text string) (*termregexp.Automaton, error) {
	const only = "Aggregation [%s] cannot support regular expression style include/exclude settings as they can only be applied to string fields. Use an array of "
	switch v.as {
	case mapping.KindLong, mapping.KindDouble:
		return nil, eserr.IllegalArgument(only+"numeric values for include/exclude clauses used to filter numeric fields", c.name)
	case mapping.KindIP:
		return nil, eserr.IllegalArgument(only+"values for include/exclude clauses", c.name)
	}
	const maxLength = 1000
	if len(text) > maxLength {
		return nil, eserr.IllegalArgument("The length of regex [%d] used in the request has exceeded the allowed maximum of [%d]. This maximum can be set by changing the [index.max_regex_length] index level setting.", len(text), maxLength)
	}
	re, err := termregexp.Parse(text)
	if err != nil {
		return nil, eserr.IllegalArgument("%s", err.Error())
	}
	a, err := re.Compile()
	if errors.Is(err, termregexp.ErrTooComplex) {
		return nil, eserr.IllegalArgument("Regular expression [%s] is too complex to determinize", text)
	}
	return a, err
}

// list reads exact values as the field would.
func (v *values) list(c *source, list []string, texts *map[string]struct{}, longs *map[int64]struct{}, doubles *map[float64]struct{}) error {
	*texts, *longs, *doubles = map[string]struct{}{}, map[int64]struct{}{}, map[float64]struct{}{}
	for _, text := range list {
		switch v.as {
		case mapping.KindIP:
			b, err := parseIP(text)
			if err != nil {
				return err
			}
			text = b
		case mapping.KindLong, mapping.KindDouble:
			long, double, err := v.parseNumber(c, text)
			if err != nil {
				return err
			}
			(*longs)[long], (*doubles)[double] = struct{}{}, struct{}{}
		}
		(*texts)[text] = struct{}{}
	}
	return nil
}

func has[K comparable](m map[K]struct{}, k K) bool { _, ok := m[k]; return ok }

func (in *inclusion) text(term []byte) bool {
	switch {
	case in == nil:
		return true
	case in.partitions > 0:
		return sketch.FloorMod(int64(int32(sketch.Murmur3(term, partitionSeed))), in.partitions) == in.partition
	case in.include != nil && !has(in.include, string(term)), in.exclude != nil && has(in.exclude, string(term)):
		return false
	case in.includePattern != nil && !in.includePattern.Match(term):
		return false
	}
	return in.excludePattern == nil || !in.excludePattern.Match(term)
}

func (in *inclusion) long(v int64) bool {
	switch {
	case in == nil:
		return true
	case in.partitions > 0:
		return sketch.FloorMod(int64(sketch.Mix64(uint64(v))), in.partitions) == in.partition
	}
	return (in.longs == nil || has(in.longs, v)) && (in.notLongs == nil || !has(in.notLongs, v))
}

// double asks for the sortable form of a double.
func (in *inclusion) double(key int64) bool {
	switch {
	case in == nil:
		return true
	case in.partitions > 0:
		return in.long(key)
	}
	v := unsortable(key)
	return (in.doubles == nil || has(in.doubles, v)) && (in.notDoubles == nil || !has(in.notDoubles, v))
}

// ordinals marks the terms of a column that pass; nil when all do.
func (in *inclusion) ordinals(k *segment.KeywordColumn) []bool {
	if in == nil {
		return nil
	}
	pass := make([]bool, k.NumTerms())
	for o := range pass {
		pass[o] = in.text(k.TermBytes(uint32(o)))
	}
	return pass
}
