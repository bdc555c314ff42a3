// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"runtime/debug"
	"strings"
)

// module is the suite's own module.
const module = "github.com/csi-topo/csi-topo"

// Version returns the suite's version and commit as far as the binary knows them; otherwise they are empty.
func Version() (version, commit string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", ""
	}
	return versionOf(info)
}

// versionOf returns the version and the commit of the suite in a binary. In a vendor's tests that import the suite, the
// commit is known only from a pseudo-version. A commit with changes on top ends in "+dirty".
func versionOf(info *debug.BuildInfo) (version, commit string) {
	if info.Main.Path != module {
		for _, imported := range info.Deps {
			if imported.Path == module {
				return imported.Version, commitOf(imported.Version)
			}
		}
		return "", ""
	}
	settings := map[string]string{}
	for _, setting := range info.Settings {
		settings[setting.Key] = setting.Value
	}
	commit = settings["vcs.revision"]
	if commit == "" {
		return info.Main.Version, commitOf(info.Main.Version)
	}
	if settings["vcs.modified"] == "true" {
		commit += "+dirty"
	}
	return info.Main.Version, commit
}

// commitOf returns the short commit in a pseudo-version, such as v0.0.0-20261122030405-0e6abee94c1d, or "" for another
// version.
func commitOf(version string) string {
	const length = 12
	version, _, _ = strings.Cut(version, "+")
	parts := strings.Split(version, "-")
	if last := parts[len(parts)-1]; len(parts) > 2 && len(last) == length && strings.Trim(last, "0123456789abcdef") == "" {
		return last
	}
	return ""
}
