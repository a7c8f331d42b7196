package mapping

import (
	"net/http"
	"strings"
	"time"

	"postern/internal/datemath"
	"postern/internal/eserr"
	"postern/internal/jsonx"
)

const nanosFormat = "strict_date_optional_time_nanos||epoch_millis"

func dateType(name string) *fieldType {
	standard := datemath.DefaultPattern
	if name == "date_nanos" {
		standard = nanosFormat
	}
	params := append(columnParams(),
		parameter{name: "format", standard: standard, read: func(_ *fieldContext, v jsonx.Value) (setting, error) {
			return textSetting(javaString(v)), nil
		}},
		parameter{name: "locale", standard: "", read: readLocale},
		parameter{name: "null_value", standard: "null", nullable: true, read: func(_ *fieldContext, v jsonx.Value) (setting, error) {
			return textSetting(javaString(v)), nil
		}},
		malformedParam(false))
	params = append(params, scriptParams()...)
	params = append(params, metaParam())
	return &fieldType{name: name, kind: KindLong, params: params, fill: fillDate, read: readDate}
}

// readLocale takes the locales in which names of months and days are English.
func readLocale(c *fieldContext, v jsonx.Value) (setting, error) {
	text := javaString(v)
	part := strings.FieldsFunc(text, func(r rune) bool { return r == '_' || r == '-' })
	if len(part) > 3 {
		return setting{}, eserr.IllegalArgument("Locales can have at most 3 parts but got %d: [%s]", len(part), strings.Join(part, ", "))
	}
	if len(part) > 0 && part[0] != "en" && !strings.EqualFold(part[0], "root") {
		return setting{}, eserr.Refused("[locale] [%s] on mapper [%s] of type [%s] is not supported", text, c.name, c.typ.name)
	}
	return textSetting(text), nil
}

func fillDate(c *fieldContext, f *Field) error {
	indexed(f)
	if !f.find("ignore_malformed").given {
		f.ignoreMalformed = c.options.IgnoreMalformed
	}
	if c.dateFormat != "" && !f.find("format").given {
		for i := range f.typ.params {
			if f.typ.params[i].name == "format" {
				f.settings[i] = textSetting(c.dateFormat)
				f.settings[i].given = true
			}
		}
	}
	pattern := f.find("format").text
	format, err := datemath.ParseFormat(pattern)
	if err != nil {
		inner, _ := eserr.As(err)
		if inner.Status == http.StatusNotImplemented {
			return inner
		}
		return eserr.IllegalArgument("Error parsing [format] on field [%s]: %s", c.name, inner.Reason).Cause(inner)
	}
	f.Format = format
	if f.setNull(); f.NullValue.Exists() {
		if _, err := f.instant(f.NullValue.Text()); err != nil {
			return mapperParsing("Error parsing [null_value] on field [%s]: %s", c.name, err.Reason).Cause(err)
		}
	}
	return nil
}

// instant reads a date in the field's resolution.
func (f *Field) instant(text string) (int64, *eserr.Error) {
	at, err := f.Format.Parse(text, time.UTC)
	if err != nil {
		e, ok := eserr.As(err)
		if !ok {
			e = eserr.IllegalArgument("%s", err.Error())
		}
		return 0, e
	}
	if f.Type == "date" {
		return at.Millis(), nil
	}
	if !at.InNanoRange() {
		text := at.Java()
		if at.Sec < 0 {
			return 0, eserr.IllegalArgument("date[%s] is before the epoch in 1970 and cannot be stored in nanosecond resolution", text)
		}
		return 0, eserr.IllegalArgument("date[%s] is after 2262-04-11T23:47:16.854775807 and cannot be stored in nanosecond resolution", text)
	}
	return at.ClampedNanos(), nil
}

func readDate(p *docParser, f *Field, v jsonx.Value) error {
	if v.Kind() >= jsonx.Object {
		return p.fail(f, v, noText(v))
	}
	n, err := f.instant(p.text(v))
	if err != nil {
		return p.wrong(f, v, err)
	}
	if f.Index || f.DocValues || f.Store {
		p.add(Value{Field: f, I: n})
	}
	return nil
}
