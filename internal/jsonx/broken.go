package jsonx

// Read is what was read of the body before the error. Where it broke off stands a member
// without a name or value, or an element, of the kind Broken; the containers around it end
// there. It is absent if nothing was opened.
//
// Elasticsearch reads most bodies token by token, and complains of what an early part says
// before it learns that a later part is no JSON: Tape.Reached tells whether a decoder came to
// the break.
func (e *SyntaxError) Read() Value {
	t := e.tape
	if t == nil || e.Behind || e.Trailing != "" {
		return Value{t, 0}
	}
	if e.duplicated {
		t.nodes = t.nodes[:len(t.nodes)-1]
	}
	if len(t.open) == 0 {
		return Value{}
	}
	at := uint32(e.at)
	t.breakOff(t.open[len(t.open)-1], at)
	for i := len(t.open) - 1; i >= 0; i-- {
		n := &t.nodes[t.open[i]]
		n.end, n.next, n.cut = at, uint32(len(t.nodes)), true
		n.count = 0
		for range (Value{t, t.open[i]}).children() {
			n.count++
		}
		if n.kind == Object {
			n.count /= 2
		}
	}
	t.open, t.reached = t.open[:0], false
	return Value{t, 0}
}

// breakOff adds the broken member or element of the innermost container.
func (t *Tape) breakOff(container, at uint32) {
	broken := node{start: at, end: at, kind: Broken}
	add := func() {
		broken.next = uint32(len(t.nodes)) + 1
		t.nodes = append(t.nodes, broken)
	}
	last := uint32(len(t.nodes))
	t.nodes[container].next = last
	named := false // a name without its value stands at the end
	for range (Value{t, container}).children() {
		named = !named
	}
	if t.nodes[container].kind == Object && !named {
		add()
	}
	add()
}

// children lists the nodes directly below a container: names and values of an object.
func (v Value) children() func(yield func(uint32) bool) {
	return func(yield func(uint32) bool) {
		end := v.node().next
		for i := v.i + 1; i < end; i = v.t.nodes[i].next {
			if !yield(i) {
				return
			}
		}
	}
}

// Reached tells whether somebody has come to where v's body broke off.
func (v Value) Reached() bool { return v.t != nil && v.t.reached }
