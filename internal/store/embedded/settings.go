package embedded

import (
	"time"

	"postern/internal/metadata"
)

// settings are what the store asks of an index's settings, read once.
type settings struct {
	meta *metadata.Index
	// interval is how often the index refreshes on its own, 0 for never; explicit says that
	// it was set.
	interval time.Duration
	explicit bool
	// idleAfter is how long an index without an explicit interval goes without searches
	// until it no longer refreshes on its own.
	idleAfter time.Duration
	// gcDeletes is how long a deletion is remembered.
	gcDeletes time.Duration
	// maxListeners is how many writes may wait for a refresh.
	maxListeners int
}

func settingsOf(meta *metadata.Index) *settings {
	s := &settings{
		meta:         meta,
		interval:     max(0, meta.Settings.Duration("index.refresh_interval", time.Second)),
		idleAfter:    meta.Settings.Duration("index.search.idle.after", 30*time.Second),
		gcDeletes:    meta.Settings.Duration("index.gc_deletes", time.Minute),
		maxListeners: meta.Settings.Int("index.max_refresh_listeners", 1000),
	}
	_, s.explicit = meta.Settings.Get("index.refresh_interval")
	return s
}

// learn takes note of newer settings.
func (ix *index) learn(meta *metadata.Index) {
	known := ix.settings.Load()
	if known.meta == meta || known.meta.SettingsVersion >= meta.SettingsVersion && known.meta.MappingVersion >= meta.MappingVersion {
		return
	}
	if !ix.settings.CompareAndSwap(known, settingsOf(meta)) || known.meta.SettingsVersion == meta.SettingsVersion {
		return
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if ix.ticker != nil && ix.ticker.Stop() {
		ix.ticker = nil
	}
	ix.tick()
}
