package traffic

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"postern/conformance/jsontree"
	"postern/conformance/recording"
)

// indices asks the engine which indices there are.
func (p *Proxy) indices(ctx context.Context) (map[string]bool, error) {
	answer, err := p.target.Send(ctx, recording.Request{Method: http.MethodGet, Target: "/_all/_settings?expand_wildcards=all"})
	if err != nil {
		return nil, err
	}
	body, err := jsontree.Parse(answer.Body)
	if err != nil {
		return nil, err
	}
	there := map[string]bool{}
	o, _ := body.(jsontree.Object)
	for _, m := range o {
		there[m.Name] = true
	}
	return there, nil
}

// note keeps which indices were written to without a refresh; p.mu is held.
func (p *Proxy) note(x *exchange) {
	_, name, _ := endpoint(x.request.Target)
	switch {
	case name == "_refresh" || name == "_flush":
		p.unseen = map[string]time.Time{}
	case x.isWrite() && x.succeeded():
		refresh, asked := parameters(x.request.Target)["refresh"]
		for _, index := range x.touched() {
			if asked && refresh[0] != "false" {
				delete(p.unseen, index)
			} else {
				p.unseen[index] = time.Now()
			}
		}
	}
}

// refresh does what time has done for the application and won't do in a replay: before a
// search that comes a second or more after a write, the index is refreshed, and the
// recording says so.
func (p *Proxy) refresh(ctx context.Context, q recording.Request) {
	_, name, _ := endpoint(q.Target)
	if !slices.Contains(searches[:], name) {
		return
	}
	p.mu.Lock()
	var due []string
	for index, last := range p.unseen {
		if time.Since(last) >= visible {
			due = append(due, url.PathEscape(index))
			delete(p.unseen, index)
		}
	}
	p.mu.Unlock()
	if len(due) == 0 {
		return
	}
	slices.Sort(due)
	x := p.begin(recording.Request{Method: http.MethodPost, Target: "/" + strings.Join(due, ",") + "/_refresh"})
	x.note = []string{"By the recorder: more than a second went by here, in which the engine refreshed the index."}
	answer, err := p.target.Send(ctx, x.request)
	if err != nil {
		p.drop(x)
		return
	}
	p.end(x, answer)
}
