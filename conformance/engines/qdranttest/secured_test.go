package qdranttest_test

import (
	"testing"

	"postern/conformance/engines"
	"postern/conformance/engines/qdranttest"

	"google.golang.org/grpc/codes"
)

func TestSecured(t *testing.T) {
	server, certificate := qdranttest.StartSecured(t, "secret")
	same(t, must(server.Client(t).ListCollections(t.Context()))(t), []string(nil))
	for _, test := range []struct {
		caller engines.Qdrant
		want   codes.Code
	}{
		{engines.Qdrant{Certificate: certificate}, codes.Unauthenticated},
		{engines.Qdrant{Certificate: certificate, APIKey: "guessed"}, codes.Unauthenticated},
		{engines.Qdrant{APIKey: "secret"}, codes.Unavailable}, // no TLS
	} {
		client, err := test.caller.Client(server.Addr)
		if err != nil {
			t.Fatal(err)
		}
		_, err = client.ListCollections(t.Context())
		refused(t, err, test.want)
		client.Close()
	}
}
