package gobuild

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Prune removes binaries from a cache that no build has used since a time. What
// is older than a run can last is safe to remove while others run.
func Prune(cache string, before time.Time) error {
	all := filepath.Join(cache, "binaries")
	entries, err := os.ReadDir(all)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("removing old binaries: %w", err)
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || !info.ModTime().Before(before) {
			continue
		}
		if err := os.RemoveAll(filepath.Join(all, entry.Name())); err != nil {
			return fmt.Errorf("removing old binaries: %w", err)
		}
	}
	return nil
}

// used notes that an entry of the cache is in use.
func used(path string) {
	now := time.Now()
	_ = os.Chtimes(path, now, now)
}
