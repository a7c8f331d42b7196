package versus

import (
	"fmt"
	"strings"
)

// World is what requests are asked about.
type World struct {
	Mapping   string
	Documents []string
}

func (w World) bulk() string {
	var b strings.Builder
	for i, d := range w.Documents {
		fmt.Fprintf(&b, "{\"index\":{\"_id\":\"%d\"}}\n%s\n", i, d)
	}
	return b.String()
}

// Request is one search.
type Request struct {
	Query string // of the URL
	Body  string
}

func (q Request) path() string { return "/" + indexName + "/_search?" + q.Query }

// Recording writes a difference as a recording that shows the right answer.
func (d *Difference) Recording(name, engine string) string {
	index := "cf-versus-" + name
	var b strings.Builder
	fmt.Fprintf(&b, "# Found by drawn requests: %s.\n\nengine %s\nindex %s\ncovers endpoint search\n\n", d.What, engine, index)
	fmt.Fprintf(&b, "> PUT /%s\n%s\n\n", index, d.World.Mapping)
	if len(d.World.Documents) > 0 {
		fmt.Fprintf(&b, "> POST /%s/_bulk?refresh=true&filter_path=errors\n%s\n", index, d.World.bulk())
	}
	fmt.Fprintf(&b, "> POST /%s/_search?%s\n%s\n", index, d.Request.Query, d.Request.Body)
	return b.String()
}
