package main

import (
	"os"
	"path/filepath"

	"postern/conformance/datasets"
)

func loader() (*datasets.Loader, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	return datasets.NewLoader(filepath.Join(base, "postern", "datasets")), nil
}
