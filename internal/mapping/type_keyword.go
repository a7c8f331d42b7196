package mapping

import (
	"fmt"
	"strconv"
	"strings"

	"postern/internal/analysis"
	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// maxTermLength is Lucene's limit of a term in bytes.
const maxTermLength = 32766

func keywordType() *fieldType {
	params := append(columnParams(),
		parameter{name: "null_value", standard: "null", nullable: true, read: func(_ *fieldContext, v jsonx.Value) (setting, error) {
			return textSetting(javaString(v)), nil
		}},
		boolParam("eager_global_ordinals", false).updatable(),
		parameter{name: "ignore_above", standard: "2147483647", read: readInt, update: always},
		enumParam("index_options", "docs", "freqs"),
		parameter{name: "norms", standard: "false", read: readBool, update: onlyOff},
		similarityParam(),
		parameter{name: "normalizer", standard: "null", nullable: true, read: func(c *fieldContext, v jsonx.Value) (setting, error) {
			text := javaString(v)
			if _, ok := c.options.Analyzers.Normalizer(text); !ok {
				return setting{}, mapperParsing("normalizer [%s] not found for field [%s]", text, c.name)
			}
			return textSetting(text), nil
		}},
		boolParam("split_queries_on_whitespace", false).updatable())
	params = append(params, scriptParams()...)
	params = append(params, metaParam(), refusedParam("time_series_dimension", "false"))
	return &fieldType{name: "keyword", kind: KindKeyword, params: params, fill: fillKeyword, read: readKeyword}
}

func fillKeyword(c *fieldContext, f *Field) error {
	f.BM25 = c.options.bm25(f.find("similarity"))
	indexed(f)
	f.Norms = f.isOn("norms") && f.Index
	f.IndexOptions = f.find("index_options").text
	f.SplitQueriesOnWhitespace = f.isOn("split_queries_on_whitespace")
	if n := f.find("ignore_above"); n.given {
		f.IgnoreAbove, _ = strconv.Atoi(n.text)
		if f.IgnoreAbove == 0 {
			f.IgnoreAbove = -1 // nothing but the empty string
		}
	}
	if n := f.find("normalizer"); n.given && n.json != "" {
		f.Lowercase, _ = c.options.Analyzers.Normalizer(n.text)
	}
	f.setNull()
	return nil
}

func readKeyword(p *docParser, f *Field, v jsonx.Value) error {
	if v.Kind() >= jsonx.Object {
		return p.fail(f, v, noText(v))
	}
	text := p.text(v)
	if f.IgnoreAbove != 0 && len(text) > f.IgnoreAbove && utf16Len(text) > max(f.IgnoreAbove, 0) {
		p.ignore(f)
		return nil
	}
	if f.Lowercase {
		text = analysis.Lowercase(text)
	}
	if !f.Index && !f.DocValues && !f.Store {
		return nil
	}
	if len(text) > maxTermLength && (f.Index || f.DocValues) {
		return p.fail(f, v, immenseTerm(f.Name, text))
	}
	p.add(Value{Field: f, S: text})
	return nil
}

func immenseTerm(name, text string) *eserr.Error {
	var first []string
	for i := range 30 {
		first = append(first, fmt.Sprint(int8(text[i])))
	}
	return eserr.IllegalArgument("Document contains at least one immense term in field=\"%s\" (whose UTF8 encoding is longer than the max length %d), all of which were skipped. Please correct the analyzer to not produce such terms. The prefix of the first immense term is: '[%s]...'",
		name, maxTermLength, strings.Join(first, ", "))
}

// noText is the complaint about an object where a text is wanted.
func noText(v jsonx.Value) *eserr.Error {
	line, col := v.Pos()
	token := "START_OBJECT"
	if v.Kind() == jsonx.Array {
		token = "START_ARRAY"
	}
	e := eserr.IllegalState("Can't get text on a %s at %d:%d", token, line, col)
	e.Status = 400
	return e
}
