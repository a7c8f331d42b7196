package traffic

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"postern/conformance/jsontree"
	"postern/conformance/recording"
	"postern/conformance/replay"
)

// Recording returns what passed so far as a scenario, or nil if that is nothing.
func (p *Proxy) Recording() *recording.Recording {
	exchanges := p.finished()
	if len(exchanges) == 0 {
		return nil
	}
	r := &recording.Recording{
		About:  []string{"Recorded from an application's own traffic."},
		Engine: p.label,
		Alone:  "an application's traffic may ask about all indices",
	}
	if p.full {
		r.About = append(r.About, fmt.Sprintf("Incomplete: recording ended after %d bytes of bodies.", p.kept))
	}
	hidden, named := p.secrets(exchanges), newNames(exchanges)
	for i, x := range exchanges {
		p.creates(r, x)
		r.Exchanges = append(r.Exchanges, write(i, x, hidden, named))
	}
	if there := p.older(exchanges); there != nil {
		r.About = append(r.About, "It uses indices that were there before, with documents that a replay does not have: "+strings.Join(there, ", ")+".")
	}
	r.Literal = literal(r)
	return r
}

// older returns the indices that exchanges name and that were there when the recording began.
func (p *Proxy) older(exchanges []*exchange) []string {
	used := map[string]bool{}
	for _, x := range exchanges {
		index, _, _ := endpoint(x.request.Target)
		for name := range strings.SplitSeq(index, ",") {
			used[name] = true
		}
		if x.isWrite() {
			for _, name := range x.touched() {
				used[name] = true
			}
		}
	}
	maps.DeleteFunc(used, func(name string, _ bool) bool { return !p.before[name] })
	return slices.Sorted(maps.Keys(used))
}

// secrets returns the credentials in the administrative exchanges.
func (p *Proxy) secrets(exchanges []*exchange) secrets {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, x := range exchanges {
		if administrative(x.request.Target) {
			p.hidden.body(x.request.Body)
			p.hidden.body(x.answer.Body)
		}
	}
	return maps.Clone(p.hidden)
}

// write returns exchange i as a recording has it.
func write(i int, x *exchange, hidden secrets, named *names) recording.Exchange {
	q, got := x.request, *x.answer
	var rules []recording.Rule
	if administrative(q.Target) {
		if q.Body != nil {
			q.Body, _ = hidden.body(q.Body)
		}
		var places []jsontree.Path
		got.Body, places = hidden.body(got.Body)
		for _, place := range places {
			rules = append(rules, recording.Rule{Kind: recording.Ignore, Path: place})
		}
	}
	contract := func(text string) string { return hidden.hide(named.replace(text)) }
	q.Target = contract(q.Target)
	if q.Body != nil {
		q.Body = []byte(contract(string(q.Body)))
	}
	rules = slices.Concat(rules, named.rules(i, x))
	if x.succeeded() {
		rules = slices.Concat(rules, present(got.Body, ownRules(q.Target)))
	}
	body, headers := replay.Written(&got, rules, contract)
	return recording.Exchange{
		Note:    x.note,
		Request: q,
		Answer:  &recording.Answer{Status: got.Status, Headers: headers, Rules: rules, Body: body},
	}
}

// present returns the rules whose place is there.
func present(body []byte, rules []recording.Rule) []recording.Rule {
	v, err := jsontree.Parse(body)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(rules, func(r recording.Rule) bool {
		_, found := r.Path.Find(v)
		return !found && r.Kind != recording.Optional
	})
}

// creates notes what x brought into being: a replay may delete that, and nothing that was
// there before.
func (p *Proxy) creates(r *recording.Recording, x *exchange) {
	if !x.succeeded() {
		return
	}
	add := func(kind, name string) {
		thing := recording.Named{Kind: kind, Name: name}
		if recording.PlainName(name) && !slices.Contains(r.Creates, thing) && !(kind == "index" && p.before[name]) {
			r.Creates = append(r.Creates, thing)
		}
	}
	if x.isWrite() {
		for _, name := range x.touched() {
			if !strings.HasPrefix(name, ".ds-") { // goes with its data stream
				add("index", name)
			}
		}
	}
	if x.request.Method != http.MethodPut && x.request.Method != http.MethodPost {
		return
	}
	steps := segments(x.request.Target)
	for _, kind := range recording.Kinds {
		prefix := strings.Split(strings.Trim(kind.Path, "/"), "/")
		if kind.Name != "index" && len(steps) == len(prefix)+1 && slices.Equal(steps[:len(prefix)], prefix) {
			add(kind.Name, steps[len(steps)-1])
		}
	}
	if body, err := jsontree.Parse(x.answer.Body); err == nil {
		for _, member := range []string{"index", "new_index"} { // of create, clone, rollover
			if name, ok := (jsontree.Path{member}).Find(body); ok {
				if name, ok := name.(string); ok {
					add("index", name)
				}
			}
		}
	}
}

// literal returns the ${names} in r that stand for themselves.
func literal(r *recording.Recording) []string {
	captured := map[string]bool{}
	var found []string
	for _, x := range r.Exchanges {
		for _, name := range recording.References(x.Request.Target + " " + string(x.Request.Body)) {
			if !captured[name] && !slices.Contains(found, name) {
				found = append(found, name)
			}
		}
		for _, rule := range x.Answer.Rules {
			if rule.Kind == recording.Capture {
				captured[rule.Name] = true
			}
		}
	}
	return found
}
