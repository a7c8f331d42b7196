package replay

import (
	"net/url"
	"strings"

	"postern/conformance/jsontree"
	"postern/conformance/recording"
)

// captures are the values kept under names in one run of a scenario.
type captures map[string]jsontree.Value

// text is the captured value as it stands inside a longer text.
func (c captures) text(name string) string {
	if s, ok := c[name].(string); ok {
		return s
	}
	return jsontree.Compact(c[name])
}

// request returns q with each ${name} replaced: escaped in the target, and as the JSON
// value itself where a body has "${name}".
func (c captures) request(q recording.Request) recording.Request {
	if len(c) == 0 {
		return q
	}
	q.Headers = append([]recording.Header(nil), q.Headers...)
	for name := range c {
		reference := "${" + name + "}"
		q.Target = strings.ReplaceAll(q.Target, reference, url.QueryEscape(c.text(name)))
		for i := range q.Headers {
			q.Headers[i].Value = strings.ReplaceAll(q.Headers[i].Value, reference, c.text(name))
		}
		if q.Body != nil {
			body := strings.ReplaceAll(string(q.Body), `"`+reference+`"`, jsontree.Compact(c[name]))
			q.Body = []byte(strings.ReplaceAll(body, reference, c.text(name)))
		}
	}
	return q
}

// expand replaces each ${name} in text.
func (c captures) expand(text string) string {
	for name := range c {
		text = strings.ReplaceAll(text, "${"+name+"}", c.text(name))
	}
	return text
}

// expandValue replaces each ${name} in v: a string that is nothing else becomes the value.
func (c captures) expandValue(v jsontree.Value) jsontree.Value {
	return jsontree.Map(v, func(_ []string, v jsontree.Value) jsontree.Value {
		s, ok := v.(string)
		if !ok || !strings.Contains(s, "${") {
			return v
		}
		if name, ok := strings.CutPrefix(s, "${"); ok && strings.HasSuffix(name, "}") {
			if value, ok := c[name[:len(name)-1]]; ok {
				return value
			}
		}
		return c.expand(s)
	})
}

// shortest is how long a captured text has to be before the recorder replaces it in
// later answers: shorter ones would be found by chance.
const shortest = 8

// contract is the inverse of expand, for recording.
func (c captures) contract(text string) string {
	for name := range c {
		if value, ok := c[name].(string); ok && len(value) >= shortest {
			text = strings.ReplaceAll(text, value, "${"+name+"}")
		}
	}
	return text
}

// take keeps what the answer's capture rules name, and returns the names not found.
func (c captures) take(rules []recording.Rule, body jsontree.Value) (missing []string) {
	for _, r := range rules {
		if r.Kind != recording.Capture {
			continue
		}
		v, ok := r.Path.Find(body)
		if !ok {
			missing = append(missing, r.Name)
			continue
		}
		c[r.Name] = v
	}
	return missing
}
