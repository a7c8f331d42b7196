package aggs

import "slices"

// bucketed is a result of buckets, as pipeline aggregations and the answer see it.
type bucketed interface {
	result
	// reduce fixes which buckets the answer has, and their order, once all is collected.
	reduce()
	list() *answered
	// keyText is a bucket's key as text.
	keyText(b *answerBucket) string
}

// answered is the buckets of an answer, in order.
type answered struct {
	buckets []answerBucket
	reduced bool
}

// answerBucket is a bucket with its key: a number, or a text, whatever its aggregation
// knows it by.
type answerBucket struct {
	long int64
	text string
	*bucket
}

func (a *answered) list() *answered { return a }

// begin tells whether the list is still to be made.
func (a *answered) begin() bool {
	first := !a.reduced
	a.reduced = true
	return first
}

// keep leaves the buckets at some positions, in that order.
func (a *answered) keep(at []int) {
	kept := make([]answerBucket, len(at))
	for i, j := range at {
		kept[i] = a.buckets[j]
	}
	a.buckets = kept
}

// all lists buckets that are known by their position.
func (a *answered) all(buckets []*bucket) {
	if a.begin() {
		for i, b := range buckets {
			a.buckets = append(a.buckets, answerBucket{long: int64(i), bucket: b})
		}
	}
}

func (a *answered) longs(list []keyed[int64]) {
	a.buckets = slices.Grow(a.buckets, len(list))
	for _, k := range list {
		a.buckets = append(a.buckets, answerBucket{long: k.key, bucket: k.bucket})
	}
}

func (a *answered) texts(list []keyed[string]) {
	a.buckets = slices.Grow(a.buckets, len(list))
	for _, k := range list {
		a.buckets = append(a.buckets, answerBucket{text: k.key, bucket: k.bucket})
	}
}
