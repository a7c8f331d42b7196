package replay

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"postern/conformance/jsontree"
	"postern/conformance/recording"
)

// keptHeaders are those of an answer that clients read.
var keptHeaders = [...]string{"Content-Type", "Location", "Allow", "Warning", "X-Opaque-Id", "Content-Encoding"}

// Record asks the engine all requests of r and returns r with its answers. The rules of
// answers that r has already stay.
func (t Target) Record(ctx context.Context, r *recording.Recording, engine string) (*recording.Recording, error) {
	if err := t.prepare(ctx, r); err != nil {
		return nil, err
	}
	recorded := *r
	recorded.Engine = engine
	recorded.Exchanges = slices.Clone(r.Exchanges)
	kept := captures{}
	for i := range recorded.Exchanges {
		x := &recorded.Exchanges[i]
		got, err := send(ctx, t.Address, kept.request(x.Request))
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", x.Line, err)
		}
		answer := &recording.Answer{Status: got.status}
		if x.Answer != nil {
			answer.Rules = x.Answer.Rules
		}
		rules := slices.Concat(defaultRules(), r.Rules, answer.Rules)
		if answer.Body, err = kept.record(got, rules); err != nil {
			return nil, fmt.Errorf("line %d: %w", x.Line, err)
		}
		answer.Headers = kept.recordHeaders(got)
		x.Answer = answer
	}
	return &recorded, t.clean(ctx, r)
}

// record returns the body as a recording keeps it.
func (c captures) record(got *response, rules []recording.Rule) ([]byte, error) {
	if len(got.body) == 0 {
		return nil, nil
	}
	body, err := jsontree.Parse(got.body)
	if err != nil {
		return []byte(c.contract(string(got.body))), nil
	}
	if missing := c.take(rules, body); len(missing) > 0 {
		return nil, fmt.Errorf("nothing to capture as %s in %s", strings.Join(missing, ", "), clip(got.body))
	}
	if has(rules, recording.Exact) {
		return []byte(c.contract(string(got.body))), nil
	}
	body = jsontree.Map(body, func(at []string, v jsontree.Value) jsontree.Value {
		for _, r := range rules {
			if r.Kind == recording.Capture && r.Path.Matches(at) {
				return "${" + r.Name + "}"
			}
			// took would change on each recording, for nothing
			if r.Kind == recording.Ignore && r.Path.Matches(at) {
				if _, number := v.(jsontree.Number); number {
					return jsontree.Number("0")
				}
			}
		}
		return v
	})
	return []byte(jsontree.Pretty(c.contractValue(body))), nil
}

func (c captures) recordHeaders(got *response) []recording.Header {
	var list []recording.Header
	for _, name := range keptHeaders {
		value := canonicalHeader(name, got.headers.Values(name))
		if value == "" && name != "Content-Type" || name == "Content-Type" && value == "application/json" {
			continue
		}
		list = append(list, recording.Header{Name: name, Value: c.contract(value)})
	}
	if got.headers.Get("X-elastic-product") == "" {
		list = append(list, recording.Header{Name: "X-elastic-product"})
	}
	return list
}
