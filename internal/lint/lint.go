// Package lint holds the repository to its structure: which package may import which,
// how things are called, what may not be written. All of it is in the tests; this file
// only reads the sources.
package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// File is one Go source of the main module.
type File struct {
	Path      string // below the root, with slashes
	Package   string // import path without the module: "" is the root
	Test      bool
	Generated bool
	Lines     int
	Syntax    *ast.File
	Set       *token.FileSet
}

// generatedMark is how a generator signs, in the words that go knows.
const generatedMark = "// Code generated "

// Sources reads every Go file of the module at root, without the modules nested in it.
func Sources(root string) ([]File, error) {
	var files []File
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return enter(root, name, d)
		}
		if filepath.Ext(name) != ".go" {
			return nil
		}
		f, err := read(root, name)
		files = append(files, f)
		return err
	})
	return files, err
}

func enter(root, name string, d fs.DirEntry) error {
	if name == root {
		return nil
	}
	if strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "node_modules" {
		return fs.SkipDir
	}
	if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil {
		return fs.SkipDir
	}
	return nil
}

func read(root, name string) (File, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return File{}, err
	}
	relative, err := filepath.Rel(root, name)
	if err != nil {
		return File{}, err
	}
	set := token.NewFileSet()
	syntax, err := parser.ParseFile(set, name, text, parser.ParseComments)
	if err != nil {
		return File{}, err
	}
	place := filepath.ToSlash(relative)
	pack := path.Dir(place)
	if pack == "." {
		pack = ""
	}
	return File{
		Path:      place,
		Package:   pack,
		Test:      strings.HasSuffix(name, "_test.go"),
		Generated: strings.HasPrefix(string(text), generatedMark),
		Lines:     strings.Count(string(text), "\n"),
		Syntax:    syntax,
		Set:       set,
	}, nil
}

// Imports returns the import paths of f.
func (f File) Imports() []string {
	var paths []string
	for _, i := range f.Syntax.Imports {
		paths = append(paths, strings.Trim(i.Path.Value, `"`))
	}
	return paths
}
