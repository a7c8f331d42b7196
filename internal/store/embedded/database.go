package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"

	"postern/internal/store"
)

// pebbleOptions keep the database small in memory: columns are what searches run on, and
// the block cache serves only reads of sources. All levels have filters, since most
// look-ups of a writer are for an _id that is new.
func pebbleOptions(files vfs.FS, log *slog.Logger) *pebble.Options {
	o := &pebble.Options{
		FS:                          files,
		CacheSize:                   8 << 20,
		MemTableSize:                4 << 20,
		MemTableStopWritesThreshold: 4,
		L0CompactionThreshold:       4,
		L0StopWritesThreshold:       32,
		MaxOpenFiles:                512,
		FormatMajorVersion:          pebble.FormatNewest,
		Logger:                      pebbleLog{log},
	}
	for i := range o.Levels {
		o.Levels[i].FilterPolicy = bloom.FilterPolicy(10)
	}
	o.EnsureDefaults()
	return o
}

// openDatabase locks and opens the database of a folder.
func openDatabase(folder string, o *pebble.Options) (*pebble.DB, error) {
	if err := makeFolder(o.FS, folder); err != nil {
		return nil, fmt.Errorf("%w: %w", store.ErrUnwritable, err)
	}
	lock, err := pebble.LockDirectory(folder, o.FS)
	var path *fs.PathError
	switch {
	case err == nil:
	case errors.As(err, &path): // the lock file can't be made
		return nil, fmt.Errorf("%w: %w", store.ErrUnwritable, err)
	default:
		return nil, fmt.Errorf("%w: %w", store.ErrLocked, err)
	}
	o.Lock = lock
	db, err := pebble.Open(folder, o)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return db, lock.Close() // the database holds it from now on
}

// makeFolder makes a folder and those above it, and syncs where each is entered.
func makeFolder(files vfs.FS, folder string) error {
	_, err := files.Stat(folder)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	above := files.PathDir(folder)
	if above != folder {
		if err := makeFolder(files, above); err != nil {
			return err
		}
	}
	if err := files.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	dir, err := files.OpenDir(above)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// pebbleLog passes on what Pebble says only when it matters.
type pebbleLog struct{ log *slog.Logger }

func (l pebbleLog) Infof(string, ...any)              {}
func (l pebbleLog) Errorf(format string, args ...any) { l.log.Error(fmt.Sprintf(format, args...)) }

// Fatalf is called when the log can't be written or synced. The process must end: going on
// would acknowledge writes that are not durable, and what is in memory is ahead of what a
// restart finds.
func (l pebbleLog) Fatalf(format string, args ...any) {
	l.log.Error(fmt.Sprintf(format, args...))
	os.Exit(1)
}

// get copies a value; an absent key gives nil.
func get(r pebble.Reader, k []byte) ([]byte, error) {
	v, closer, err := r.Get(k)
	if err == pebble.ErrNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", k, err)
	}
	v = append(make([]byte, 0, len(v)), v...)
	return v, closer.Close()
}

// scan calls f with the keys and values that begin with a prefix, from a key on; nil is
// the first. What f is given must not be kept.
func scan(r pebble.Reader, prefix, from []byte, f func(k, v []byte) error) (err error) {
	if from == nil {
		from = prefix
	}
	it, err := r.NewIter(&pebble.IterOptions{LowerBound: from, UpperBound: after(prefix)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, it.Close()) }()
	for ok := it.First(); ok; ok = it.Next() {
		v, err := it.ValueAndErr()
		if err != nil {
			return err
		}
		if err := f(it.Key(), v); err != nil {
			return err
		}
	}
	return it.Error()
}

// first is a copy of the first key that begins with a prefix and is not below from; nil
// when there is none.
func first(r pebble.Reader, prefix, from []byte) (k []byte, err error) {
	it, err := r.NewIter(&pebble.IterOptions{LowerBound: from, UpperBound: after(prefix)})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, it.Close()) }()
	if it.First() {
		k = append([]byte(nil), it.Key()...)
	}
	return k, it.Error()
}
