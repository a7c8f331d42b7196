package mapping

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

// parameter is one parameter of a mapping type.
type parameter struct {
	name string
	// standard is the text of the default, as conflicts print it.
	standard string
	// read takes a value of a definition.
	read func(c *fieldContext, v jsonx.Value) (setting, error)
	// nullable lets null stand for the default.
	nullable bool
	// explicit prints the parameter whenever it was given, the default too.
	explicit bool
	// update says whether an existing field may change from one text to another; nil is
	// never.
	update func(from, to string) bool
}

// setting is the value of a parameter in one definition.
type setting struct {
	given bool
	text  string // as conflicts print it
	json  string // as GET _mapping prints it
}

// fieldContext is what reading a field's definition may need.
type fieldContext struct {
	options *Options
	name    string // the last part of the name
	path    string
	typ     *fieldType
	// dateFormat is the format of a field that is made for a date found in a document.
	dateFormat string
}

func always(string, string) bool { return true }

func onlyOff(from, to string) bool { return to == "false" }

func (p parameter) updatable() parameter { p.update = always; return p }

func (p parameter) printed() parameter { p.explicit = true; return p }

func boolParam(name string, standard bool) parameter {
	return parameter{name: name, standard: strconv.FormatBool(standard), read: readBool}
}

func readBool(_ *fieldContext, v jsonx.Value) (setting, error) {
	text := javaString(v)
	if text != "true" && text != "false" {
		return setting{}, notBool(text)
	}
	return setting{text: text, json: text}, nil
}

func notBool(text string) *eserr.Error {
	return eserr.IllegalArgument("Failed to parse value [%s] as only [true] or [false] are allowed.", text)
}

func textSetting(text string) setting {
	return setting{text: text, json: string(jsonx.AppendString(nil, text))}
}

// enumParam is one of several words, the first of which is the default.
func enumParam(name string, words ...string) parameter {
	return parameter{name: name, standard: words[0], read: func(c *fieldContext, v jsonx.Value) (setting, error) {
		text := javaString(v)
		if !slices.Contains(words, text) {
			return setting{}, mapperParsing("Unknown value [%s] for field [%s] - accepted values are [%s]", text, name, strings.Join(words, ", "))
		}
		return textSetting(text), nil
	}}
}

func readInt(_ *fieldContext, v jsonx.Value) (setting, error) {
	n, err := intOf(v)
	if err != nil {
		return setting{}, err
	}
	text := strconv.Itoa(n)
	return setting{text: text, json: text}, nil
}

func intOf(v jsonx.Value) (int, error) {
	text := javaString(v)
	if v.Kind() == jsonx.Number {
		n, ok := v.Int64()
		if ok && n != int64(int32(n)) {
			return 0, &eserr.Error{Status: 400, Type: "arithmetic_exception", Reason: "integer overflow"}
		}
		if !ok {
			return 0, eserr.IllegalArgument("%s is not an integer value", text)
		}
		return int(n), nil
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, numberFormat(text)
	}
	return int(n), nil
}

func numberFormat(text string) *eserr.Error {
	return eserr.NumberFormat("For input string: \"" + text + "\"")
}

// metaParam is the free note that every field may carry.
func metaParam() parameter {
	return parameter{name: "meta", standard: "{}", update: always, read: func(c *fieldContext, v jsonx.Value) (setting, error) {
		if v.Kind() != jsonx.Object {
			return setting{}, mapperParsing("[meta] must be an object, got %s[%s] for field [%s]", shortClass(v), javaString(v), c.name)
		}
		if v.Len() > 5 {
			return setting{}, mapperParsing("[meta] can't have more than 5 entries, but got %d on field [%s]", v.Len(), c.name)
		}
		list := hashOrdered(v)
		for _, m := range list {
			switch {
			case len(m.name) > 20:
				return setting{}, mapperParsing("[meta] keys can't be longer than 20 chars, but got [%s] for field [%s]", m.name, c.name)
			case m.value.Kind() == jsonx.Null:
				return setting{}, mapperParsing("[meta] values can't be null (field [%s])", c.name)
			case m.value.Kind() != jsonx.String:
				return setting{}, mapperParsing("[meta] values can only be strings, but got %s[%s] for field [%s]", shortClass(m.value), javaString(m.value), c.name)
			case utf16Len(m.value.Text()) > 50:
				return setting{}, mapperParsing("[meta] values can't be longer than 50 chars, but got [%s] for field [%s]", m.value.Text(), c.name)
			}
		}
		slices.SortFunc(list, func(a, b member) int { return cmp.Compare(a.name, b.name) })
		text, json := "{", []byte{'{'}
		for i, m := range list {
			if i > 0 {
				text, json = text+", ", append(json, ',')
			}
			text += m.name + "=" + m.value.Text()
			json = jsonx.AppendString(json, m.name)
			json = append(json, ':')
			json = jsonx.AppendString(json, m.value.Text())
		}
		return setting{text: text + "}", json: string(append(json, '}'))}, nil
	}}
}

func shortClass(v jsonx.Value) string {
	class := javaClass(v)
	return class[strings.LastIndexByte(class, '.')+1:]
}

// refusedParam is a parameter that Elasticsearch has for the type and we have not; the
// words that ask for nothing are taken.
func refusedParam(name string, harmless ...string) parameter {
	return parameter{name: name, standard: strings.Join(harmless, ""), nullable: true, read: func(c *fieldContext, v jsonx.Value) (setting, error) {
		if text := javaString(v); slices.Contains(harmless, text) {
			return setting{text: text, json: string(v.Raw())}, nil
		}
		return setting{}, eserr.Refused("[%s] on mapper [%s] of type [%s] is not supported", name, c.name, c.typ.name)
	}}
}

// similarityParam takes BM25 and the index's own similarities.
func similarityParam() parameter {
	return parameter{name: "similarity", standard: "null", nullable: true, read: func(c *fieldContext, v jsonx.Value) (setting, error) {
		text := javaString(v)
		if _, ok := c.options.Similarities[text]; ok {
			return textSetting(text), nil
		}
		switch text {
		case "BM25":
			return textSetting(text), nil
		case "boolean":
			return setting{}, eserr.Refused("[similarity] [%s] on mapper [%s] of type [%s] is not supported", text, c.name, c.typ.name)
		default:
			return setting{}, mapperParsing("Unknown Similarity type [%s] for field [%s]", text, c.name)
		}
	}}
}

// scriptParams are those of fields whose values scripts compute.
func scriptParams() []parameter {
	return []parameter{refusedParam("script"), refusedParam("on_script_error")}
}

// find is a parameter's setting; the default when it was not given.
func (f *Field) find(name string) setting {
	for i := range f.typ.params {
		if f.typ.params[i].name == name {
			if f.settings[i].given {
				return f.settings[i]
			}
			return setting{text: f.typ.params[i].standard}
		}
	}
	return setting{}
}

func (f *Field) isOn(name string) bool { return f.find(name).text == "true" }
