package replay

import (
	"context"
	"net/url"
	"strings"

	"postern/conformance/jsontree"
	"postern/conformance/recording"
)

// wide says that a request asks to delete indices by a pattern: an engine that lets it do so
// would lose more than what the recording names.
func wide(q recording.Request) bool {
	path, _, _ := strings.Cut(q.Target, "?")
	path, err := url.PathUnescape(strings.Trim(path, "/"))
	if err != nil || q.Method != "DELETE" {
		return false
	}
	if name, ok := strings.CutPrefix(path, "_data_stream/"); ok {
		path = name
	}
	return !strings.Contains(path, "/") && (strings.Contains(path, "*") || path == "_all")
}

// protected says that the engine refuses such requests, as Elasticsearch 8 does unless told
// otherwise.
func (t Target) protected(ctx context.Context) bool {
	const name = "action.destructive_requires_name"
	answer, err := t.Send(ctx, recording.Request{Method: "GET", Target: "/_cluster/settings?include_defaults=true&flat_settings=true"})
	if err != nil {
		return false
	}
	body, err := jsontree.Parse(answer.Body)
	if err != nil {
		return false
	}
	for _, level := range []string{"transient", "persistent", "defaults"} {
		if v, ok := (jsontree.Path{level, name}).Find(body); ok {
			return v == "true" || v == true
		}
	}
	return false
}
