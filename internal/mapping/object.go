package mapping

import (
	"slices"
	"strings"
)

// dynamicMode says what becomes of a field that is not mapped.
type dynamicMode uint8

const (
	dynamicInherit dynamicMode = iota // as the enclosing object says
	dynamicTrue
	dynamicFalse
	dynamicStrict
)

var dynamicNames = [...]string{dynamicTrue: "true", dynamicFalse: "false", dynamicStrict: "strict"}

// object is an object of a mapping; the root is one without a name. Objects of a Mapping
// are never changed.
type object struct {
	name, path string
	// nestedPath is the innermost nested object around, the object itself included.
	nestedPath string
	dynamic    dynamicMode
	// inherited is dynamic, or that of the nearest object around which says it.
	inherited        dynamicMode
	disabled         bool
	enabledIs        bool // enabled was given
	subobjects       bool // subobjects: true was given
	nested           bool
	inParent, inRoot bool
	children         map[string]*node
	// names are the children's, sorted.
	names []string
	// The root's further parameters.
	templates                            []*template
	templatesSet                         bool
	dates                                []dateFormat
	datesSet                             bool
	noDates, datesIs, numbers, numbersIs bool // date_detection and numeric_detection, and whether they were given
}

// node is what stands under one name: an object, a leaf or an alias.
type node struct {
	object *object
	field  *Field
	alias  string // the path of the alias's field
}

func (o *object) child(name string) *node { return o.children[name] }

func (o *object) put(name string, n *node) {
	if o.children == nil {
		o.children = map[string]*node{}
	}
	if o.children[name] == nil {
		i, _ := slices.BinarySearch(o.names, name)
		o.names = slices.Insert(o.names, i, name)
	}
	o.children[name] = n
}

// clone is a copy whose children can be replaced.
func (o *object) clone() *object {
	c := *o
	c.names = slices.Clone(o.names)
	c.children = make(map[string]*node, len(o.children))
	for k, n := range o.children {
		c.children[k] = n
	}
	return &c
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// walk visits the objects, each before what it holds, and the leaves with their
// multi-fields.
func (o *object) walk(object func(*object), leaf func(*Field)) {
	object(o)
	for _, name := range o.names {
		switch n := o.children[name]; {
		case n.object != nil:
			n.object.walk(object, leaf)
		case n.field != nil:
			leaf(n.field)
			for _, f := range n.field.multi {
				leaf(f)
			}
		}
	}
}

func (o *object) aliases(visit func(path, target string)) {
	for _, name := range o.names {
		switch n := o.children[name]; {
		case n.object != nil:
			n.object.aliases(visit)
		case n.alias != "":
			visit(join(o.path, name), n.alias)
		}
	}
}

// derive sets what follows from the objects around.
func (o *object) derive(around *object) {
	o.inherited = o.dynamic
	if around == nil {
		o.path, o.nestedPath = "", ""
		if o.inherited == dynamicInherit {
			o.inherited = dynamicTrue
		}
		return
	}
	o.path = join(around.path, o.name)
	o.nestedPath = around.nestedPath
	if o.nested {
		o.nestedPath = o.path
	}
	if o.inherited == dynamicInherit {
		o.inherited = around.inherited
	}
}

// label names the object in messages.
func (o *object) label() string {
	if o.path == "" {
		return "_doc"
	}
	return o.path
}

// depth counts the objects around a path, as the depth limit does.
func depth(path string) int { return strings.Count(path, ".") + 2 }
