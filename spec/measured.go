package spec

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

//go:embed measured.json
var measuredJSON []byte

// Measured is the outcome of all recorded cases on one engine, as the last full run had it.
type Measured struct {
	Engine  string           `json:"engine"`
	Version string           `json:"version"`
	Date    string           `json:"date"`
	Cases   map[string]Share `json:"cases"` // by capability, which is a folder of conformance/recordings
}

// Share is how many cases of a capability were answered as recorded.
type Share struct {
	Passed int `json:"passed"`
	Asked  int `json:"asked"`
}

// LastRun reads measured.json, which `conformance report --measured` writes.
func LastRun() ([]Measured, error) {
	var runs []Measured
	if err := json.Unmarshal(measuredJSON, &runs); err != nil {
		return nil, fmt.Errorf("measured.json: %w", err)
	}
	return runs, nil
}
