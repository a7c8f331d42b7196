package mapping

import (
	"strconv"

	"postern/internal/analysis"
	"postern/internal/eserr"
	"postern/internal/jsonx"
)

func textType() *fieldType {
	return &fieldType{name: "text", kind: KindText, early: 2, fill: fillText, read: readText, params: []parameter{
		boolParam("index", true), boolParam("store", false),
		metaParam(),
		enumParam("index_options", "positions", "docs", "freqs", "offsets"),
		enumParam("term_vector", "no", "yes", "with_positions", "with_offsets", "with_positions_offsets", "with_positions_payloads", "with_positions_offsets_payloads"),
		{name: "norms", standard: "true", read: readBool, update: onlyOff},
		analyzerParam("analyzer"), analyzerParam("search_analyzer").updatable(), analyzerParam("search_quote_analyzer").updatable(),
		similarityParam(), boolParam("eager_global_ordinals", false).updatable(),
		{name: "position_increment_gap", standard: strconv.Itoa(analysis.PositionIncrementGap), read: readGap},
		refusedParam("fielddata", "false"), refusedParam("fielddata_frequency_filter"),
		refusedParam("index_prefixes"), refusedParam("index_phrases", "false"),
	}}
}

func analyzerParam(name string) parameter {
	return parameter{name: name, standard: "default", read: func(c *fieldContext, v jsonx.Value) (setting, error) {
		text := javaString(v)
		if _, ok := c.options.Analyzers.Analyzer(text); !ok {
			return setting{}, eserr.IllegalArgument("analyzer [%s] has not been configured in mappings", text)
		}
		return textSetting(text), nil
	}}
}

func readGap(c *fieldContext, v jsonx.Value) (setting, error) {
	s, err := readInt(c, v)
	if err == nil && s.text[0] == '-' {
		err = mapperParsing("[position_increment_gap] must be positive, got [%s]", s.text)
	}
	return s, err
}

func fillText(c *fieldContext, f *Field) error {
	indexed(f)
	f.DocValues = false
	f.Norms = f.isOn("norms") && f.Index
	f.IndexOptions = f.find("index_options").text
	f.BM25 = c.options.bm25(f.find("similarity"))
	f.PositionIncrementGap, _ = strconv.Atoi(f.find("position_increment_gap").text)
	if f.find("position_increment_gap").given && f.IndexOptions != "positions" && f.IndexOptions != "offsets" {
		return eserr.IllegalArgument("Cannot set position_increment_gap on field [%s] without positions enabled", c.path)
	}
	if !f.Index && f.find("term_vector").text != "no" {
		return eserr.IllegalArgument("Cannot enable term vectors on a field that is not indexed: [%s]", c.path)
	}
	// A search analyzer that was not given is the analyzer; the analyzer is printed when
	// the search analyzer is, and so on.
	index, search, quote := f.find("analyzer"), f.find("search_analyzer"), f.find("search_quote_analyzer")
	searchText, quoteText := index.text, index.text
	if search.given {
		searchText, quoteText = search.text, search.text
	}
	if quote.given {
		quoteText = quote.text
	}
	var ok bool
	if f.Analyzer, ok = c.options.Analyzers.Analyzer(index.text); !ok {
		return eserr.IllegalArgument("analyzer [%s] has not been configured in mappings", index.text)
	}
	f.SearchAnalyzer, _ = c.options.Analyzers.Analyzer(searchText)
	if index.text == "default" && !search.given {
		if a, ok := c.options.Analyzers.Analyzer("default_search"); ok {
			f.SearchAnalyzer = a
		}
	}
	f.SearchQuoteAnalyzer, _ = c.options.Analyzers.Analyzer(quoteText)
	showQuote := quoteText != searchText
	showSearch := searchText != index.text || showQuote
	f.show("search_quote_analyzer", quoteText, showQuote)
	f.show("search_analyzer", searchText, showSearch)
	f.show("analyzer", index.text, index.text != "default" || showSearch)
	return nil
}

// show sets whether and how a parameter is printed.
func (f *Field) show(name, text string, shown bool) {
	for i := range f.typ.params {
		if f.typ.params[i].name == name {
			f.settings[i] = textSetting(text)
			if f.settings[i].given = true; !shown {
				f.settings[i].json = ""
			}
		}
	}
}

func readText(p *docParser, f *Field, v jsonx.Value) error {
	if v.Kind() >= jsonx.Object {
		return p.fail(f, v, noText(v))
	}
	if !f.Index && !f.Store {
		return nil
	}
	text := p.text(v)
	p.add(Value{Field: f, S: text, Tokens: p.analyze(f.Analyzer, text)})
	return nil
}
