package traffic

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"postern/conformance/jsontree"
	"postern/conformance/recording"
)

// generated is a value that an engine made up and another would make up otherwise.
type generated struct {
	exchange int
	path     jsontree.Path
	value    string
	family   string // of its name: scroll, pit, id, task
	handle   bool   // any text, not one that looks like the id of a document
	named    bool   // it needs a name even if no later exchange has it
}

// generatedBy returns the values that the answer to x brings.
func generatedBy(i int, x *exchange) []generated {
	v, err := jsontree.Parse(x.answer.Body)
	body, ok := v.(jsontree.Object)
	if err != nil || !ok || !x.succeeded() {
		return nil
	}
	var list []generated
	handle := func(family, member string) {
		if value, ok := body.Get(member); ok {
			if value, ok := value.(string); ok {
				list = append(list, generated{i, jsontree.Path{member}, value, family, true, true})
			}
		}
	}
	_, name, rest := endpoint(x.request.Target)
	handle("scroll", "_scroll_id")
	handle("pit", "pit_id")
	handle("task", "task")
	switch {
	case name == "_pit" || name == "_async_search":
		handle(name[1:], "id")
	case name == "_doc" && len(rest) == 0 && x.request.Method == http.MethodPost:
		if id, ok := body.Get("_id"); ok {
			if id, ok := id.(string); ok {
				// the header Location has it, too
				list = append(list, generated{i, jsontree.Path{"_id"}, id, "id", false, true})
			}
		}
	case name == "_bulk":
		list = append(list, generatedByBulk(i, x, body)...)
	}
	return list
}

func generatedByBulk(i int, x *exchange, body jsontree.Object) []generated {
	named := bulkNames(x.request.Body)
	var list []generated
	for n, item := range items(body) {
		id, _ := item.answer.Get("_id")
		if id, ok := id.(string); ok && n < len(named) && !named[n] {
			list = append(list, generated{i, jsontree.Path{"items", strconv.Itoa(n), item.action, "_id"}, id, "id", false, false})
		}
	}
	return list
}

// bulkNames says of each action of a bulk whether it names its document.
func bulkNames(body []byte) []bool {
	var named []bool
	source := false
	for line := range bytes.Lines(body) {
		if source || len(bytes.TrimSpace(line)) == 0 {
			source = false
			continue
		}
		v, err := jsontree.Parse(line)
		action, ok := v.(jsontree.Object)
		if err != nil || !ok || len(action) != 1 {
			return named
		}
		meta, _ := action[0].Value.(jsontree.Object)
		_, has := meta.Get("_id")
		named = append(named, has)
		source = action[0].Name != "delete"
	}
	return named
}

// token is how generated ids of documents look in a text.
var token = regexp.MustCompile(`[A-Za-z0-9_-]{20,}`)

// lastUse maps each token to the last exchange that has it.
func lastUse(exchanges []*exchange) map[string]int {
	last := map[string]int{}
	for i, x := range exchanges {
		for _, text := range []string{x.request.Target, string(x.request.Body), string(x.answer.Body)} {
			for _, t := range token.FindAllString(text, -1) {
				last[t] = i
			}
		}
	}
	return last
}

// names gives generated values their names while the exchanges are written one by one.
type names struct {
	last   map[string]int
	count  map[string]int
	ids    map[string]string // a document's id → ${id_1}
	handle map[string]string // a handle → ${scroll_1}, the latest
}

func newNames(exchanges []*exchange) *names {
	return &names{last: lastUse(exchanges), count: map[string]int{}, ids: map[string]string{}, handle: map[string]string{}}
}

// replace puts names where values are that earlier answers brought.
func (n *names) replace(text string) string {
	for value, name := range n.handle {
		text = strings.ReplaceAll(text, value, name)
		if escaped := url.QueryEscape(value); escaped != value {
			text = strings.ReplaceAll(text, escaped, name)
		}
	}
	if len(n.ids) == 0 {
		return text
	}
	return token.ReplaceAllStringFunc(text, func(t string) string {
		if name, ok := n.ids[t]; ok {
			return name
		}
		return t
	})
}

// rules returns what the answer to exchange i needs: values that are used later are
// captured, others ignored.
func (n *names) rules(i int, x *exchange) []recording.Rule {
	var rules []recording.Rule
	unused := map[string]jsontree.Path{}
	for _, g := range generatedBy(i, x) {
		if !g.named && n.last[g.value] <= i {
			path := slices.Clone(g.path)
			if len(path) == 4 {
				path[1] = "*"
			}
			unused[path.String()] = path
			continue
		}
		n.count[g.family]++
		name := fmt.Sprintf("%s_%d", g.family, n.count[g.family])
		rules = append(rules, recording.Rule{Kind: recording.Capture, Name: name, Path: g.path})
		if g.handle {
			n.handle[g.value] = "${" + name + "}"
		} else {
			n.ids[g.value] = "${" + name + "}"
		}
	}
	for _, text := range slices.Sorted(maps.Keys(unused)) {
		rules = append(rules, recording.Rule{Kind: recording.Ignore, Path: unused[text]})
	}
	return rules
}
