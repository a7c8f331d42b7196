package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"time"

	"postern/internal/fence/valkey"
	"postern/internal/store/qdrant"
)

// valkeyServer says where the fence is that gateways share.
type valkeyServer struct {
	Valkey         string `env:"POSTERN_VALKEY" placeholder:"HOST:PORT" help:"Share a fence with other gateways, in this Valkey."`
	ValkeyUsername string `env:"POSTERN_VALKEY_USERNAME" placeholder:"NAME" help:"Valkey's user."`
	ValkeyPassword string `env:"POSTERN_VALKEY_PASSWORD" placeholder:"PASSWORD" help:"Valkey's password."`
	ValkeyTLS      bool   `name:"valkey-tls" env:"POSTERN_VALKEY_TLS" help:"Speak TLS with Valkey."`
}

// fencePrefix begins all of Postern's keys in Valkey.
const fencePrefix = "postern:"

func (v *valkeyServer) check(qdrant string) error {
	switch {
	case v.Valkey == "" && (v.ValkeyUsername != "" || v.ValkeyPassword != "" || v.ValkeyTLS):
		return usageError("--valkey-username, --valkey-password and --valkey-tls need --valkey")
	case v.Valkey == "":
		return nil
	case qdrant == "":
		return usageError("--valkey needs --qdrant: the embedded store has its fence in memory")
	}
	if _, _, err := net.SplitHostPort(v.Valkey); err != nil {
		return usageError(fmt.Sprintf("--valkey %s: want HOST:PORT, such as 127.0.0.1:6379", v.Valkey))
	}
	return nil
}

// fence opens this gateway's end of the shared fence. Its name stands in the directory before
// it opens a token, so that whoever advances the incarnation waits for what it has to
// announce. leave takes the name back; with tokens still open it stays.
func (v *valkeyServer) fence(ctx context.Context, s *qdrant.Store, log *slog.Logger) (f *valkey.Fence, leave func() error, err error) {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	owner := newUUID()
	if err := s.Enroll(ctx, owner); err != nil {
		return nil, nil, fmt.Errorf("qdrant: %w", err)
	}
	if f, err = valkey.Open(ctx, v.config(owner, s, log)); err != nil {
		return nil, nil, errors.Join(err, s.Leave(context.WithoutCancel(ctx), owner))
	}
	return f, func() error {
		ctx, cancel := context.WithTimeout(context.Background(), openTimeout)
		defer cancel()
		settled := f.Settle(ctx)
		f.Close()
		if !settled {
			log.Warn("writes of unknown outcome stay open in the fence; postern fence status shows them", "owner", owner)
			return nil
		}
		return s.Leave(ctx, owner)
	}, nil
}

func (v *valkeyServer) config(owner string, s *qdrant.Store, log *slog.Logger) valkey.Config {
	c := valkey.Config{Address: v.Valkey, Username: v.ValkeyUsername, Password: v.ValkeyPassword, Prefix: fencePrefix,
		Owner: owner, Incarnations: s, Timeout: 2 * time.Second, Log: log}
	if v.ValkeyTLS {
		c.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	return c
}
