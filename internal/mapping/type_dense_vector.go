package mapping

import (
	"math"
	"strconv"
	"strings"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

const maxDims = 4096

func denseVectorType() *fieldType {
	return &fieldType{name: "dense_vector", kind: KindVector, arrays: true, fill: fillVector, read: readVector, params: []parameter{
		{name: "element_type", standard: "float", read: func(c *fieldContext, v jsonx.Value) (setting, error) {
			switch text := javaString(v); text {
			case "float":
				return textSetting(text), nil
			case "byte", "bit":
				return setting{}, eserr.Refused("[element_type] [%s] on mapper [%s] of type [dense_vector] is not supported", text, c.name)
			default:
				return setting{}, mapperParsing("invalid element_type [%s]; available types are [bit, byte, float]", text)
			}
		}},
		{name: "dims", standard: "null", read: readDims, update: func(from, _ string) bool { return from == "null" }},
		boolParam("index", true), similarityOfVectors(), indexOptionsOfVectors(), metaParam(),
	}}
}

func readDims(c *fieldContext, v jsonx.Value) (setting, error) {
	n, ok := v.Int64()
	if !ok {
		return setting{}, mapperParsing("Property [dims] on field [%s] must be an integer but got [%s]", c.name, javaString(v))
	}
	if n < 1 || n > maxDims {
		return setting{}, mapperParsing("The number of dimensions for field [%s] should be in the range [1, %d] but was [%d]", c.name, maxDims, n)
	}
	text := strconv.FormatInt(n, 10)
	return setting{text: text, json: text}, nil
}

func similarityOfVectors() parameter {
	p := enumParam("similarity", "l2_norm", "cosine", "dot_product", "max_inner_product")
	p.standard = "cosine"
	return p
}

const standardIndexOptions = `{"type":"int8_hnsw","m":16,"ef_construction":100}`

// indexOptionsOfVectors takes the kinds of approximate indexes: searches here are exact, so that the
// choice between them shows in the mapping alone.
func indexOptionsOfVectors() parameter {
	return parameter{name: "index_options", standard: standardIndexOptions, update: always, read: func(c *fieldContext, v jsonx.Value) (setting, error) {
		if v.Kind() != jsonx.Object {
			return setting{}, classCast(javaClass(v), "java.util.Map")
		}
		typ := v.Get("type")
		if !typ.Exists() || typ.Kind() == jsonx.Null {
			return setting{}, mapperParsing("[index_options] requires field [type] to be configured")
		}
		text := typ.Text()
		out := []byte(`{"type":`)
		out = jsonx.AppendString(out, text)
		known := []string{"type"}
		switch text {
		case "hnsw", "int8_hnsw", "int4_hnsw":
			for _, n := range []struct {
				name     string
				standard int
			}{{"m", 16}, {"ef_construction", 100}} {
				value := n.standard
				if m := v.Get(n.name); m.Exists() {
					var err error
					if value, err = intOf(m); err != nil {
						return setting{}, err
					}
				}
				out = append(out, `,"`+n.name+`":`...)
				out = strconv.AppendInt(out, int64(value), 10)
				known = append(known, n.name)
			}
		case "flat", "int8_flat", "int4_flat":
		default:
			return setting{}, mapperParsing("Unknown vector index options type [%s] for field [%s]", text, c.name)
		}
		if strings.HasPrefix(text, "int") {
			known = append(known, "confidence_interval")
			if m := v.Get("confidence_interval"); m.Exists() {
				out = append(out, `,"confidence_interval":`...)
				out = append(out, m.Raw()...)
			}
		}
		if err := unsupported(c.name, v, known...); err != nil {
			return setting{}, err
		}
		out = append(out, '}')
		return setting{text: string(out), json: string(out)}, nil
	}}
}

func fillVector(c *fieldContext, f *Field) error {
	f.Index, f.DocValues = f.isOn("index"), true
	if d := f.find("dims"); d.given {
		f.Dims, _ = strconv.Atoi(d.text)
	}
	if !f.Index {
		for _, name := range []string{"similarity", "index_options"} {
			if f.find(name).given {
				return eserr.IllegalArgument("Field [%s] can only be specified for a field of type [dense_vector] when it is indexed", name)
			}
		}
		f.show("index", "false", true)
		f.settings[2].json = "false"
		return nil
	}
	// An indexed vector prints everything about its index.
	f.Similarity = f.find("similarity").text
	f.settings[2] = setting{given: true, text: "true", json: "true"}
	f.show("similarity", f.Similarity, true)
	if !f.settings[4].given || f.settings[4].json == "" {
		f.settings[4] = setting{given: true, text: standardIndexOptions, json: standardIndexOptions}
	}
	return nil
}

func readVector(p *docParser, f *Field, v jsonx.Value) error {
	want := func(at jsonx.Value, token string) error {
		line, col := at.Pos()
		e := eserr.Parsing(line, col, "Failed to parse object: expecting token of type [VALUE_NUMBER] but found [%s]", token)
		return p.general(at, e)
	}
	if v.Kind() != jsonx.Array {
		return want(v, "END_OBJECT")
	}
	dims := f.Dims
	vector := make([]float32, 0, max(dims, v.Len()))
	squares := 0.0
	for e := range v.Elements() {
		if e.Kind() != jsonx.Number {
			return want(e, token(e))
		}
		if dims > 0 && len(vector) == dims {
			return p.general(e, eserr.IllegalArgument("The [dense_vector] field [%s] in doc [document with id '%s'] has more dimensions than defined in the mapping [%d]", f.Name, p.d.ID, dims))
		}
		x, _ := strconv.ParseFloat(bytesText(e.Raw()), 32)
		vector = append(vector, float32(x))
		squares += x * x
	}
	atEnd := func(why *eserr.Error) error {
		line, col := v.EndPos()
		return p.generalAt(line, col, why)
	}
	if dims > 0 && len(vector) != dims {
		return atEnd(eserr.IllegalArgument("The [dense_vector] field [%s] in doc [document with id '%s'] has a different number of dimensions [%d] than defined in the mapping [%d]", f.Name, p.d.ID, len(vector), dims))
	}
	if len(vector) == 0 || len(vector) > maxDims {
		return atEnd(mapperParsing("The number of dimensions for field [%s] should be in the range [1, %d] but was [%d]", f.Name, maxDims, len(vector)))
	}
	if err := f.checkVector(vector, squares); err != nil {
		return atEnd(err)
	}
	if dims == 0 {
		p.learnDims(f, len(vector))
	}
	p.add(Value{Field: f, V: vector})
	return nil
}

// checkVector refuses what the similarity cannot compare.
func (f *Field) checkVector(vector []float32, squares float64) *eserr.Error {
	var wrong []string
	for i, x := range vector {
		if math.IsInf(float64(x), 0) || math.IsNaN(float64(x)) {
			wrong = append(wrong, "element at dim ["+strconv.Itoa(i)+"] with value ["+string(appendFloat32(nil, x))+"]")
		}
	}
	if len(wrong) > 0 {
		return eserr.IllegalArgument("element_type [float] vectors do not support NaN or infinite values but found %s; Preview of invalid vector: %s", strings.Join(wrong, ", "), vectorPreview(vector))
	}
	switch {
	case f.Similarity == "cosine" && math.Sqrt(squares) == 0:
		return eserr.IllegalArgument("The [cosine] similarity does not support vectors with zero magnitude. Preview of invalid vector: %s", vectorPreview(vector))
	case f.Similarity == "dot_product" && math.Abs(squares-1) > 1e-4:
		return eserr.IllegalArgument("The [dot_product] similarity can only be used with unit-length vectors. Preview of invalid vector: %s", vectorPreview(vector))
	}
	return nil
}

func vectorPreview(vector []float32) string {
	var b []byte
	b = append(b, '[')
	for i, x := range vector {
		if i > 0 {
			b = append(b, ", "...)
		}
		if i == 5 {
			b = append(b, "..."...)
			break
		}
		b = appendFloat32(b, x)
	}
	return string(append(b, ']'))
}
