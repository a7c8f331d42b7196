package spec

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"sort"
)

//go:embed facts.jsonl
var facts []byte

//go:embed amendments.yaml
var amendmentsYAML []byte

//go:embed support.yaml
var supportYAML []byte

// Load reads the committed specification.
func Load() (*Model, error) { return Parse(facts) }

// Amendments reads the committed amendments.yaml.
func Amendments() (*Amended, error) { return ParseAmendments(amendmentsYAML) }

// Supported reads the committed support.yaml.
func Supported() (*Support, error) { return ParseSupport(supportYAML) }

// Header is the first line of the facts: where they come from.
type Header struct {
	Source  string `json:"source"`
	Version string `json:"version"`
	License string `json:"license"`
}

// line is one line of the facts: the header, an endpoint or a type.
type line struct {
	Header   *Header   `json:"specification"`
	Endpoint *Endpoint `json:"endpoint"`
	Type     *Type     `json:"type"`
}

// Parse reads facts, one a line, and checks that every name in them leads somewhere.
func Parse(jsonl []byte) (*Model, error) {
	m := &Model{types: map[Name]*Type{}}
	in := bufio.NewScanner(bytes.NewReader(jsonl))
	in.Buffer(make([]byte, 0, 1<<16), 1<<24)
	for n := 1; in.Scan(); n++ {
		var l line
		if err := json.Unmarshal(in.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("facts, line %d: %w", n, err)
		}
		switch {
		case l.Header != nil:
			m.Version = l.Header.Version
		case l.Endpoint != nil:
			m.Endpoints = append(m.Endpoints, l.Endpoint)
		case l.Type != nil:
			if m.types[l.Type.Name] != nil {
				return nil, fmt.Errorf("facts, line %d: the type %s is there twice", n, l.Type.Name)
			}
			m.types[l.Type.Name] = l.Type
			m.order = append(m.order, l.Type)
		default:
			return nil, fmt.Errorf("facts, line %d: neither an endpoint nor a type", n)
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("facts: %w", err)
	}
	sort.SliceStable(m.order, func(i, j int) bool { return m.order[i].Name.String() < m.order[j].Name.String() })
	return m, m.check()
}
