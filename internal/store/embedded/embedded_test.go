package embedded

import (
	"path/filepath"
	"testing"

	"postern/internal/jsonx"
	"postern/internal/mapping"
	"postern/internal/metadata"
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

func openAt(t testing.TB, folder string) *Store {
	t.Helper()
	s, err := Open(folder, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSuite(t *testing.T) {
	folders := map[string]string{}
	storetest.Run(t, func(t *testing.T) storetest.Store {
		if folders[t.Name()] == "" {
			folders[t.Name()] = filepath.Join(t.TempDir(), "data")
		}
		return openAt(t, folders[t.Name()])
	})
}
