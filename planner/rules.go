package planner

// A Rule is one way in which the planner saves work. Each can be switched off: the
// answer stays the same, byte for byte, only the work changes.
type Rule uint8

const (
	// WalkOrder reads a sorted page off the sort column's own order when many match.
	WalkOrder Rule = iota
	// TakeFirst ends an unsorted page at its last document when all scores are equal.
	TakeFirst
	// SkipScores computes no scores that nothing asks for.
	SkipScores
	// CountOnly answers a search without a page by counting bits.
	CountOnly
	// SkipIndices passes over indices whose query was seen to match nothing.
	SkipIndices
	// PointRead reads the documents of an ids clause, few as they are, in one call.
	PointRead
	// PushPage lets the store's engine order a page by its first sort key.
	PushPage
	// PushTies completes a page whose last place several documents claim.
	PushTies
	// PushUncovered adds the documents that the engine's order has in a wrong place.
	PushUncovered
	// PushFacets lets the engine count terms.
	PushFacets
	// PushCounts lets the engine count matches, and those of filters and ranges.
	PushCounts
	// PushCandidates scans what may match instead of everything.
	PushCandidates
	// UseNear prefers columns that are in memory, and has them brought there when asking
	// has cost more than that.
	UseNear
	ruleCount
)

var ruleIDs = [ruleCount]string{"walk-order", "take-first", "skip-scores", "count-only", "skip-indices",
	"point-read", "push-page", "push-ties", "push-uncovered", "push-facets", "push-counts", "push-candidates", "use-near"}

// String is the rule's id.
func (r Rule) String() string { return ruleIDs[r] }

// AllRules lists the rules in the order of their ids' definition.
func AllRules() []Rule {
	rules := make([]Rule, ruleCount)
	for i := range rules {
		rules[i] = Rule(i)
	}
	return rules
}

// RuleSet says which rules are switched off; the zero RuleSet has all of them on.
type RuleSet struct{ off uint64 }

// Without returns the set with some rules switched off.
func (s RuleSet) Without(rules ...Rule) RuleSet {
	for _, r := range rules {
		s.off |= 1 << r
	}
	return s
}

// On tells whether a rule may be used.
func (s RuleSet) On(r Rule) bool { return s.off&(1<<r) == 0 }
