package query

// Names lists the named clauses that were parsed with the context, in their order, so
// that the hits of a page can be told which of them they match.
func (c *Context) Names() []Named {
	out := make([]Named, len(c.names))
	for i, n := range c.names {
		out[i] = Named{n.name, n.node}
	}
	return out
}

// Named is a clause with the name its _name gave it.
type Named struct {
	Name string
	Node Node
}

// finish gives a parsed clause its boost and its name.
func (c *Context) finish(n Node, factor *float64, name *string) (Node, error) {
	if factor != nil {
		if *factor < 0 {
			return nil, negativeBoost(*factor)
		}
		n = boost(n, float32(*factor))
	}
	if name != nil && c.nested == "" {
		c.names = append(c.names, namedNode{*name, n})
	}
	return n, nil
}
