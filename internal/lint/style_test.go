package lint_test

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"postern/internal/lint"
)

const (
	longest = 800 // lines of a file that is written by hand
	long    = 500
)

func TestFilesAreShort(t *testing.T) {
	for _, f := range sources(t) {
		switch {
		case f.Generated:
		case f.Lines > longest:
			t.Errorf("%s has %d lines, more than %d: split it", f.Path, f.Lines, longest)
		case f.Lines > long:
			t.Logf("%s has %d lines", f.Path, f.Lines)
		}
	}
}

func TestGeneratedFilesAreMarked(t *testing.T) {
	for _, f := range sources(t) {
		inside := strings.HasPrefix(f.Package, "generated")
		if inside && !f.Generated && !f.Test {
			t.Errorf("%s has no mark of the generator: nothing in generated/ is written by hand", f.Path)
		}
		if !inside && f.Generated {
			t.Errorf("%s is marked as generated outside of generated/", f.Path)
		}
	}
}

// vague are names that say nothing about what is inside.
var vague = regexp.MustCompile(`(?i)^(utils?|commons?|helpers?|managers?|misc|shared|base)$`)

// vagueType are ends of type names that say nothing.
var vagueType = regexp.MustCompile(`(Util|Utils|Helper|Helpers|Manager|Misc)$`)

func TestNamesSaySomething(t *testing.T) {
	for _, f := range sources(t) {
		for _, part := range strings.FieldsFunc(strings.TrimSuffix(strings.TrimSuffix(f.Path, ".go"), "_test"), func(r rune) bool { return r == '/' || r == '_' }) {
			if vague.MatchString(part) {
				t.Errorf("%s: %q says nothing about what is inside", f.Path, part)
			}
		}
		for _, d := range f.Syntax.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE || f.Generated {
				continue
			}
			for _, s := range g.Specs {
				if name := s.(*ast.TypeSpec).Name.Name; vagueType.MatchString(name) {
					t.Errorf("%s: the type name %s says nothing", f.Path, name)
				}
			}
		}
	}
}

func TestNoInitAndNoMutableGlobals(t *testing.T) {
	packages := map[string][]lint.File{}
	for _, f := range sources(t) {
		if !f.Test {
			packages[f.Package] = append(packages[f.Package], f)
		}
	}
	for _, files := range packages {
		globals := map[string]string{} // name → where
		for _, f := range files {
			for _, d := range f.Syntax.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					if d.Recv == nil && d.Name.Name == "init" {
						t.Errorf("%s has an init function", f.Path)
					}
				case *ast.GenDecl:
					if d.Tok == token.VAR {
						collect(t, f, d, globals)
					}
				}
			}
		}
		for _, f := range files {
			for name, where := range written(f, globals) {
				t.Errorf("%s: the package-level variable %s is written in %s", where, name, f.Path)
			}
		}
	}
}

// collect notes the package-level variables of d. Values that are made to change are
// refused at once; sync.Pool is not: what lies in a pool never shows.
func collect(t *testing.T, f lint.File, d *ast.GenDecl, globals map[string]string) {
	t.Helper()
	for _, s := range d.Specs {
		v := s.(*ast.ValueSpec)
		typ := text(v.Type)
		if len(v.Values) == 1 {
			if c, ok := v.Values[0].(*ast.CompositeLit); ok && typ == "" {
				typ = text(c.Type)
			}
		}
		for _, name := range v.Names {
			if name.Name == "_" {
				continue
			}
			if typ != "sync.Pool" && (strings.HasPrefix(typ, "sync.") || strings.HasPrefix(typ, "atomic.")) {
				t.Errorf("%s: the package-level variable %s is a %s", f.Path, name.Name, typ)
			}
			if len(v.Values) == 0 && typ != "embed.FS" && typ != "sync.Pool" && !embedded(d, v) {
				t.Errorf("%s: the package-level variable %s has no value of its own", f.Path, name.Name)
			}
			globals[name.Name] = f.Path
		}
	}
}

func embedded(d *ast.GenDecl, v *ast.ValueSpec) bool {
	for _, doc := range []*ast.CommentGroup{d.Doc, v.Doc} {
		if doc != nil {
			for _, c := range doc.List {
				if strings.HasPrefix(c.Text, "//go:embed ") {
					return true
				}
			}
		}
	}
	return false
}

func text(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return text(e.X) + "." + e.Sel.Name
	case *ast.StarExpr:
		return text(e.X)
	case *ast.IndexExpr:
		return text(e.X)
	}
	return ""
}

// written returns the globals that f assigns to, with where they are declared.
func written(f lint.File, globals map[string]string) map[string]string {
	found := map[string]string{}
	note := func(e ast.Expr) {
		for {
			switch x := e.(type) {
			case *ast.IndexExpr:
				e = x.X
				continue
			case *ast.SelectorExpr:
				e = x.X
				continue
			case *ast.ParenExpr:
				e = x.X
				continue
			case *ast.Ident:
				// the parser resolves identifiers declared in the same file; another
				// file's global stays unresolved, a local one is resolved elsewhere
				if where, ok := globals[x.Name]; ok && (x.Obj == nil || x.Obj.Kind == ast.Var && global(f, x.Obj)) {
					found[x.Name] = where
				}
			}
			return
		}
	}
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, e := range n.Lhs {
					note(e)
				}
			}
		case *ast.IncDecStmt:
			note(n.X)
		case *ast.CallExpr:
			if fun, ok := n.Fun.(*ast.Ident); ok && slices.Contains([]string{"delete", "clear"}, fun.Name) && len(n.Args) > 0 {
				note(n.Args[0])
			}
		}
		return true
	})
	return found
}

// global says whether the object is declared at the top of the file.
//
//lint:ignore SA1019 the parser's own resolution within a file is all that is needed
func global(f lint.File, o *ast.Object) bool {
	for _, d := range f.Syntax.Decls {
		if g, ok := d.(*ast.GenDecl); ok {
			for _, s := range g.Specs {
				if s == o.Decl {
					return true
				}
			}
		}
	}
	return false
}

func TestPackagesSayWhatTheyAre(t *testing.T) {
	documented := map[string]bool{}
	for _, f := range sources(t) {
		if !f.Test {
			documented[f.Package] = documented[f.Package] || f.Syntax.Doc != nil
		}
	}
	for p, ok := range documented {
		if !ok {
			t.Errorf("package %s has no comment that says what it is", p)
		}
	}
}

var unfinished = regexp.MustCompile(`\b(TODO|FIXME|XXX|HACK)\b`)

func TestNothingIsLeftForLater(t *testing.T) {
	for _, f := range sources(t) {
		if path.Base(f.Path) == "style_test.go" {
			continue
		}
		for _, group := range f.Syntax.Comments {
			for _, c := range group.List {
				if unfinished.MatchString(c.Text) {
					t.Errorf("%s: %s", f.Set.Position(c.Pos()), c.Text)
				}
			}
		}
	}
}
