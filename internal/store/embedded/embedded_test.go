package embedded

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/internal/metadata"
	"postern/internal/store"
	"postern/internal/store/storetest"
)

func testOptions() Options {
	return Options{
		NewState: func() *metadata.State { return metadata.NewState("cluster") },
		Parse: func(ix *metadata.Index, dst *mapping.Document, id, routing string, source []byte) error {
			v, err := jsonx.Parse(source)
			if err != nil {
				return err
			}
			_, err = ix.Mapping.ParseDocument(dst, id, routing, v)
			return err
		},
	}
}

// small makes everything happen after few documents.
func small() sizes {
	return sizes{tailDocs: 8, tailBytes: 1 << 20, tails: 2, chunk: 600, mergeWidth: 3, mergeDocs: 200, mergeBytes: 1 << 20, removeAt: 4, removeAfter: time.Millisecond}
}

func openAt(t testing.TB, folder string, opts Options) *Store {
	t.Helper()
	s, err := Open(folder, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSuite(t *testing.T) {
	t.Run("as it is", func(t *testing.T) {
		storetest.Run(t, func(t *testing.T) storetest.Opener {
			folder := filepath.Join(t.TempDir(), "data")
			return func(t testing.TB) storetest.Store { return openAt(t, folder, testOptions()) }
		})
	})
	t.Run("small runs in memory", func(t *testing.T) {
		storetest.Run(t, func(*testing.T) storetest.Opener {
			opts := testOptions()
			opts.FS, opts.sizes = vfs.NewMem(), small()
			return func(t testing.TB) storetest.Store { return openAt(t, "data", opts) }
		})
	})
}

func TestSecondStore(t *testing.T) {
	folder := t.TempDir()
	s := openAt(t, folder, testOptions())
	if _, err := Open(folder, testOptions()); !errors.Is(err, store.ErrLocked) {
		t.Errorf("a second store on the folder: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := openAt(t, folder, testOptions()).Close(); err != nil {
		t.Fatal(err)
	}
}

func TestUnwritableFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(filepath.Join(file, "data"), testOptions()); !errors.Is(err, store.ErrUnwritable) {
		t.Errorf("a folder below a file: %v", err)
	}
	if os.Getuid() == 0 {
		return // to whom every folder is writable
	}
	closed := filepath.Join(t.TempDir(), "closed")
	if err := os.Mkdir(closed, 0o555); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(closed, testOptions()); !errors.Is(err, store.ErrUnwritable) {
		t.Errorf("a folder without permission: %v", err)
	}
}

func TestNewerFormat(t *testing.T) {
	opts := testOptions()
	opts.FS = vfs.NewMem()
	s := openAt(t, "data", opts)
	if err := s.db.Set([]byte{kindFormat}, []byte{formatVersion + 1}, pebble.Sync); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open("data", opts); !errors.Is(err, store.ErrFormat) {
		t.Errorf("a newer format: %v", err)
	}
}
