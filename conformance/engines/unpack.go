package engines

import (
	"embed"
	"io/fs"
	"os"
	"path/filepath"
)

// unpack writes the embedded files below folder into dir, and says whether any was not
// there as it is.
func unpack(files embed.FS, folder, dir string) (changed bool, err error) {
	err = fs.WalkDir(files, folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(folder, name)
		if err != nil {
			return err
		}
		file := filepath.Join(dir, relative)
		if d.IsDir() {
			return os.MkdirAll(file, 0o755)
		}
		text, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		if old, err := os.ReadFile(file); err == nil && string(old) == string(text) {
			return nil
		}
		changed = true
		return os.WriteFile(file, text, 0o644)
	})
	return changed, err
}
