package workload

import (
	"bytes"
	"encoding/json"
	"fmt"

	"postern/benchmark/corpus"
)

// Read is a document by its id.
func Read(index string, c corpus.Corpus) Workload {
	return Workload{Name: "read a document", Make: func(s Step) Op {
		return Op{get(index, c.ID(spread(s.Unique, c.Len())), func(dst []byte) []byte { return c.AppendSource(dst, spread(s.Unique, c.Len())) })}
	}}
}

func get(index, id string, source func([]byte) []byte) Request {
	return Request{Method: "GET", Path: "/" + index + "/_doc/" + id, Check: func(answer []byte) error {
		var got struct {
			ID     string          `json:"_id"`
			Source json.RawMessage `json:"_source"`
		}
		if err := json.Unmarshal(answer, &got); err != nil {
			return err
		}
		if got.ID != id || !bytes.Equal(got.Source, source(nil)) {
			return fmt.Errorf("read %s: got %.300s", id, answer)
		}
		return nil
	}}
}
