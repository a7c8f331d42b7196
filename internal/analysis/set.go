package analysis

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"postern/internal/eserr"
)

// Set holds the analyzers and normalizers of an index: Elasticsearch's and its own. A nil
// Set has Elasticsearch's alone.
type Set struct {
	analyzers   map[string]*Analyzer
	normalizers map[string]bool // whether each makes lower case
}

// Analyzer finds an analyzer by its name.
func (s *Set) Analyzer(name string) (*Analyzer, bool) {
	if s != nil {
		if a := s.analyzers[name]; a != nil {
			return a, true
		}
	}
	return Builtin(name)
}

// Normalizer finds a normalizer of keywords by its name and tells whether it makes lower
// case, which is all that the supported ones can do.
func (s *Set) Normalizer(name string) (lowercase, ok bool) {
	if s != nil {
		if lowercase, ok = s.normalizers[name]; ok {
			return lowercase, true
		}
	}
	return true, name == "lowercase"
}

const prefix = "index.analysis."

// ParseSet reads the settings index.analysis.*, which are given by their flat names as
// lists of texts. Parts that are not supported are refused by name.
func ParseSet(settings iter.Seq2[string, []string]) (*Set, error) {
	d := definitions{}
	for name, values := range settings {
		rest, ok := strings.CutPrefix(name, prefix)
		if !ok {
			continue
		}
		part := strings.SplitN(rest, ".", 3)
		if len(part) < 3 {
			return nil, eserr.IllegalArgument("%s settings must be an object: [%s]", part[0], name)
		}
		// A list may come as one setting for each element: stopwords.0, stopwords.1.
		key := part[2]
		if i := strings.LastIndexByte(key, '.'); i > 0 {
			if _, err := strconv.Atoi(key[i+1:]); err == nil {
				d.at(part[0], part[1]).add(key[:i], values)
				continue
			}
		}
		d.at(part[0], part[1]).add(key, values)
	}
	if len(d) == 0 {
		return nil, nil
	}
	for group := range d {
		switch group {
		case "analyzer", "normalizer", "tokenizer", "filter":
		default:
			return nil, eserr.Refused("[%s%s] is not supported", prefix, group)
		}
	}
	s := &Set{map[string]*Analyzer{}, map[string]bool{}}
	for _, name := range slices.Sorted(maps.Keys(d["analyzer"])) {
		a, err := d.analyzer(name, d["analyzer"][name])
		if err != nil {
			return nil, err
		}
		s.analyzers[name] = a
	}
	for _, name := range slices.Sorted(maps.Keys(d["normalizer"])) {
		lowercase, err := d.normalizer(name, d["normalizer"][name])
		if err != nil {
			return nil, err
		}
		s.normalizers[name] = lowercase
	}
	return s, nil
}

// definitions are settings by group (analyzer, filter …) and name.
type definitions map[string]map[string]definition

type definition map[string][]string

func (d definitions) at(group, name string) definition {
	if d[group] == nil {
		d[group] = map[string]definition{}
	}
	if d[group][name] == nil {
		d[group][name] = definition{}
	}
	return d[group][name]
}

func (d definition) add(key string, values []string) { d[key] = append(d[key], values...) }

func (d definition) text(key string) string {
	if len(d[key]) == 0 {
		return ""
	}
	return d[key][0]
}

// list is a setting as a list; one text is split at commas, as Elasticsearch does.
func (d definition) list(key string) []string {
	if v := d[key]; len(v) != 1 {
		return v
	}
	var out []string
	for s := range strings.SplitSeq(d[key][0], ",") {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// only refuses settings other than the known ones.
func (d definition) only(what, name string, known ...string) error {
	for _, key := range slices.Sorted(maps.Keys(d)) {
		if !slices.Contains(known, key) {
			return eserr.Refused("[%s] of the %s [%s] is not supported", key, what, name)
		}
	}
	return nil
}

func (d definition) maxTokenLength(what, name string) (int, error) {
	text := d.text("max_token_length")
	if text == "" {
		return defaultMaxTokenLength, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, eserr.IllegalArgument("Failed to parse value [%s] for setting [index.analysis.%s.%s.max_token_length]", text, what, name)
	}
	if n < 1 || n > 1<<20 {
		return 0, eserr.IllegalArgument("maxTokenLength must be greater than zero and less than 1048576; got: %d", n)
	}
	return n, nil
}

// stopWords reads stopwords: words, _none_ or _english_.
func (d definition) stopWords(what, name string, otherwise []string) ([]string, error) {
	if _, ok := d["stopwords"]; !ok {
		return otherwise, nil
	}
	var words []string
	for _, w := range d.list("stopwords") {
		switch {
		case w == "_none_":
			return nil, nil
		case w == "_english_":
			words = append(words, EnglishStopWords()...)
		case strings.HasPrefix(w, "_") && strings.HasSuffix(w, "_") && len(w) > 1:
			return nil, eserr.Refused("[stopwords] [%s] of the %s [%s] is not supported", w, what, name)
		default:
			words = append(words, w)
		}
	}
	return words, nil
}

func (d definitions) analyzer(name string, def definition) (*Analyzer, error) {
	typ := def.text("type")
	if typ == "" {
		if def.text("tokenizer") == "" {
			return nil, eserr.IllegalArgument("analyzer [%s] must specify either an analyzer type, or a tokenizer", name)
		}
		typ = "custom"
	}
	switch typ {
	case "custom":
		return d.custom(name, def)
	case "standard", "stop":
		if err := def.only("analyzer", name, "type", "stopwords", "max_token_length"); err != nil {
			return nil, err
		}
		a, _ := Builtin(typ)
		otherwise := []string(nil)
		if typ == "stop" {
			otherwise = EnglishStopWords()
		}
		words, err := def.stopWords("analyzer", name, otherwise)
		if err != nil {
			return nil, err
		}
		a = a.WithName(name).WithStopWords(words)
		if typ == "standard" {
			n, err := def.maxTokenLength("analyzer", name)
			if err != nil {
				return nil, err
			}
			a = a.WithMaxTokenLength(n)
		}
		return a, nil
	case "simple", "whitespace", "keyword":
		if err := def.only("analyzer", name, "type"); err != nil {
			return nil, err
		}
		a, _ := Builtin(typ)
		return a.WithName(name), nil
	}
	if !knownAnalyzer(typ) {
		return nil, eserr.IllegalArgument("Unknown analyzer type [%s] for [%s]", typ, name)
	}
	return nil, eserr.Refused("the type [%s] of the analyzer [%s] is not supported", typ, name)
}

func (d definitions) custom(name string, def definition) (*Analyzer, error) {
	if err := def.only("analyzer", name, "type", "tokenizer", "filter", "char_filter", "position_increment_gap"); err != nil {
		return nil, err
	}
	if len(def.list("char_filter")) > 0 {
		return nil, eserr.Refused("[char_filter] of the analyzer [%s] is not supported", name)
	}
	if gap := def.text("position_increment_gap"); gap != "" && gap != fmt.Sprint(PositionIncrementGap) {
		return nil, eserr.Refused("[position_increment_gap] of the analyzer [%s] is not supported", name)
	}
	tokenizer := def.text("tokenizer")
	if tokenizer == "" {
		return nil, eserr.IllegalArgument("Custom Analyzer [%s] must be configured with a tokenizer", name)
	}
	length := defaultMaxTokenLength
	if own, ok := d["tokenizer"][tokenizer]; ok {
		if err := own.only("tokenizer", tokenizer, "type", "max_token_length"); err != nil {
			return nil, err
		}
		n, err := own.maxTokenLength("tokenizer", tokenizer)
		if err != nil {
			return nil, err
		}
		tokenizer, length = own.text("type"), n
	}
	a, ok := Custom(name, tokenizer, false, nil)
	if !ok {
		return nil, eserr.Refused("the tokenizer [%s] of the analyzer [%s] is not supported", tokenizer, name)
	}
	if a.maxLength > 0 {
		a.maxLength = length
	}
	for _, filter := range def.list("filter") {
		if err := d.filter(a, filter); err != nil {
			return nil, err
		}
	}
	return a, nil
}

func (d definitions) filter(a *Analyzer, filter string) error {
	typ, own := filter, d["filter"][filter]
	if own != nil {
		typ = own.text("type")
	}
	switch typ {
	case "lowercase":
		if own != nil {
			if err := own.only("filter", filter, "type"); err != nil {
				return err
			}
		}
		if a.stop != nil && !a.lowercase {
			return eserr.Refused("the filter [lowercase] behind [stop] in the analyzer [%s] is not supported", a.name)
		}
		a.lowercase = true
	case "stop":
		words := EnglishStopWords()
		if own != nil {
			if err := own.only("filter", filter, "type", "stopwords"); err != nil {
				return err
			}
			var err error
			if words, err = own.stopWords("filter", filter, words); err != nil {
				return err
			}
		}
		if a.stop == nil {
			a.stop = map[string]struct{}{}
		}
		for _, w := range words {
			a.stop[w] = struct{}{}
		}
	default:
		return eserr.Refused("the filter [%s] of the analyzer [%s] is not supported", filter, a.name)
	}
	return nil
}

func (d definitions) normalizer(name string, def definition) (lowercase bool, err error) {
	if err := def.only("normalizer", name, "type", "filter", "char_filter"); err != nil {
		return false, err
	}
	switch typ := def.text("type"); typ {
	case "lowercase":
		return true, nil
	case "custom", "":
	default:
		return false, eserr.Refused("the type [%s] of the normalizer [%s] is not supported", typ, name)
	}
	if len(def.list("char_filter")) > 0 {
		return false, eserr.Refused("[char_filter] of the normalizer [%s] is not supported", name)
	}
	for _, filter := range def.list("filter") {
		if own, ok := d["filter"][filter]; ok {
			filter = own.text("type")
		}
		if filter != "lowercase" {
			return false, eserr.Refused("the filter [%s] of the normalizer [%s] is not supported", filter, name)
		}
		lowercase = true
	}
	return lowercase, nil
}

// knownAnalyzer tells whether Elasticsearch has an analyzer of that type.
func knownAnalyzer(typ string) bool {
	switch typ {
	case "pattern", "fingerprint", "snowball", "icu_analyzer", "kuromoji", "nori", "smartcn", "stempel", "ukrainian",
		"arabic", "armenian", "basque", "bengali", "brazilian", "bulgarian", "catalan", "chinese", "cjk", "czech", "danish", "dutch",
		"english", "estonian", "finnish", "french", "galician", "german", "greek", "hindi", "hungarian", "indonesian", "irish",
		"italian", "latvian", "lithuanian", "norwegian", "persian", "polish", "portuguese", "romanian", "russian", "serbian",
		"sorani", "spanish", "swedish", "thai", "turkish":
		return true
	}
	return false
}
