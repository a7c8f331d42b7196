package workload

import (
	"encoding/json"
	"fmt"

	"postern/benchmark/corpus"
)

// writtenPrice is below every filter of the other workloads, and what is written has no
// description: their expected answers stand while documents are written.
const writtenPrice = -1

func written(tag string, n int) []byte {
	return fmt.Appendf(nil, `{"rank":-1,"price":%d,"category":%q,"vendor":"written","in_stock":true,"added":%d}`, writtenPrice, tag, n)
}

func put(index, id, parameters string, source []byte) Request {
	return Request{Method: "PUT", Path: "/" + index + "/_doc/" + id + parameters, Body: source, Check: func(answer []byte) error {
		var got struct {
			ID     string `json:"_id"`
			Result string `json:"result"`
		}
		if err := json.Unmarshal(answer, &got); err != nil {
			return err
		}
		if got.ID != id || got.Result != "created" && got.Result != "updated" {
			return fmt.Errorf("write of %s: %.200s", id, answer)
		}
		return nil
	}}
}

// WriteRead writes a document and reads it.
func WriteRead(index string) Workload {
	return Workload{Name: "write, then read the document", Make: func(s Step) Op {
		id := fmt.Sprintf("w-%d", s.Unique%1000)
		if s.Client > 0 { // two clients that write one id would each be right to read the other's
			id = fmt.Sprintf("w-%d-%d", s.Client, s.Unique%1000)
		}
		source := written("written", s.Unique)
		return Op{put(index, id, "", source), get(index, id, func(dst []byte) []byte { return append(dst, source...) })}
	}}
}

// WriteCount writes a document with a refresh and counts its kind.
func WriteCount(index string) Workload {
	return Workload{Name: "write with refresh, then count", Make: func(s Step) Op {
		tag := fmt.Sprintf("counted-%d-%d", s.Trial, s.Client)
		source := written(tag, s.Unique)
		count := Request{Method: "POST", Path: "/" + index + "/_count", Body: fmt.Appendf(nil, `{"query":{"term":{"category":%q}}}`, tag),
			Check: func(answer []byte) error {
				var got struct{ Count *int }
				if err := json.Unmarshal(answer, &got); err != nil {
					return err
				}
				if got.Count == nil || *got.Count != s.N+1 {
					return fmt.Errorf("count of %s: %.200s, due was %d", tag, answer, s.N+1)
				}
				return nil
			}}
		return Op{put(index, fmt.Sprintf("%s-%d", tag, s.N), "?refresh=true", source), count}
	}}
}

// Mixed asks the workloads in turn, and writes a document in the given share of operations.
func Mixed(index string, percentWrites int, reads ...Workload) Workload {
	writes := func(s Step) bool { return spread(s.Unique, 100) < percentWrites }
	return Workload{
		Name: fmt.Sprintf("mixed %d/%d", 100-percentWrites, percentWrites),
		Make: func(s Step) Op {
			if writes(s) {
				return Op{put(index, fmt.Sprintf("m-%d", s.Unique%1000), "", written("mixed", s.Unique))}
			}
			return reads[s.Unique%len(reads)].Make(s)
		},
		Class: func(s Step) string {
			if writes(s) {
				return "writes"
			}
			return "reads"
		},
	}
}

// OfCatalogue lists what is asked of a catalogue that nobody writes to.
func OfCatalogue(index string, c *corpus.Catalogue) []Workload {
	r := corpus.NewRanking(c)
	return []Workload{
		Read(index, c), SortedPage(index, c), CursorPage(index, c), Terms(index, c), FilterCounts(index, c),
		Text(index, c, r), Phrase(index, c, r), Histogram(index, c), HighCardinality(index, c), Walk(index, c),
	}
}

// AmidWrites lists what can be asked of a catalogue while others write to it as this file
// does: the right answers stay what they are.
func AmidWrites(index string, c *corpus.Catalogue) []Workload {
	return []Workload{Read(index, c), SortedPage(index, c), Terms(index, c), Histogram(index, c)}
}
