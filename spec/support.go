package spec

import (
	"fmt"
	"sort"
	"strings"

	"gopkg.in/yaml.v3"
)

// State is how far something is supported.
type State uint8

const (
	// Refused is answered with an error that names it; it is also the state of
	// whatever support.yaml does not mention.
	Refused State = iota
	// Full is supported as Elasticsearch has it.
	Full
	// Partial is supported but for what Why says.
	Partial
	// Ignored is taken without effect; Why says why that is right.
	Ignored
	// Decoded is read as what it is, mistakes in it are complained of, and is then
	// refused by whoever would have to do it: Why says by what it misses.
	Decoded
)

var stateNames = [...]string{"refused", "full", "partial", "ignored", "decoded"}

func (s State) String() string { return stateNames[s] }

// Support is what Postern promises, read from support.yaml.
type Support struct {
	Specification string           `yaml:"specification"`
	Endpoints     map[string]Entry `yaml:"endpoints"`
	Queries       map[string]Entry `yaml:"queries"`
	Aggregations  map[string]Entry `yaml:"aggregations"`
	Mappings      map[string]Entry `yaml:"mappings"`
	Types         map[string]Entry `yaml:"types"`
}

// Entry is the promise for one endpoint, clause, aggregation or type, and where it
// has members of its own, for each of them.
type Entry struct {
	State   State
	Why     string
	URL     map[string]Entry // an endpoint's URL parameters
	Body    map[string]Entry // an endpoint's body members
	Members map[string]Entry // a clause's, an aggregation's or a type's members
}

// UnmarshalYAML reads "full", "partial: what is missing" and so on, or a mapping with
// the state under "state".
func (e *Entry) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		return e.read(n.Value, n.Line)
	}
	var full struct {
		State   string           `yaml:"state"`
		URL     map[string]Entry `yaml:"url"`
		Body    map[string]Entry `yaml:"body"`
		Members map[string]Entry `yaml:"members"`
	}
	if err := n.Decode(&full); err != nil {
		return err
	}
	e.URL, e.Body, e.Members = full.URL, full.Body, full.Members
	return e.read(full.State, n.Line)
}

func (e *Entry) read(text string, line int) error {
	word, why, explained := strings.Cut(text, ":")
	why = strings.TrimSpace(why)
	for s, name := range stateNames {
		if word != name {
			continue
		}
		e.State, e.Why = State(s), why
		needs := e.State == Partial || e.State == Ignored || e.State == Decoded
		if needs && why == "" {
			return fmt.Errorf("support.yaml, line %d: %s needs a reason", line, word)
		}
		if explained && e.State == Full {
			return fmt.Errorf("support.yaml, line %d: full takes no reason", line)
		}
		return nil
	}
	return fmt.Errorf("support.yaml, line %d: unknown state %q", line, word)
}

// Of is the promise for a member: its own line, or where the whole is full and the
// member has no line, full.
func (e Entry) Of(member string) Entry {
	if m, ok := e.Members[member]; ok {
		return m
	}
	if e.State == Full {
		return Entry{State: Full}
	}
	return Entry{}
}

// ParseSupport reads the text of a support.yaml.
func ParseSupport(text []byte) (*Support, error) {
	s := new(Support)
	dec := yaml.NewDecoder(strings.NewReader(string(text)))
	dec.KnownFields(true)
	if err := dec.Decode(s); err != nil {
		return nil, fmt.Errorf("support.yaml: %w", err)
	}
	return s, nil
}

// Names lists the keys of entries, sorted.
func Names(entries map[string]Entry) []string {
	names := make([]string, 0, len(entries))
	for n := range entries {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}
