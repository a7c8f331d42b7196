package aggs

import (
	"hash/fnv"
	"regexp"
	"strconv"
	"strings"

	gen "postern/generated/aggs"
	"postern/internal/eserr"
	"postern/internal/mapping"
	"postern/internal/segment"
)

// inclusion is what include and exclude let through; nil lets everything through.
type inclusion struct {
	include, exclude             map[string]struct{}
	includeRegexp, excludeRegexp *regexp.Regexp
	longs, notLongs              map[int64]struct{}
	doubles, notDoubles          map[float64]struct{}
	partition, partitions        uint64
}

func parseFloat(text string) (float64, error) { return strconv.ParseFloat(text, 64) }

func parseInclusion(c *source, a *gen.TermsAggregation, v *values) (*inclusion, error) {
	if a.Include == nil && a.Exclude == nil {
		return nil, nil
	}
	in := &inclusion{}
	numeric := v.field != nil && (v.field.Kind == mapping.KindLong || v.field.Kind == mapping.KindDouble)
	regex := func(text string) (*regexp.Regexp, error) {
		if numeric {
			return nil, eserr.IllegalArgument("Aggregation [%s] cannot support regular expression style include/exclude settings as they can only be applied to string fields. Use an array of numeric values for include/exclude clauses used to filter numeric fields", c.name)
		}
		return compileRegexp(text)
	}
	if i := a.Include; i != nil {
		switch {
		case i.TermsPartition != nil:
			p := i.TermsPartition
			if p.NumPartitions < 1 || p.Partition < 0 || p.Partition >= p.NumPartitions {
				return nil, eserr.IllegalArgument("Partition must be >= 0 and < num_partitions")
			}
			in.partition, in.partitions = uint64(p.Partition), uint64(p.NumPartitions)
		case i.Text != nil:
			re, err := regex(*i.Text)
			if err != nil {
				return nil, err
			}
			in.includeRegexp = re
		default:
			if err := in.list(i.List, v, &in.include, &in.longs, &in.doubles); err != nil {
				return nil, err
			}
		}
	}
	if e := a.Exclude; e != nil {
		if e.Text != nil {
			re, err := regex(*e.Text)
			if err != nil {
				return nil, err
			}
			in.excludeRegexp = re
		} else if err := in.list(e.List, v, &in.exclude, &in.notLongs, &in.notDoubles); err != nil {
			return nil, err
		}
	}
	return in, nil
}

// list reads exact values as the field would.
func (in *inclusion) list(list []string, v *values, texts *map[string]struct{}, longs *map[int64]struct{}, doubles *map[float64]struct{}) error {
	*texts, *longs, *doubles = map[string]struct{}{}, map[int64]struct{}{}, map[float64]struct{}{}
	for _, text := range list {
		switch {
		case v.field != nil && v.field.Kind == mapping.KindIP:
			b, err := parseIP(text)
			if err != nil {
				return err
			}
			text = b
		case v.format.dates != nil:
			at, err := v.format.dates.Parse(text, v.format.zone)
			if err != nil {
				return err
			}
			(*longs)[at.Millis()] = struct{}{}
		default:
			d := doubleOf(&v.format, text)
			(*doubles)[d] = struct{}{}
			if n, err := strconv.ParseInt(text, 10, 64); err == nil {
				(*longs)[n] = struct{}{}
			} else if isWhole(d) {
				(*longs)[int64(d)] = struct{}{}
			}
		}
		(*texts)[text] = struct{}{}
	}
	return nil
}

// compileRegexp compiles one of Lucene's regular expressions, which match whole terms.
// The operators that Lucene has and RE2 has not are refused by name.
func compileRegexp(text string) (*regexp.Regexp, error) {
	const maxLength = 1000
	if len(text) > maxLength {
		return nil, eserr.IllegalArgument("The length of regex [%d] used in the request has exceeded the allowed maximum of [%d]. This maximum can be set by changing the [index.max_regex_length] index level setting.", len(text), maxLength)
	}
	escaped, class := false, false
	var b strings.Builder
	b.WriteString(`^(?s:`)
	for _, r := range text {
		switch {
		case escaped:
			escaped = false
			b.WriteString(regexp.QuoteMeta(string(r)))
			continue
		case r == '\\':
			escaped = true
			continue
		case r == '[':
			class = true
		case r == ']':
			class = false
		case class:
		case strings.ContainsRune(`~&<>@#"`, r):
			return nil, eserr.Refused("the operator [%c] of regular expressions is not supported", r)
		case r == '^' || r == '$':
			b.WriteByte('\\') // plain characters for Lucene
		}
		b.WriteRune(r)
	}
	b.WriteString(`)$`)
	re, err := regexp.Compile(b.String())
	if err != nil {
		return nil, eserr.IllegalArgument("failed to parse regexp [%s]", text)
	}
	return re, nil
}

func has[K comparable](m map[K]struct{}, k K) bool { _, ok := m[k]; return ok }

func (in *inclusion) text(term string) bool {
	switch {
	case in == nil:
		return true
	case in.partitions > 0:
		return hashOf(term)%in.partitions == in.partition
	case in.include != nil && !has(in.include, term), in.exclude != nil && has(in.exclude, term):
		return false
	case in.includeRegexp != nil && !in.includeRegexp.MatchString(term):
		return false
	}
	return in.excludeRegexp == nil || !in.excludeRegexp.MatchString(term)
}

func (in *inclusion) long(v int64) bool {
	switch {
	case in == nil:
		return true
	case in.partitions > 0:
		return hashOf(strconv.FormatInt(v, 10))%in.partitions == in.partition
	}
	return (in.longs == nil || has(in.longs, v)) && (in.notLongs == nil || !has(in.notLongs, v))
}

func (in *inclusion) double(v float64) bool {
	switch {
	case in == nil:
		return true
	case in.partitions > 0:
		return hashOf(strconv.FormatFloat(v, 'g', -1, 64))%in.partitions == in.partition
	}
	return (in.doubles == nil || has(in.doubles, v)) && (in.notDoubles == nil || !has(in.notDoubles, v))
}

// hashOf spreads terms over partitions. Elasticsearch uses another hash: which partition a
// term falls into differs, that it falls into exactly one does not.
func hashOf(term string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(term))
	return h.Sum64()
}

// ordinals marks the terms of a column that pass; nil when all do.
func (in *inclusion) ordinals(k *segment.KeywordColumn) []bool {
	if in == nil {
		return nil
	}
	pass := make([]bool, k.NumTerms())
	for o := range pass {
		pass[o] = in.text(k.Term(uint32(o)))
	}
	return pass
}
