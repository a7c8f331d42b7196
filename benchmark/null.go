package main

import (
	"context"
	"net"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"postern/benchmark/load"
	"postern/benchmark/workload"
)

// A nullCommand answers every request with a fixed 4 kB body: the floor of an HTTP answer
// with this load generator on this machine.
type nullCommand struct {
	Listen string `default:"127.0.0.1:0" help:"Where it listens."`
}

func (c *nullCommand) Run() error {
	l, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return err
	}
	body := []byte(`{"null":"` + strings.Repeat("x", 4086) + `"}`)
	app := fiber.New(fiber.Config{DisableStartupMessage: true})
	app.Use(func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
		return c.Send(body)
	})
	return app.Listener(l)
}

// startNull runs the null server as a process of its own, as the engines are.
func startNull(ctx context.Context) (address string, stop func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	listen := l.Addr().String()
	if err := l.Close(); err != nil {
		return "", nil, err
	}
	program, err := os.Executable()
	if err != nil {
		return "", nil, err
	}
	cmd := exec.CommandContext(ctx, program, "null", "--listen", listen)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		_ = cmd.Process.Kill() // it keeps nothing
		_ = cmd.Wait()
	}
	for range 200 {
		if _, err = load.Run(load.Plan{Address: "http://" + listen, Clients: 1, Operations: 1, Workload: nullWorkload()}); err == nil {
			return "http://" + listen, stop, nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	stop()
	return "", nil, err
}

func nullWorkload() workload.Workload {
	op := workload.Op{{Method: "GET", Path: "/", Check: func([]byte) error { return nil }}}
	return workload.Workload{Name: "null", Make: func(workload.Step) workload.Op { return op }}
}
