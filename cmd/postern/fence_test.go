package main

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"postern/conformance/engines/qdranttest"
	"postern/conformance/engines/valkeytest"
	"postern/internal/fence"
	"postern/internal/fence/valkey"
	"postern/internal/store/qdrant"
)

// command runs one that ends by itself.
func command(t *testing.T, args ...string) (code int, out string) {
	t.Helper()
	var text bytes.Buffer
	code = run(t.Context(), args, &text, &text)
	return code, text.String()
}

// refused starts a server that has to end at once, and tells what it says.
func refused(t *testing.T, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var text bytes.Buffer
	if code := run(ctx, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...), &text, &text); code == exitOK {
		t.Errorf("serve %v started", args)
	}
	return text.String()
}

func TestGatewaysShareAFence(t *testing.T) {
	both := []string{"--qdrant", qdranttest.Start(t).Addr, "--valkey", valkeytest.Start(t).Addr}
	a, b := start(t, both...), start(t, both...)
	status, body := ask(t, "PUT", a.url+"/books/_doc/1", `{"n":1}`)
	want(t, "a write", status, body, 201, `"_seq_no":0`)
	status, body = ask(t, "POST", b.url+"/books/_search?filter_path=hits.total", `{"query":{"term":{"n":1}},"sort":"n","aggs":{"n":{"terms":{"field":"n"}}}}`)
	want(t, "a search of the other gateway", status, body, 200, `{"hits":{"total":{"value":1,"relation":"eq"}}}`)
	if text := refused(t, both[:2]...); !strings.Contains(text, "start it with --valkey") {
		t.Errorf("a gateway without the fence: %s", text)
	}
	code, text := command(t, append([]string{"fence", "status"}, both...)...)
	if code != exitOK || !strings.Contains(text, "fenced: true\nincarnation: 1\n") || strings.Count(text, "heard of") != 2 || !strings.Contains(text, "writes under way: 0") {
		t.Errorf("status %d: %s", code, text)
	}
	a.end(t)
	if _, text = command(t, append([]string{"fence", "status"}, both...)...); strings.Count(text, "heard of") != 1 {
		t.Errorf("after one has ended: %s", text)
	}
	for _, args := range [][]string{{"--valkey", "127.0.0.1:1"}, {"--qdrant", "127.0.0.1:1", "--valkey-tls"}, append(both, "--exclusive")} {
		if code, text := command(t, append([]string{"serve"}, args...)...); code != exitUsage {
			t.Errorf("serve %v: %d %s", args, code, text)
		}
	}
}

// Nothing is answered on trust while Valkey is away, and everything is again when it is back.
func TestValkeyGoesAndComesBack(t *testing.T) {
	server := valkeytest.Start(t)
	a := start(t, "--qdrant", qdranttest.Start(t).Addr, "--valkey", server.Addr)
	ask(t, "PUT", a.url+"/books/_doc/1", `{"n":1}`)
	server.Kill(t)
	status, body := ask(t, "PUT", a.url+"/books/_doc/2", `{"n":2}`)
	want(t, "a write", status, body, 503, `"unavailable_shards_exception","reason":"Valkey does not answer`)
	status, body = ask(t, "POST", a.url+"/books/_search", `{}`)
	want(t, "a search", status, body, 503, `"unavailable_shards_exception","reason":"Valkey does not answer`)
	status, body = ask(t, "POST", a.url+"/books/_bulk", "{\"index\":{}}\n{\"n\":3}\n")
	want(t, "a bulk", status, body, 503, `"reason":"Valkey does not answer`)
	server.Restart(t)
	back := time.Now()
	for status = 0; status != 201; {
		status, body = ask(t, "PUT", a.url+"/books/_doc/4", `{"n":4}`)
		if time.Since(back) > 10*time.Second {
			t.Fatalf("not back: %d %s", status, body)
		}
	}
	status, body = ask(t, "POST", a.url+"/books/_search?filter_path=hits.total.value", `{}`)
	want(t, "the documents", status, body, 200, `{"hits":{"total":{"value":2}}}`)
}

func TestFenceIsAttachedAndDetached(t *testing.T) {
	both := []string{"--qdrant", qdranttest.Start(t).Addr, "--valkey", valkeytest.Start(t).Addr}
	bare := start(t, both[:2]...)
	ask(t, "PUT", bare.url+"/books/_doc/1", `{"n":1}`)
	if text := refused(t, both...); !strings.Contains(text, "postern fence attach") {
		t.Errorf("a gateway with a fence where there is none: %s", text)
	}
	if code, text := command(t, append([]string{"fence", "attach"}, both...)...); code != exitOK {
		t.Fatalf("attach: %s", text)
	}
	status, body := ask(t, "PUT", bare.url+"/books/_doc/2", `{"n":2}`)
	want(t, "a gateway from before", status, body, 503, "start it with --valkey")
	bare.end(t)
	fenced := start(t, both...)
	status, body = ask(t, "PUT", fenced.url+"/books/_doc/3", `{"n":3}`)
	want(t, "a fenced write", status, body, 201, `"created"`)
	if code, text := command(t, append([]string{"fence", "detach"}, both...)...); code != exitOK {
		t.Fatalf("detach: %s", text)
	}
	status, body = ask(t, "GET", fenced.url+"/books/_doc/3", "")
	want(t, "a fenced gateway from before", status, body, 503, "have no fence")
	fenced.end(t)
	again := start(t, both[:2]...)
	status, body = ask(t, "POST", again.url+"/books/_search?filter_path=hits.total.value", `{}`)
	want(t, "the documents", status, body, 200, `{"hits":{"total":{"value":2}}}`)
}

// A gateway dies amid a write. Its token keeps others from writing the document until the
// operator has ended it.
func TestFenceRecover(t *testing.T) {
	server := valkeytest.Start(t)
	both := []string{"--qdrant", qdranttest.Start(t).Addr, "--valkey", server.Addr}
	a := start(t, both...)
	ask(t, "PUT", a.url+"/books/_doc/1", `{"n":1}`)
	gone := dyingGateway(t, both)
	uuid := gone.uuid(t, "books")
	if _, err := gone.fence.Begin(t.Context(), fence.Intent{Scope: fence.Documents, Index: uuid, IDs: []string{"1", "9"}, Operation: "index"}); err != nil {
		t.Fatal(err)
	}
	recovery := append([]string{"fence", "recover", "--index", "books"}, both...)
	if _, text := command(t, recovery...); !strings.Contains(text, "left alone") {
		t.Errorf("while it lives: %s", text)
	}
	gone.die(t, server)
	if _, text := command(t, append(recovery, "--dry-run")...); !strings.Contains(text, "would be ended: 2 documents get new write ids") {
		t.Errorf("dry run: %s", text)
	}
	if code, text := command(t, recovery...); code != exitOK || !strings.Contains(text, "1 ended") {
		t.Errorf("recover: %d %s", code, text)
	}
	for id, version := range map[string]string{"1": `"_version":2`, "9": `"_version":1`} {
		status, body := ask(t, "PUT", a.url+"/books/_doc/"+id, `{"n":2}`)
		if status > 201 || !strings.Contains(body, version) {
			t.Errorf("a write of %s after that: %d %s", id, status, body)
		}
	}
	if _, text := command(t, append([]string{"fence", "status"}, both...)...); !strings.Contains(text, "writes under way: 0") || strings.Count(text, "heard of") != 1 {
		t.Errorf("status after that: %s", text)
	}
}

// dying is a gateway's end of both, without the gateway.
type dying struct {
	store *qdrant.Store
	fence *valkey.Fence
}

func dyingGateway(t *testing.T, both []string) dying {
	t.Helper()
	place := qdrantServer{Qdrant: both[1]}
	o := place.options(slog.New(slog.DiscardHandler))
	o.Fenced = true
	s, err := place.connect(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	f, _, err := (&valkeyServer{Valkey: both[3]}).fence(t.Context(), s, o.Log)
	if err != nil {
		t.Fatal(err)
	}
	return dying{s, f}
}

func (d dying) uuid(t *testing.T, index string) string {
	t.Helper()
	state, err := d.store.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return state.Index(index).UUID
}

// die ends it without a word, and long ago.
func (d dying) die(t *testing.T, server *valkeytest.Server) {
	d.fence.Close()
	server.Do(t, "HDEL", fencePrefix+"owners", d.fence.Owner())
}
