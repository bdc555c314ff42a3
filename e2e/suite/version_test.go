// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"runtime/debug"
	"testing"
)

func TestVersionOf(t *testing.T) {
	const pseudo = "v0.0.0-20261122030405-0e6abee94c1d"
	built := func(version string, settings ...debug.BuildSetting) debug.BuildInfo {
		return debug.BuildInfo{Main: debug.Module{Path: module, Version: version}, Settings: settings}
	}
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "0e6abee94c1d2f"}
	for _, c := range []struct {
		name            string
		given           debug.BuildInfo
		version, commit string
	}{
		{name: "without anything of git", given: built("(devel)"), version: "(devel)"},
		{name: "in a clone", given: built(pseudo, revision), version: pseudo, commit: "0e6abee94c1d2f"},
		{name: "in a clone with changes", given: built("(devel)", revision, debug.BuildSetting{Key: "vcs.modified", Value: "true"}),
			version: "(devel)", commit: "0e6abee94c1d2f+dirty"},
		{name: "of a commit, by go run", given: built(pseudo), version: pseudo, commit: "0e6abee94c1d"},
		{name: "of a version, by go run", given: built("v0.1.0-rc.1"), version: "v0.1.0-rc.1"},
		{name: "in a vendor's tests", given: debug.BuildInfo{
			Main: debug.Module{Path: "example.com/driver", Version: "v2.0.0"}, Settings: []debug.BuildSetting{revision},
			Deps: []*debug.Module{{Path: "example.com/other", Version: "v3.0.0"}, {Path: module, Version: pseudo}},
		}, version: pseudo, commit: "0e6abee94c1d"},
		{name: "in a binary that does not say", given: debug.BuildInfo{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			version, commit := versionOf(&c.given)
			if version != c.version || commit != c.commit {
				t.Errorf("got %q, %q, want %q, %q", version, commit, c.version, c.commit)
			}
		})
	}
}
