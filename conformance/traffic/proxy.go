// Package traffic records what passes between an application and its engine: a proxy stands
// between them and writes a recording, without credentials.
package traffic

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"postern/conformance/recording"
	"postern/conformance/replay"
)

const (
	// maxBody is Elasticsearch's own http.max_content_length.
	maxBody = 100 << 20
	// maxKept bounds what is kept in memory of all bodies; beyond it requests are still
	// answered, but no longer recorded.
	maxKept = 1 << 30
	// visible is the refresh interval of an index that says nothing else: a search so long
	// after a write finds it.
	visible = time.Second
)

// Proxy forwards to an engine and keeps what passed.
type Proxy struct {
	target replay.Target
	label  string
	before map[string]bool // the indices that were there when the recording began

	mu        sync.Mutex
	exchanges []*exchange
	kept      int
	full      bool
	hidden    secrets
	unseen    map[string]time.Time // indices written to without a refresh since, and when last
}

// exchange is a request in the order of arrival; answer is nil while the engine works.
type exchange struct {
	note    []string
	request recording.Request
	answer  *replay.Response
}

// New returns a proxy for target. It asks the engine once which version it is and which
// indices it has.
func New(ctx context.Context, target replay.Target) (*Proxy, error) {
	version, err := target.Version(ctx)
	if err != nil {
		return nil, err
	}
	p := &Proxy{target: target, label: target.Name + " " + version, hidden: secrets{}, unseen: map[string]time.Time{}}
	p.before, err = p.indices(ctx)
	p.hidden.authorization(target.Authorization)
	return p, err
}

// Len is how many exchanges were kept so far.
func (p *Proxy) Len() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.exchanges)
}

// ServeHTTP forwards one request and returns the engine's answer to the application.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	sent, kept, err := read(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	p.authorized(r.Header.Values("Authorization"))
	p.refresh(r.Context(), kept)
	x := p.begin(kept)
	answer, err := p.target.Send(r.Context(), sent)
	if err != nil {
		p.drop(x)
		http.Error(w, "the engine behind the recorder: "+err.Error(), http.StatusBadGateway)
		return
	}
	p.end(x, answer)
	header := w.Header()
	for name, values := range answer.Headers {
		if !hopByHop[strings.ToLower(name)] {
			header[name] = values
		}
	}
	if r.Method == http.MethodHead {
		header["Content-Length"] = answer.Headers["Content-Length"]
	}
	w.WriteHeader(answer.Status)
	_, _ = w.Write(answer.Body) // a client that has gone is no concern of the recording
}

// hopByHop are the headers of one connection, and those of an encoding that Send undoes.
var hopByHop = map[string]bool{
	"connection": true, "keep-alive": true, "proxy-authenticate": true, "proxy-connection": true, "te": true, "trailer": true,
	"transfer-encoding": true, "upgrade": true, "content-length": true, "content-encoding": true, "host": true, "accept-encoding": true,
}

// read returns the request as it goes to the engine, and as a recording may keep it.
func read(r *http.Request) (sent, kept recording.Request, err error) {
	sent = recording.Request{Method: r.Method, Target: r.RequestURI}
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, maxBody))
	if err != nil {
		return sent, kept, err
	}
	if strings.EqualFold(r.Header.Get("Content-Encoding"), "gzip") {
		// Send compresses again what a header says is compressed.
		sent.Headers = append(sent.Headers, recording.Header{Name: "Content-Encoding", Value: "gzip"})
		if body, err = inflate(body); err != nil {
			return sent, kept, err
		}
	}
	if len(body) > 0 || r.ContentLength > 0 {
		sent.Body = body
	}
	for name, values := range r.Header {
		for _, v := range values {
			if !hopByHop[strings.ToLower(name)] {
				sent.Headers = append(sent.Headers, recording.Header{Name: name, Value: v})
			}
		}
	}
	kept = sent
	kept.Headers = keptHeaders(sent)
	return sent, kept, nil
}

func inflate(body []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	inflated, err := io.ReadAll(io.LimitReader(z, maxBody+1))
	if err == nil && len(inflated) > maxBody {
		err = fmt.Errorf("the body inflates to more than %d bytes", maxBody)
	}
	return inflated, err
}

func (p *Proxy) authorized(values []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, v := range values {
		p.hidden.authorization(v)
	}
}

func (p *Proxy) begin(q recording.Request) *exchange {
	x := &exchange{request: q}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.full = p.full || p.kept > maxKept; !p.full {
		p.exchanges = append(p.exchanges, x)
		p.kept += len(q.Body)
	}
	return x
}

func (p *Proxy) end(x *exchange, answer *replay.Response) {
	p.mu.Lock()
	defer p.mu.Unlock()
	x.answer = answer
	p.kept += len(answer.Body)
	p.note(x)
}

func (p *Proxy) drop(x *exchange) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.exchanges {
		if p.exchanges[i] == x {
			p.exchanges = append(p.exchanges[:i], p.exchanges[i+1:]...)
			return
		}
	}
}

// finished returns the answered exchanges so far.
func (p *Proxy) finished() []*exchange {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []*exchange
	for _, x := range p.exchanges {
		if x.answer != nil {
			list = append(list, x)
		}
	}
	return list
}
