package faults

import (
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Rule decides about one message; it is called from several goroutines.
type Rule func() Verdict

// Verdict is what becomes of a message.
type Verdict struct {
	act   action
	delay time.Duration
}

type action int

const (
	pass action = iota
	cut
	hold
	swallow
)

// Pass lets a message through.
func Pass() Verdict { return Verdict{} }

// Cut resets the message's connection instead of passing it on.
func Cut() Verdict { return Verdict{act: cut} }

// Hold keeps the message, and what follows it on its connection, until Heal. It then goes
// on even if its sender has given up meanwhile: a late write arrives.
func Hold() Verdict { return Verdict{act: hold} }

// Swallow loses the message and all that follows it on its connection in this direction;
// the other side is told nothing.
func Swallow() Verdict { return Verdict{act: swallow} }

// Delay passes a message on after d.
func Delay(d time.Duration) Verdict { return Verdict{delay: d} }

// Proxy stands between clients and one server.
type Proxy struct {
	// Addr is where clients connect.
	Addr string

	upstream string
	protocol Protocol
	listener net.Listener
	answered atomic.Int64

	mu       sync.Mutex
	requests Rule
	answers  Rule
	healed   chan struct{} // closed by Heal; then a new one
	down     bool
	closed   bool
	links    map[*link]struct{}
	running  sync.WaitGroup
}

// link is one client's connection and the one behind it.
type link struct{ client, server net.Conn }

// Start puts a proxy before the server at upstream, until the test ends.
func Start(t testing.TB, upstream string, protocol Protocol) *Proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{
		Addr: listener.Addr().String(), upstream: upstream, protocol: protocol, listener: listener,
		requests: Pass, answers: Pass, healed: make(chan struct{}), links: map[*link]struct{}{},
	}
	p.running.Go(p.accept)
	t.Cleanup(func() {
		p.mu.Lock()
		p.closed = true
		p.mu.Unlock()
		listener.Close()
		p.Heal()
		p.CutAll()
		p.running.Wait()
	})
	return p
}

// Requests makes a rule for what clients send from now on.
func (p *Proxy) Requests(rule Rule) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests = rule
}

// Answers makes a rule for what the server sends from now on.
func (p *Proxy) Answers(rule Rule) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answers = rule
}

// Heal ends all faults: what was held goes on, and new connections are taken.
func (p *Proxy) Heal() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests, p.answers, p.down = Pass, Pass, false
	close(p.healed)
	p.healed = make(chan struct{})
}

// CutAll resets every connection that is open.
func (p *Proxy) CutAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for l := range p.links {
		l.reset()
	}
}

// Down resets every connection and each new one, until Heal.
func (p *Proxy) Down() {
	p.mu.Lock()
	p.down = true
	p.mu.Unlock()
	p.CutAll()
}

// Answered counts the messages that the server has sent, whatever became of them.
func (p *Proxy) Answered() int64 { return p.answered.Load() }

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.running.Go(func() { p.serve(client) })
	}
}

func (p *Proxy) serve(client net.Conn) {
	l := &link{client: client}
	if !p.open(l) {
		l.reset()
		return
	}
	var both sync.WaitGroup
	both.Go(func() {
		p.copy(l, l.server, l.client, p.protocol.requests(), func() Verdict { return p.rule(true)() })
	})
	both.Go(func() {
		p.copy(l, l.client, l.server, p.protocol.answers(), func() Verdict { p.answered.Add(1); return p.rule(false)() })
	})
	both.Wait()
	l.client.Close()
	l.server.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.links, l)
}

// open connects to the server, unless the proxy is down.
func (p *Proxy) open(l *link) bool {
	server, err := net.DialTimeout("tcp", p.upstream, 5*time.Second)
	if err != nil {
		return false
	}
	l.server = server
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.down || p.closed {
		return false
	}
	p.links[l] = struct{}{}
	return true
}

func (p *Proxy) rule(request bool) Rule {
	p.mu.Lock()
	defer p.mu.Unlock()
	if request {
		return p.requests
	}
	return p.answers
}

func (p *Proxy) untilHealed() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.healed
}

// copy passes one direction of a connection on, piece by piece, until it ends.
func (p *Proxy) copy(l *link, to, from net.Conn, next splitter, rule Rule) {
	swallowing := false
	for {
		piece, message, err := next(from)
		if err != nil {
			if to, ok := to.(*net.TCPConn); ok && !swallowing {
				_ = to.CloseWrite() // the other side may be gone already
			}
			return
		}
		if message && !swallowing {
			healed := p.untilHealed()
			switch verdict := rule(); verdict.act {
			case cut:
				l.reset()
				return
			case hold:
				<-healed
			case swallow:
				swallowing = true
			default:
				time.Sleep(verdict.delay)
			}
		}
		if swallowing {
			continue
		}
		if _, err := to.Write(piece); err != nil {
			l.reset()
			return
		}
	}
}

// reset closes both connections so that the peers see an error, not an end.
func (l *link) reset() {
	for _, c := range []net.Conn{l.client, l.server} {
		if tcp, ok := c.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0) // of no use on a connection that is closed already
			tcp.Close()
		}
	}
}
