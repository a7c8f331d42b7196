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
		got, err := t.Send(ctx, kept.request(x.Request))
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", x.Line, err)
		}
		answer := &recording.Answer{Status: got.Status}
		if x.Answer != nil {
			answer.Rules = x.Answer.Rules
		}
		rules := slices.Concat(r.Rules, answer.Rules)
		if body, err := jsontree.Parse(got.Body); err == nil {
			if missing := kept.take(rules, body); len(missing) > 0 {
				return nil, fmt.Errorf("line %d: nothing to capture as %s in %s", x.Line, strings.Join(missing, ", "), clip(got.Body))
			}
		}
		answer.Body, answer.Headers = Written(got, rules, kept.contract)
		x.Answer = answer
	}
	return &recorded, t.clean(ctx, r)
}

// Written returns body and headers of an answer as a recording keeps them: without what
// can't be the same again, captured values under their names, and every other text as
// contract returns it.
func Written(got *Response, rules []recording.Rule, contract func(string) string) ([]byte, []recording.Header) {
	return writtenBody(got, slices.Concat(defaultRules(), rules), contract), writtenHeaders(got, contract)
}

func writtenBody(got *Response, rules []recording.Rule, contract func(string) string) []byte {
	if len(got.Body) == 0 {
		return nil
	}
	body, err := jsontree.Parse(got.Body)
	if err != nil || has(rules, recording.Exact) {
		return []byte(contract(string(got.Body)))
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
		if s, ok := v.(string); ok {
			return contract(s)
		}
		return v
	})
	return []byte(jsontree.Pretty(body))
}

func writtenHeaders(got *Response, contract func(string) string) []recording.Header {
	var list []recording.Header
	for _, name := range keptHeaders {
		value := canonicalHeader(name, got.Headers.Values(name))
		if value == "" && name != "Content-Type" || name == "Content-Type" && value == "application/json" {
			continue
		}
		list = append(list, recording.Header{Name: name, Value: contract(value)})
	}
	if got.Headers.Get("X-elastic-product") == "" {
		list = append(list, recording.Header{Name: "X-elastic-product"})
	}
	return list
}
