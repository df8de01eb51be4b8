package gobuild

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Driver is how benchmarks of a binary can be run.
type Driver int

const (
	// Processes runs an unmodified binary once for every sample.
	Processes Driver = iota
	// Pausing runs a benchmark batch by batch inside its own loop.
	Pausing
)

// String is the name that people read.
func (d Driver) String() string {
	if d == Pausing {
		return "batches inside one process"
	}
	return "a process per sample"
}

// overlay is the content of an overlay file of the go command.
type overlay struct{ Replace map[string]string }

// canPause are the systems that the pausing driver knows.
func canPause(system string) bool {
	return (system == "linux" || system == "darwin") && system == runtime.GOOS
}

// Driver says how benchmarks can be run with this toolchain and these flags. The
// reason is empty for the pausing driver, and says why it cannot be used
// otherwise. The answer is found once.
func (b *Builder) Driver(ctx context.Context) (Driver, string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.driver == nil {
		found, err := b.findDriver(ctx)
		if err != nil {
			return Processes, "", err
		}
		b.driver = &found
	}
	return b.driver.driver, b.driver.reason, nil
}

// driverChoice is a driver, why it is not the better one, and its overlay file.
type driverChoice struct {
	driver  Driver
	reason  string
	overlay string
}

func (b *Builder) findDriver(ctx context.Context) (driverChoice, error) {
	user, err := b.userFlags()
	if err != nil {
		return driverChoice{}, err
	}
	switch {
	case !canPause(b.Toolchain.OS):
		return driverChoice{reason: "benchmarks cannot be paused on " + b.Toolchain.OS}, nil
	case len(user.instances) > 0:
		return driverChoice{reason: "binaries built with -" + user.instances[0] + " are run as they are"}, nil
	}
	file, err := b.writeOverlay(user.overlay)
	if errors.Is(err, ErrNoAnchor) {
		return driverChoice{reason: fmt.Sprintf("%s: %v", b.Toolchain.Version, err)}, nil
	}
	if err != nil {
		return driverChoice{}, err
	}
	// What has its anchors may still not compile.
	if _, err := b.Toolchain.runIn(ctx, b.Toolchain.Testing, neutral, "build", "-trimpath", "-overlay="+file, "testing"); err != nil {
		if ctx.Err() != nil {
			return driverChoice{}, ctx.Err()
		}
		first, _, _ := strings.Cut(strings.TrimPrefix(err.Error(), "# testing\n"), "\n")
		return driverChoice{reason: fmt.Sprintf("%s: %v: %s", b.Toolchain.Version, ErrNoAnchor, first)}, nil
	}
	return driverChoice{driver: Pausing, overlay: file}, nil
}

// writeOverlay puts the pausing driver into the cache, with the user's own
// overlay merged into it, and returns the overlay file. The place is named after
// the content.
func (b *Builder) writeOverlay(userFile string) (string, error) {
	var all overlay
	if userFile != "" {
		text, err := os.ReadFile(userFile)
		if err != nil {
			return "", fmt.Errorf("reading the overlay that GOFLAGS or the build flags name: %w", err)
		}
		if err := json.Unmarshal(text, &all); err != nil {
			return "", fmt.Errorf("reading the overlay %s: %w", userFile, err)
		}
	}
	original := filepath.Join(b.Toolchain.Testing, "benchmark.go")
	if _, taken := all.Replace[original]; taken {
		return "", fmt.Errorf("%w: the overlay %s replaces it", ErrNoAnchor, userFile)
	}
	source, err := os.ReadFile(original)
	if err != nil {
		return "", fmt.Errorf("reading package testing: %w", err)
	}
	changed, err := pausable(source)
	if err != nil {
		return "", err
	}
	merged := overlay{Replace: map[string]string{}}
	for from, to := range all.Replace {
		merged.Replace[from] = to
	}
	sum := sha256.New()
	_, _ = fmt.Fprintf(sum, "%q %q %q %v", changed, pausingSource, original, all.Replace)
	place := filepath.Join(b.Cache, "drivers", hex.EncodeToString(sum.Sum(nil)[:12]))
	merged.Replace[original] = filepath.Join(place, "benchmark.go")
	merged.Replace[filepath.Join(b.Toolchain.Testing, "zz_pausing.go")] = filepath.Join(place, "pausing.go")
	text, err := json.MarshalIndent(merged, "", "\t")
	if err != nil {
		return "", err
	}
	return filepath.Join(place, "overlay.json"), fill(place, map[string][]byte{
		"benchmark.go": changed, "pausing.go": pausingSource, "overlay.json": text,
	})
}

// fill makes a directory with files, complete or not at all. One that is there
// already stays.
func fill(place string, files map[string][]byte) error {
	if _, err := os.Stat(place); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(place), 0o777); err != nil {
		return err
	}
	making, err := os.MkdirTemp(filepath.Dir(place), "making-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(making) }()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(making, name), text, 0o666); err != nil {
			return err
		}
	}
	if err := os.Rename(making, place); err != nil {
		if _, there := os.Stat(place); there == nil {
			return nil
		}
		return err
	}
	return nil
}
