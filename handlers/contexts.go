package handlers

import (
	"time"

	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/metadata"
	"postern/internal/xcontent"
)

// maxKeepAlive is Elasticsearch's search.max_keep_alive.
const maxKeepAlive = 24 * time.Hour

// checkKeepAlive refuses to keep a scroll or point in time for too long. Each of the
// indices says so; none is known when a context is used again.
func checkKeepAlive(d time.Duration, phase, node string, targets []metadata.Resolved) error {
	if d <= maxKeepAlive {
		return nil
	}
	cause := eserr.KeepAliveTooLarge(d, maxKeepAlive)
	failures := make([]eserr.ShardFailure, len(targets))
	for i, t := range targets {
		failures[i] = eserr.ShardFailure{Index: t.Index.Name, Node: node, Cause: cause}
	}
	if len(targets) == 0 {
		failures = []eserr.ShardFailure{{Shard: eserr.NoShard, Cause: cause}}
	}
	return eserr.SearchPhase(phase, failures)
}

// scrollBody is the body of a request about scrolls, which Elasticsearch reads without
// its usual parsers.
type scrollBody struct {
	ids    []string
	scroll *xcontent.Duration
}

// readScrollBody reads the body of the next page of a scroll, or, with many, of the end
// of several.
func readScrollBody(v jsonx.Value, many bool) (b scrollBody, err error) {
	if !v.Exists() {
		return b, nil
	}
	if v.Kind() != jsonx.Object {
		return b, eserr.IllegalArgument("Malformed content, must start with an object")
	}
	for k, m := range v.Members() {
		wrong := eserr.IllegalArgument("Unknown parameter [%s] in request body or parameter is of the wrong type[%s] ", k.Text(), xcontent.TokenOf(m))
		text := m.Kind() == jsonx.String
		switch name := k.Text(); {
		case name == "scroll_id" && text:
			b.ids = append(b.ids, m.Text())
		case name == "scroll_id" && many && m.Kind() == jsonx.Array:
			for e := range m.Elements() {
				if e.Kind() != jsonx.String && e.Kind() != jsonx.Number {
					return b, eserr.IllegalArgument("scroll_id array element should only contain scroll_id")
				}
				b.ids = append(b.ids, e.Text())
			}
		case name == "scroll" && text && !many:
			b.scroll = new(xcontent.Duration)
			if err := xcontent.ParseDuration(b.scroll, m.Text(), "scroll"); err != nil {
				return b, err
			}
		default:
			return b, wrong
		}
	}
	return b, nil
}
