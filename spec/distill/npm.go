package main

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

const (
	packageName = "@elastic/request-converter"
	schemaPath  = "package/dist/schema.json"
)

// pack has npm download the package and returns the schema.json in it.
func pack(version string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "postern-spec-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	cmd := exec.Command("npm", "pack", "--silent", "--pack-destination", dir, packageName+"@"+version)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("npm pack %s@%s: %w", packageName, version, err)
	}
	found, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if err != nil || len(found) != 1 {
		return nil, fmt.Errorf("npm pack left %d archives", len(found))
	}
	f, err := os.Open(found[0])
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return schemaIn(f)
}

// schemaIn reads schema.json out of the package's archive.
func schemaIn(r io.Reader) ([]byte, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("no %s in the package", schemaPath)
		}
		if err != nil {
			return nil, err
		}
		if h.Name == schemaPath {
			return io.ReadAll(t)
		}
	}
}
