package qdrant

import (
	"strings"
	"testing"
	"time"

	"postern/conformance/engines/qdranttest"
	"postern/internal/metadata"
	"postern/internal/mutate"
)

func TestTLSAndAPIKey(t *testing.T) {
	server, certificate := qdranttest.StartSecured(t, "secret")
	t.Setenv("SSL_CERT_FILE", certificate) // read once in a process: no other test here speaks TLS
	o := Options{Address: server.Addr, APIKey: "secret", TLS: true, Parse: mutate.ParseStored,
		NewState: func() *metadata.State { return metadata.NewState("cluster") }}
	if err := open(t, o).Close(); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		key     string
		tls     bool
		problem string
	}{
		{"", true, "Must provide an API key"},
		{"guessed", true, "Invalid API key"},
		{"secret", false, ""},
	} {
		o := o
		o.APIKey, o.TLS, o.Timeout = test.key, test.tls, time.Second
		s, err := Open(t.Context(), o)
		if err == nil {
			s.Close()
			t.Errorf("%+v is let in", test)
		} else if !strings.Contains(err.Error(), test.problem) {
			t.Errorf("%+v: %v", test, err)
		}
	}
}
