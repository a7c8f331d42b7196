package mapping

import (
	"net/netip"
	"strings"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

func ipType() *fieldType {
	params := append(columnParams(), malformedParam(false),
		parameter{name: "null_value", standard: "null", nullable: true, read: func(c *fieldContext, v jsonx.Value) (setting, error) {
			text := javaString(v)
			if _, ok := parseIP(text); !ok {
				e := notIP(text)
				return setting{}, mapperParsing("Error parsing [null_value] on field [%s]: %s", c.name, e.Reason).Cause(e)
			}
			return textSetting(text), nil
		}})
	params = append(params, scriptParams()...)
	params = append(params, metaParam(), refusedParam("time_series_dimension", "false"))
	return &fieldType{name: "ip", kind: KindIP, params: params, read: readIP, fill: func(c *fieldContext, f *Field) error {
		indexed(f)
		if !f.find("ignore_malformed").given {
			f.ignoreMalformed = c.options.IgnoreMalformed
		}
		f.setNull()
		return nil
	}}
}

func notIP(text string) *eserr.Error {
	return eserr.IllegalArgument("'%s' is not an IP string literal.", text)
}

// parseIP reads an address into 16 bytes; a zone is dropped.
func parseIP(text string) (raw [16]byte, ok bool) {
	if i := strings.IndexByte(text, '%'); i > 0 && strings.IndexByte(text, ':') >= 0 {
		text = text[:i]
	}
	a, err := netip.ParseAddr(text)
	if err != nil {
		return raw, false
	}
	return a.As16(), true
}

func readIP(p *docParser, f *Field, v jsonx.Value) error {
	if v.Kind() >= jsonx.Object {
		return p.fail(f, v, noText(v))
	}
	text := p.text(v)
	raw, ok := parseIP(text)
	if !ok {
		return p.wrong(f, v, notIP(text))
	}
	if f.Index || f.DocValues || f.Store {
		p.add(Value{Field: f, S: p.keep(raw[:])})
	}
	return nil
}
