package traffic

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"postern/conformance/jsontree"
)

// segments returns the decoded steps of a target's path; at least one, maybe empty.
func segments(target string) []string {
	path, _, _ := strings.Cut(target, "?")
	steps := strings.Split(strings.Trim(path, "/"), "/")
	for i, s := range steps {
		if decoded, err := url.PathUnescape(s); err == nil {
			steps[i] = decoded
		}
	}
	return steps
}

func parameters(target string) url.Values {
	_, query, _ := strings.Cut(target, "?")
	values, _ := url.ParseQuery(query) // what can't be read is no parameter
	return values
}

// endpoint returns the first step of the path that begins with an underscore, and what
// stands before it and after it: products, _doc, [1].
func endpoint(target string) (index, name string, rest []string) {
	steps := segments(target)
	i := slices.IndexFunc(steps, func(s string) bool { return strings.HasPrefix(s, "_") })
	switch {
	case i < 0:
		return steps[0], "", nil
	case i == 0:
		return "", steps[0], steps[1:]
	}
	return steps[0], steps[i], steps[i+1:]
}

// writes are the endpoints that change documents.
var writes = [...]string{"_doc", "_create", "_update", "_bulk", "_delete_by_query", "_update_by_query", "_reindex"}

// searches are those that see documents only after a refresh.
var searches = [...]string{"_search", "_msearch", "_count", "_delete_by_query", "_update_by_query", "_reindex", "_async_search", "_pit"}

func (x *exchange) isWrite() bool {
	_, name, _ := endpoint(x.request.Target)
	return x.request.Method != http.MethodGet && x.request.Method != http.MethodHead && slices.Contains(writes[:], name)
}

func (x *exchange) succeeded() bool { return x.answer.Status >= 200 && x.answer.Status < 300 }

// touched returns the indices that the answer says were written to.
func (x *exchange) touched() []string {
	body, err := jsontree.Parse(x.answer.Body)
	if err != nil {
		return nil
	}
	var names []string
	o, _ := body.(jsontree.Object)
	add := func(o jsontree.Object) {
		status, _ := o.Get("status") // of an item of a bulk
		if n, ok := status.(jsontree.Number); ok && len(n) > 0 && n[0] != '2' {
			return
		}
		if name, ok := o.Get("_index"); ok {
			if name, ok := name.(string); ok && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	add(o)
	for _, item := range items(o) {
		add(item.answer)
	}
	return names
}

// item is one of a bulk's answers.
type item struct {
	action string
	answer jsontree.Object
}

func items(body jsontree.Object) []item {
	list, _ := body.Get("items")
	elements, _ := list.(jsontree.Array)
	found := make([]item, 0, len(elements))
	for _, e := range elements {
		if o, ok := e.(jsontree.Object); ok && len(o) == 1 {
			answer, _ := o[0].Value.(jsontree.Object)
			found = append(found, item{o[0].Name, answer})
		}
	}
	return found
}
