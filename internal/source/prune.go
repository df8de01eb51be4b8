package source

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Prune removes copies from a cache that no run has used since a time. What is
// older than a run can last is safe to remove while others run.
func Prune(cache string, before time.Time) error {
	for _, kind := range []string{"sources", "modules"} {
		all := filepath.Join(cache, kind)
		entries, err := os.ReadDir(all)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("removing old sources: %w", err)
		}
		for _, entry := range entries {
			info, err := entry.Info()
			if err != nil || !info.ModTime().Before(before) {
				continue
			}
			if err := os.RemoveAll(filepath.Join(all, entry.Name())); err != nil {
				return fmt.Errorf("removing old sources: %w", err)
			}
		}
	}
	return nil
}

// used notes that an entry of the cache is in use.
func used(path string) {
	now := time.Now()
	_ = os.Chtimes(path, now, now)
}
