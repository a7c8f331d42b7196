package handlers

import (
	"bytes"
	"context"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"postern/generated/api"
	"postern/generated/routes"
	"postern/internal/eserr"
	"postern/internal/jsonx"
	"postern/internal/rest"
	"postern/planner"
)

// Msearch answers _msearch: searches that stand in lines, a header and a body each. A
// line that cannot be read fails the request; a search that fails, itself alone.
func (s *Searches) Msearch(ctx context.Context, r *api.MsearchRequest) (routes.Answer, error) {
	start := time.Now()
	requests, err := readMsearch(r)
	if err != nil {
		return nil, err
	}
	for _, q := range requests {
		if err := planner.Check(q); err != nil {
			return nil, err
		}
	}
	state, err := s.State(ctx)
	if err != nil {
		return nil, err
	}
	a := &msearchAnswer{items: make([]msearchItem, len(requests))}
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, q := range requests {
		group.Go(func() error {
			item := &a.items[i]
			found, err := s.search(ctx, state, q)
			if err == nil {
				item.answer = found
				return nil
			}
			if e, ok := eserr.As(err); ok {
				item.err = e
				return nil
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	a.took = time.Since(start).Milliseconds()
	return a, nil
}

type msearchAnswer struct {
	took  int64
	items []msearchItem
}

// msearchItem is the answer to one search, or its error.
type msearchItem struct {
	answer *planner.Answer
	err    *eserr.Error
}

// AppendJSON appends the answer.
func (a *msearchAnswer) AppendJSON(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, `{"took":`...), a.took, 10)
	dst = append(dst, `,"responses":[`...)
	for i, item := range a.items {
		if i > 0 {
			dst = append(dst, ',')
		}
		if item.err != nil {
			dst = item.err.AppendJSON(dst)
			continue
		}
		dst = item.answer.AppendJSON(dst)
		dst = append(dst[:len(dst)-1], `,"status":200}`...)
	}
	return append(dst, `]}`...)
}

// readMsearch splits the body into its searches.
func readMsearch(r *api.MsearchRequest) ([]*api.SearchRequest, error) {
	if len(r.Body) == 0 {
		return nil, eserr.ParseError("request body or source parameter is required")
	}
	var requests []*api.SearchRequest
	rest := r.Body
	for {
		header, ok, err := nextLine(&rest)
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		q := inherit(r)
		if err := readHeader(q, header); err != nil {
			return nil, err
		}
		body, ok, err := nextLine(&rest)
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		if err := readBody(q, body); err != nil {
			return nil, err
		}
		requests = append(requests, q)
	}
	if len(requests) == 0 {
		return nil, eserr.ActionValidation("no requests added")
	}
	return requests, nil
}

// nextLine cuts the next line off; ok is false at the end.
func nextLine(rest *[]byte) (line []byte, ok bool, err error) {
	if len(*rest) == 0 {
		return nil, false, nil
	}
	i := bytes.IndexByte(*rest, '\n')
	if i < 0 {
		return nil, false, eserr.IllegalArgument("The msearch request must be terminated by a newline [\n]")
	}
	line, *rest = (*rest)[:i], (*rest)[i+1:]
	return bytes.TrimSuffix(line, []byte{'\r'}), true, nil
}

// inherit makes a search with what the URL says for all of them.
func inherit(r *api.MsearchRequest) *api.SearchRequest {
	return &api.SearchRequest{
		Index: r.Index, AllowNoIndices: r.AllowNoIndices, ExpandWildcards: r.ExpandWildcards,
		IgnoreUnavailable: r.IgnoreUnavailable, Routing: r.Routing, SearchType: r.SearchType,
		TypedKeys: r.TypedKeys, RestTotalHitsAsInt: r.RestTotalHitsAsInt, PreFilterShardSize: r.PreFilterShardSize,
		IncludeNamedQueriesScore: r.IncludeNamedQueriesScore,
	}
}

func readHeader(q *api.SearchRequest, line []byte) error {
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	v, err := jsonx.Parse(line)
	if err != nil {
		return eserr.FromSyntax(err)
	}
	if v.Kind() != jsonx.Object {
		ln, col := v.Pos()
		return eserr.XContentParse(ln, col+1, "Unexpected token after end of object")
	}
	for k, m := range v.Members() {
		if err := readHeaderMember(q, k.Text(), m); err != nil {
			return err
		}
	}
	return nil
}

func readHeaderMember(q *api.SearchRequest, name string, v jsonx.Value) error {
	switch name {
	case "index", "indices":
		q.Index = textsOf(v)
	case "search_type", "searchType":
		switch t := v.Text(); t {
		case "query_then_fetch", "dfs_query_then_fetch":
			return q.SearchType.Parse(t)
		default:
			return eserr.IllegalArgument("No search type for [%s]", t)
		}
	case "request_cache", "requestCache":
		return boolOf(&q.RequestCache, name, v)
	case "allow_partial_search_results":
		return boolOf(&q.AllowPartialSearchResults, name, v)
	case "ignore_unavailable", "ignoreUnavailable":
		return boolOf(&q.IgnoreUnavailable, name, v)
	case "allow_no_indices", "allowNoIndices":
		return boolOf(&q.AllowNoIndices, name, v)
	case "expand_wildcards", "expandWildcards":
		q.ExpandWildcards = nil
		for _, word := range textsOf(v) {
			var w api.ExpandWildcard
			if err := w.Parse(word); err != nil {
				return eserr.IllegalArgument("No valid expand wildcard value [%s]", word)
			}
			q.ExpandWildcards = append(q.ExpandWildcards, w)
		}
	case "preference":
		q.Preference = v.Text()
	case "routing":
		q.Routing = v.Text()
	case "ccs_minimize_roundtrips", "ccsMinimizeRoundtrips", "ignore_throttled", "ignoreThrottled":
		// There are no other clusters and no frozen indices.
	default:
		return eserr.IllegalArgument("key [%s] is not supported in the metadata section", name)
	}
	return nil
}

func boolOf(at **bool, name string, v jsonx.Value) error {
	var b bool
	switch v.Text() {
	case "true":
		b = true
	case "false":
	default:
		return eserr.IllegalArgument("Could not convert [%s] to boolean", name)
	}
	*at = &b
	return nil
}

// textsOf is a list given as one text with commas or as an array.
func textsOf(v jsonx.Value) []string {
	switch v.Kind() {
	case jsonx.Array:
		list := []string{}
		for e := range v.Elements() {
			list = append(list, e.Text())
		}
		return list
	case jsonx.Null, jsonx.Invalid:
		return nil
	case jsonx.Object:
		return []string{string(v.Raw())}
	}
	var list []string
	for _, s := range bytes.Split(v.Bytes(), []byte{','}) {
		list = append(list, string(s))
	}
	return list
}

func readBody(q *api.SearchRequest, line []byte) error {
	q.HasBody = true
	return rest.DecodeLine(line, func(v jsonx.Value) error {
		if !v.Exists() {
			return eserr.Parsing(1, 0, "Expected [START_OBJECT] but found [null]")
		}
		return q.Body.Decode(v)
	})
}
