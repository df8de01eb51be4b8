package gobuild

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
)

// key names a build after all that goes into it.
func (b *Builder) key(r Request) (string, error) {
	user, err := b.userFlags()
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	_, _ = fmt.Fprintf(sum, "%q %q %v %q\n", r.Version.Hash, r.Package.ImportPath, r.Version.InPlace, r.Version.Dir)
	_, _ = fmt.Fprintf(sum, "%d %d %v %q %q\n", r.Layout, r.Driver, r.KeepPaths, b.Toolchain.Version, b.Toolchain.Root)
	_, _ = fmt.Fprintf(sum, "%q %q %q %q\n", user.rest, user.linker, user.overlay, r.Version.ModFile+r.Version.Workspace)
	_, _ = fmt.Fprintf(sum, "%q\n", b.Toolchain.codeSettings())
	_, _ = sum.Write(pausingSource)
	return hex.EncodeToString(sum.Sum(nil)[:16]), nil
}

// codeSettings are the settings of the go command that change what it builds.
func (t *Toolchain) codeSettings() []string {
	var all []string
	for name, value := range t.settings {
		switch name {
		case "GOOS", "GOARCH", "GOEXPERIMENT", "GO386", "GOAMD64", "GOARM", "GOARM64", "GOMIPS", "GOMIPS64", "GOPPC64", "GORISCV64", "GOWASM", "GOFIPS140",
			"CGO_ENABLED", "CC", "CXX", "FC", "AR", "CGO_CFLAGS", "CGO_CPPFLAGS", "CGO_CXXFLAGS", "CGO_FFLAGS", "CGO_LDFLAGS", "GCCGO", "PKG_CONFIG", "GODEBUG":
			all = append(all, name+"="+value)
		}
	}
	slices.Sort(all)
	return all
}

// userFlags are GOFLAGS and the build flags.
func (b *Builder) userFlags() (userFlags, error) {
	return sortFlags(slices.Concat(b.Toolchain.flags, b.Flags))
}
