package mutate_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// No handler may change anything but through a Mutator: none imports a store's
// implementation, makes a mutation, or calls what writes on the ports.
func TestHandlersWriteThroughMutatorsOnly(t *testing.T) {
	files, err := filepath.Glob("../../handlers/*.go")
	if err != nil || len(files) == 0 {
		t.Skip("no handlers here", err)
	}
	writes := map[string]bool{"Write": true, "CreateIndex": true, "DropIndex": true, "Update": true, "Begin": true}
	set := token.NewFileSet()
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, im := range file.Imports {
			if strings.Contains(im.Path.Value, "store/embedded") || strings.Contains(im.Path.Value, "pebble") {
				t.Errorf("%s imports %s", name, im.Path.Value)
			}
		}
		ast.Inspect(file, func(node ast.Node) bool {
			sel, ok := node.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			switch on := sel.X.(type) {
			case *ast.Ident:
				if on.Name == "store" && sel.Sel.Name == "Mutation" {
					t.Errorf("%s makes a mutation of its own", set.Position(node.Pos()))
				}
			case *ast.SelectorExpr:
				port := on.Sel.Name == "Documents" || on.Sel.Name == "Catalog" || on.Sel.Name == "Fence"
				if port && writes[sel.Sel.Name] {
					t.Errorf("%s writes around the mutator: %s.%s", set.Position(node.Pos()), on.Sel.Name, sel.Sel.Name)
				}
			}
			return true
		})
	}
}
