package main

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// newUUID is an id in Elasticsearch's form: 22 characters.
func newUUID() string {
	var b [16]byte
	rand.Read(b[:])
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// nodeID is the node's id, which stays with its data folder.
func nodeID(folder string) (string, error) {
	file := filepath.Join(folder, "node_id")
	b, err := os.ReadFile(file)
	if id := strings.TrimSpace(string(b)); err == nil && id != "" {
		return id, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	id := newUUID()
	return id, os.WriteFile(file, []byte(id+"\n"), 0o644)
}
