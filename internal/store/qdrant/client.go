package qdrant

import (
	"context"
	"crypto/tls"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"time"

	pb "github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

const (
	// connections are how many carry the calls: one HTTP/2 connection is one congestion
	// window and one lock.
	connections = 4
	// maxAnswer bounds one answer. Pages are cut far below it; a single document may be as
	// large as a request's body.
	maxAnswer = 512 << 20
	// readTries is how often a read is tried.
	readTries = 3
)

// client makes the calls. Each has a deadline of its own; reads are repeated a few times,
// writes never.
type client struct {
	conns   []*grpc.ClientConn
	next    atomic.Uint32
	timeout time.Duration
	calls   atomic.Int64
}

// dial prepares connections; they are made when they are first used, and again after they
// were lost.
func dial(o *Options) (*client, error) {
	credential := insecure.NewCredentials()
	if o.TLS {
		credential = credentials.NewTLS(&tls.Config{MinVersion: tls.VersionTLS12})
	}
	c := &client{timeout: o.Timeout}
	for range connections {
		conn, err := grpc.NewClient(o.Address,
			grpc.WithTransportCredentials(credential),
			grpc.WithUserAgent("postern"),
			grpc.WithConnectParams(grpc.ConnectParams{MinConnectTimeout: 2 * time.Second,
				Backoff: backoff.Config{BaseDelay: 50 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: time.Second}}),
			grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 30 * time.Second, Timeout: 5 * time.Second}),
			grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxAnswer), grpc.MaxCallSendMsgSize(maxAnswer)),
			grpc.WithUnaryInterceptor(c.intercept(o.APIKey)))
		if err != nil {
			return nil, errors.Join(err, c.close())
		}
		c.conns = append(c.conns, conn)
	}
	return c, nil
}

func (c *client) close() error {
	var err error
	for _, conn := range c.conns {
		err = errors.Join(err, conn.Close())
	}
	return err
}

// intercept counts the calls and adds the key.
func (c *client) intercept(key string) grpc.UnaryClientInterceptor {
	return func(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		c.calls.Add(1)
		if key != "" {
			ctx = metadata.AppendToOutgoingContext(ctx, "api-key", key)
		}
		return invoke(ctx, method, req, reply, conn, opts...)
	}
}

func (c *client) conn() *grpc.ClientConn {
	return c.conns[int(c.next.Add(1))%len(c.conns)]
}

func (c *client) points() pb.PointsClient           { return pb.NewPointsClient(c.conn()) }
func (c *client) collections() pb.CollectionsClient { return pb.NewCollectionsClient(c.conn()) }

// read makes a call that changes nothing, again if it fails for a reason that may pass.
func read[T any](ctx context.Context, c *client, call func(context.Context) (T, error)) (T, error) {
	pause := 20 * time.Millisecond
	for try := 1; ; try++ {
		answer, err := once(ctx, c.timeout, call)
		if err == nil {
			return answer, nil
		}
		if try == readTries || !passes(err) || ctx.Err() != nil {
			return answer, readError(ctx, err)
		}
		if !sleep(ctx, pause/2+rand.N(pause)) {
			return answer, ctx.Err()
		}
		pause *= 4
	}
}

// write makes a call that changes something. Once begun it is not given up with its
// request: an outcome that nobody waited for would be unknown.
func write[T any](ctx context.Context, c *client, call func(context.Context) (T, error)) (T, error) {
	if err := ctx.Err(); err != nil {
		var none T
		return none, err
	}
	answer, err := once(context.WithoutCancel(ctx), c.timeout, call)
	return answer, writeError(err)
}

func once[T any](ctx context.Context, timeout time.Duration, call func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return call(ctx)
}

// passes tells that a failed call may succeed when it is made again.
func passes(err error) bool {
	switch status.Code(err) {
	case codes.Unavailable, codes.DeadlineExceeded, codes.ResourceExhausted, codes.Aborted:
		return true
	}
	return false
}

// sleep reports whether ctx lasted as long.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
