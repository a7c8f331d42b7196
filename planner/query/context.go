package query

import (
	"time"

	"postern/internal/eserr"
	"postern/internal/mapping"
)

// Context is what a clause needs to know to be parsed: the index, its mapping and
// its limits. One Context serves one request and one index; it is not safe for
// concurrent use.
type Context struct {
	Index   string // the concrete index's name, for errors and the _index field
	UUID    string
	Mapping *mapping.Mapping
	Now     time.Time

	// MaxTerms bounds the values of one terms clause (index.max_terms_count) and
	// MaxClauses those of a bool; zero stands for Elasticsearch's defaults.
	MaxTerms   int
	MaxClauses int
	// MaxRegexp bounds a regular expression's length (index.max_regex_length); zero
	// stands for Elasticsearch's 1000.
	MaxRegexp int
	// DefaultFields is index.query.default_field; nil stands for "*".
	DefaultFields []string
	Aliases       []string // names under which the _index field knows this index, too

	// UsedNow is set when a clause looked at the clock in a way that its answer
	// depends on the exact moment.
	UsedNow bool

	nested string // the nested object path the clause being parsed stands in
	names  []namedNode
	// unwrapped says that the next parse_exception comes from a phase in which
	// Elasticsearch does not wrap errors.
	unwrapped bool
}

type namedNode struct {
	name string
	node Node
}

const (
	defaultMaxTerms   = 65536
	defaultMaxClauses = 65536
	defaultMaxRegexp  = 1000
)

// Scope returns the nested path that clauses are now parsed in, "" at the top.
func (c *Context) Scope() string { return c.nested }

// In runs parse with clauses standing in the nested object path, as a nested
// aggregation or a nested sort needs it.
func (c *Context) In(path string, parse func() (Node, error)) (Node, error) {
	outer := c.nested
	c.nested = path
	defer func() { c.nested = outer }()
	return parse()
}

// Steps lists the nested paths from the current scope down to path, outermost first.
func (c *Context) Steps(path string) []string { return c.steps(c.nested, path) }

// field finds a mapped field; nil when the index does not have it.
func (c *Context) field(name string) *mapping.Field { return c.Mapping.Field(name) }

// steps lists the nested paths from the scope "from" down to path, outermost first.
func (c *Context) steps(from, path string) []string {
	var steps []string
	for p := path; p != "" && p != from; p = c.Mapping.Nested(parentPath(p)) {
		steps = append([]string{p}, steps...)
	}
	return steps
}

// fail is the query_shard_exception of a clause that this index cannot answer.
func (c *Context) fail(format string, a ...any) *eserr.Error {
	return eserr.QueryShard(c.Index, c.UUID, format, a...)
}
