// Package decimalformat writes numbers as Java's DecimalFormat does in the root locale:
// the patterns, such as #,##0.00, that Elasticsearch takes as the format of numbers.
package decimalformat

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// Format is a parsed pattern. It is immutable.
type Format struct {
	positive, negative affixes
	multiplier         int
	minWhole, maxWhole int
	minPart, maxPart   int // digits behind the point
	group              int // 0: no groups
	pointAlways        bool
	exponent           bool
	minExponent        int
}

type affixes struct{ prefix, suffix string }

// noLimit stands for the most digits that Java writes of a number.
const noLimit = math.MaxInt32

// section is one side of the semicolon in a pattern while it is read.
type section struct {
	affixes
	multiplier        int
	left, zero, right int // # before the zeros, zeros, # behind them
	point             int // digits before the point, -1 without one
	group             int // digits since the last comma, -1 without one
	exponent          bool
	minExponent       int
}

// Parse reads a pattern; the error has the words of Java's.
func Parse(pattern string) (*Format, error) {
	if pattern == "" {
		// Java keeps its default groups and writes all digits.
		f := &Format{multiplier: 1, maxWhole: noLimit, maxPart: noLimit, group: 3}
		f.negative.prefix = "-"
		return f, nil
	}
	s, rest, more, err := readSection([]rune(pattern), pattern, false)
	if err != nil {
		return nil, err
	}
	f := s.format()
	if !more {
		return f, nil
	}
	n, _, _, err := readSection(rest, pattern, true)
	if err != nil {
		return nil, err
	}
	if len(rest) > 0 && n.affixes != s.affixes {
		f.negative = n.affixes
	}
	return f, nil
}

func (s *section) format() *Format {
	f := &Format{positive: s.affixes, multiplier: s.multiplier, exponent: s.exponent, minExponent: s.minExponent}
	f.negative = affixes{"-" + s.prefix, s.suffix}
	total := s.left + s.zero + s.right
	point := s.point
	if point < 0 {
		point = total
	}
	f.minWhole, f.maxWhole = point-s.left, noLimit
	if s.exponent {
		f.maxWhole = s.left + f.minWhole
	}
	if s.point >= 0 {
		f.maxPart = total - s.point
		f.minPart = max(0, s.left+s.zero-s.point)
	}
	f.group = max(s.group, 0)
	f.pointAlways = s.point == 0 || s.point == total
	return f
}

// readSection reads up to a semicolon; more tells that one was there. Of the negative
// section only the affixes count.
func readSection(p []rune, pattern string, negative bool) (s *section, rest []rune, more bool, err error) {
	s = &section{multiplier: 1, point: -1, group: -1}
	var prefix, suffix strings.Builder
	affix := &prefix
	inside, quoted := false, false
	fail := func(format string, a ...any) (*section, []rune, bool, error) {
		return nil, nil, false, malformed(fmt.Sprintf(format, a...)+" in pattern", pattern)
	}
	i := 0
	for ; i < len(p) && !more; i++ {
		ch := p[i]
		number := strings.ContainsRune("#0,.", ch)
		switch {
		case inside && (number || ch == 'E'):
			if negative {
				continue
			}
			if ch == 'E' {
				if s.exponent {
					return fail("Multiple exponential symbols")
				}
				if !s.readExponent(p, &i) {
					return nil, nil, false, malformed("Malformed exponential pattern", pattern)
				}
				inside, affix = false, &suffix
				continue
			}
			if why := s.digit(ch); why != "" {
				return fail("%s", why)
			}
		case quoted:
			if ch != '\'' {
				affix.WriteRune(ch)
			} else if i+1 < len(p) && p[i+1] == '\'' {
				affix.WriteRune('\'')
				i++
			} else {
				quoted = false
			}
		case number && !inside:
			inside = true
			i--
		case inside:
			inside, affix = false, &suffix
			i--
		case ch == '\'':
			if i+1 < len(p) && p[i+1] == '\'' {
				affix.WriteRune('\'')
				i++
			} else {
				quoted = true
			}
		case ch == ';':
			if affix == &prefix || negative {
				return fail("Unquoted special character '%c'", ch)
			}
			more = true
		case ch == '%' || ch == '‰':
			if s.multiplier != 1 {
				return fail("Too many percent/per mille characters")
			}
			s.multiplier = 100
			if ch == '‰' {
				s.multiplier = 1000
			}
			affix.WriteRune(ch)
		default:
			affix.WriteRune(ch)
		}
		if more {
			break
		}
	}
	if more {
		rest = p[i+1:]
	}
	s.affixes = affixes{prefix.String(), suffix.String()}
	if s.zero == 0 && s.left > 0 && s.point >= 0 {
		// ###.### and ###. and .###
		n := max(s.point, 1)
		s.right, s.left, s.zero = s.left-n, n-1, 1
	}
	if s.point < 0 && s.right > 0 || s.point >= 0 && (s.point < s.left || s.point > s.left+s.zero) || s.group == 0 || quoted {
		return nil, nil, false, malformed("Malformed pattern", pattern)
	}
	return s, rest, more, nil
}

// malformed is an error in Java's words, which begin with a capital.
func malformed(what, pattern string) error { return errors.New(what + " \"" + pattern + "\"") }

// digit takes one of # 0 , and the point; why says what is wrong with it.
func (s *section) digit(ch rune) (why string) {
	switch ch {
	case ',':
		s.group = 0
		return ""
	case '.':
		if s.point >= 0 {
			return "Multiple decimal separators"
		}
		s.point = s.left + s.zero + s.right
		return ""
	case '#':
		if s.zero > 0 {
			s.right++
		} else {
			s.left++
		}
	default:
		if s.right > 0 {
			return "Unexpected '0'"
		}
		s.zero++
	}
	if s.group >= 0 && s.point < 0 {
		s.group++
	}
	return ""
}

// readExponent reads the zeros after an E; i is left at the last of them.
func (s *section) readExponent(p []rune, i *int) (ok bool) {
	s.exponent = true
	for *i+1 < len(p) && p[*i+1] == '0' {
		s.minExponent++
		*i++
	}
	return s.left+s.zero >= 1 && s.minExponent >= 1
}
