// Package workload makes the requests of the benchmark and knows their right answers.
package workload

import (
	"encoding/json"
	"fmt"
)

// A Request is one HTTP request with the check of its answer. Checks run outside the timed
// span; what they expect was worked out when the request was made.
type Request struct {
	Method, Path string
	Body         []byte
	Check        func(answer []byte) error
}

// An Op is what is timed as one: requests that one client sends one after the other.
type Op []Request

// A Step says which operation is wanted.
type Step struct {
	Trial, Client int
	// N counts a client's operations in a trial from 0.
	N int
	// Unique is another number for each operation of a run on one engine.
	Unique int
}

// A Workload makes operations of one kind.
type Workload struct {
	Name string
	Make func(Step) Op
	// Class tells the operations of one workload apart that must not be pooled, such as the
	// reads and writes of a mix; nil if they are all alike.
	Class func(Step) string
}

// Warm repeats the first operation of w.
func Warm(w Workload) Workload {
	var one Op
	return Workload{Name: w.Name, Make: func(Step) Op {
		if one == nil {
			one = w.Make(Step{})
		}
		return one
	}}
}

// spread maps n = 0, 1, … to numbers below size that look drawn and do not repeat before
// every one was taken: multiples of a step near the golden section that shares no factor
// with size.
func spread(n, size int) int {
	step := max(1, int(float64(size)*.6180339887))
	for gcd(step, size) != 1 {
		step++
	}
	return int(uint64(n+1) * uint64(step) % uint64(size))
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

type searchAnswer struct {
	TimedOut bool `json:"timed_out"`
	Shards   struct {
		Failed int
	} `json:"_shards"`
	Hits struct {
		Total *struct {
			Value    int
			Relation string
		}
		Hits []struct {
			ID     string            `json:"_id"`
			Source json.RawMessage   `json:"_source"`
			Sort   []json.RawMessage `json:"sort"`
			Score  *float64          `json:"_score"`
		}
	}
	Aggregations map[string]struct {
		DocCount int `json:"doc_count"`
		Buckets  []struct {
			Key      json.RawMessage
			DocCount int `json:"doc_count"`
			P        struct{ Value *float64 }
		}
		Others int `json:"sum_other_doc_count"`
	}
}

func decodeSearch(answer []byte) (searchAnswer, error) {
	var s searchAnswer
	err := json.Unmarshal(answer, &s)
	if err == nil && (s.TimedOut || s.Shards.Failed > 0 || s.Hits.Hits == nil) {
		err = fmt.Errorf("no whole answer: %.200s", answer)
	}
	return s, err
}

// total checks an exact number of hits.
func (s searchAnswer) total(want int) error {
	if s.Hits.Total == nil || s.Hits.Total.Value != want || s.Hits.Total.Relation != "eq" {
		return fmt.Errorf("total is %+v, due was %d", s.Hits.Total, want)
	}
	return nil
}

// trackedTotal checks the number of hits as it is counted when nothing is said: exactly up
// to 10,000, and beyond that at least so far.
func (s searchAnswer) trackedTotal(want int) error {
	const limit = 10_000
	if got := s.Hits.Total; want > limit && got != nil && got.Relation == "gte" && got.Value >= limit && got.Value <= want {
		return nil
	}
	return s.total(want)
}
