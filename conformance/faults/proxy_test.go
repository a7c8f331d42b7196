package faults_test

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"postern/conformance/faults"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
)

// echo answers each read with the same bytes in upper case, and counts them.
func echo(t *testing.T) (address string, asked *atomic.Int64) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	asked = new(atomic.Int64)
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				text := make([]byte, 100)
				for {
					n, err := c.Read(text)
					if err != nil {
						return
					}
					asked.Add(1)
					if _, err := io.WriteString(c, strings.ToUpper(string(text[:n]))); err != nil {
						return
					}
				}
			}()
		}
	}()
	return listener.Addr().String(), asked
}

// ask sends text and wants its answer within a time.
func ask(t *testing.T, c net.Conn, text string, within time.Duration) error {
	t.Helper()
	if _, err := io.WriteString(c, text); err != nil {
		return err
	}
	if err := c.SetReadDeadline(time.Now().Add(within)); err != nil {
		t.Fatal(err)
	}
	answer := make([]byte, len(text))
	if _, err := io.ReadFull(c, answer); err != nil {
		return err
	}
	if string(answer) != strings.ToUpper(text) {
		t.Fatalf("answer %q", answer)
	}
	return nil
}

func dial(t *testing.T, p *faults.Proxy) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", p.Addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

const short, long = 50 * time.Millisecond, 10 * time.Second

func timedOut(err error) bool {
	var e net.Error
	return errors.As(err, &e) && e.Timeout()
}

func TestFaults(t *testing.T) {
	server, asked := echo(t)
	p := faults.Start(t, server, faults.Bytes)
	c := dial(t, p)
	if err := ask(t, c, "pass", long); err != nil {
		t.Fatal(err)
	}

	p.Answers(faults.Hold)
	if err := ask(t, c, "held", short); !timedOut(err) {
		t.Fatalf("a held answer came: %v", err)
	}
	if asked.Load() != 2 || p.Answered() != 2 {
		t.Fatal("the request of a held answer did not arrive")
	}
	p.Heal()
	answer := make([]byte, 4)
	_ = c.SetReadDeadline(time.Now().Add(long))
	if _, err := io.ReadFull(c, answer); err != nil || string(answer) != "HELD" {
		t.Fatalf("%q %v", answer, err)
	}

	p.Answers(func() faults.Verdict { return faults.Delay(2 * short) })
	started := time.Now()
	if err := ask(t, c, "slow", long); err != nil || time.Since(started) < 2*short {
		t.Fatalf("%v after %v", err, time.Since(started))
	}

	p.Answers(faults.Cut)
	if err := ask(t, c, "lost", long); err == nil || timedOut(err) || asked.Load() != 4 {
		t.Fatalf("a cut answer: %v, asked %d", err, asked.Load())
	}

	p.Heal()
	p.Requests(faults.Cut)
	if err := ask(t, dial(t, p), "never", long); err == nil || timedOut(err) || asked.Load() != 4 {
		t.Fatalf("a cut request: %v, asked %d", err, asked.Load())
	}

	p.Requests(faults.Hold)
	late := dial(t, p)
	if err := ask(t, late, "late", short); !timedOut(err) || asked.Load() != 4 {
		t.Fatalf("a held request: %v, asked %d", err, asked.Load())
	}
	late.Close()
	p.Heal()
	for deadline := time.Now().Add(long); asked.Load() != 5; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the late request never arrived")
		}
	}

	p.Answers(faults.Swallow)
	c = dial(t, p)
	if err := ask(t, c, "gone", short); !timedOut(err) {
		t.Fatalf("a swallowed answer: %v", err)
	}
	p.Heal()
	if err := ask(t, c, "more", short); !timedOut(err) {
		t.Fatalf("after a swallowed answer came another: %v", err)
	}

	p.Down()
	if err := ask(t, c, "down", long); err == nil || timedOut(err) {
		t.Fatalf("a connection survived: %v", err)
	}
	if err := ask(t, dial(t, p), "down", long); err == nil || timedOut(err) {
		t.Fatalf("a new connection works: %v", err)
	}
	p.Heal()
	if err := ask(t, dial(t, p), "up", long); err != nil {
		t.Fatal(err)
	}
	p.CutAll()
}

// counter is a gRPC service that counts its calls.
type counter struct {
	grpc_health_v1.UnimplementedHealthServer
	calls atomic.Int64
}

func (c *counter) Check(context.Context, *grpc_health_v1.HealthCheckRequest) (*grpc_health_v1.HealthCheckResponse, error) {
	c.calls.Add(1)
	return &grpc_health_v1.HealthCheckResponse{Status: grpc_health_v1.HealthCheckResponse_SERVING}, nil
}

// An answer of gRPC that is cut belongs to a call that was made, on a new connection too,
// where settings are exchanged first.
func TestACutAnswerOfGRPCComesAfterTheCall(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	service := &counter{}
	server := grpc.NewServer()
	grpc_health_v1.RegisterHealthServer(server, service)
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	p := faults.Start(t, listener.Addr().String(), faults.HTTP2)
	connection, err := grpc.NewClient(p.Addr, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	client := grpc_health_v1.NewHealthClient(connection)
	for round := range int64(5) {
		p.Answers(faults.Cut)
		_, err := client.Check(t.Context(), &grpc_health_v1.HealthCheckRequest{}, grpc.WaitForReady(true))
		if status.Code(err) != codes.Unavailable {
			t.Fatalf("cut: %v", err)
		}
		if calls := service.calls.Load(); calls != 2*round+1 {
			t.Fatalf("the call was made %d times", calls-2*round)
		}
		p.Heal()
		if _, err := client.Check(t.Context(), &grpc_health_v1.HealthCheckRequest{}, grpc.WaitForReady(true)); err != nil {
			t.Fatal(err)
		}
	}
}
