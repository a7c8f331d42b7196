package jsonx

// Tape holds the nodes of one parsed body, in the order of the body: an object is
// followed by name, value, name, value …, an array by its elements.
//
// A Tape may be parsed into again and again (ParseReuse); then it allocates nothing.
type Tape struct {
	src   []byte
	nodes []node
	stack []int32
}

type node struct {
	start, end uint32 // of the value in src
	next       int32  // the node after this one and all that it holds
	count      int32  // members or elements
	kind       Kind
	escaped    bool // a string with a backslash in it
}

func (t *Tape) reset(src []byte) {
	t.src = src
	t.nodes = t.nodes[:0]
	t.stack = t.stack[:0]
}

// open adds the node of an object or array and makes it the current container.
func (t *Tape) open(kind Kind, start int) {
	t.stack = append(t.stack, int32(len(t.nodes)))
	t.nodes = append(t.nodes, node{start: uint32(start), kind: kind})
}

// close ends the current container.
func (t *Tape) close(end int) {
	at := t.stack[len(t.stack)-1]
	t.stack = t.stack[:len(t.stack)-1]
	n := &t.nodes[at]
	n.end, n.next = uint32(end), int32(len(t.nodes))
	if n.kind == Object {
		n.count /= 2
	}
	t.counted()
}

// scalar adds a name or a value that holds no others.
func (t *Tape) scalar(kind Kind, start, end int, escaped bool) {
	t.nodes = append(t.nodes, node{start: uint32(start), end: uint32(end), next: int32(len(t.nodes)) + 1, kind: kind, escaped: escaped})
	t.counted()
}

// counted tells the current container of one more child; an object's names count as
// children until it is closed.
func (t *Tape) counted() {
	if n := len(t.stack); n > 0 {
		t.nodes[t.stack[n-1]].count++
	}
}
