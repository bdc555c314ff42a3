// SPDX-License-Identifier: Apache-2.0

package profile

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/csi-topo/csi-topo/fixtures/profiles"
)

// Names of the reference driver's profiles.
const (
	Reference          = "hostpath-topo"
	ReferenceNodeLocal = "hostpath-topo-node-local"
)

// Load reads a built-in profile by its name, or the profile in a file, whose name ends in .yaml.
func Load(nameOrFile string) (Profile, error) {
	if IsFile(nameOrFile) {
		return ReadFile(nameOrFile)
	}
	return Known(nameOrFile)
}

// Text returns the YAML of a profile that Load reads.
func Text(nameOrFile string) ([]byte, error) {
	if IsFile(nameOrFile) {
		return text(nameOrFile)
	}
	return known(nameOrFile)
}

// IsFile reports whether the argument is a profile's file rather than the name of a built-in profile.
func IsFile(nameOrFile string) bool {
	return path.Ext(nameOrFile) != "" || strings.ContainsRune(nameOrFile, '/')
}

// Known reads a built-in profile, such as Reference.
func Known(name string) (Profile, error) {
	data, err := known(name)
	if err != nil {
		return Profile{}, err
	}
	return Parse(name+".yaml", data)
}

func known(name string) ([]byte, error) {
	data, err := fs.ReadFile(profiles.FS(), name+".yaml")
	if err != nil {
		return nil, fmt.Errorf("unknown profile %q: known are %s; a file ends in .yaml", name, strings.Join(KnownNames(), ", "))
	}
	return data, nil
}

// KnownNames returns the names of the built-in profiles.
func KnownNames() []string {
	files, _ := fs.Glob(profiles.FS(), "*.yaml") // the pattern is valid
	var names []string
	for _, file := range files {
		names = append(names, strings.TrimSuffix(file, ".yaml"))
	}
	return names
}

// Of returns a profile that fits any driver: it has volumes of 1 GiB, and its answers show the number of topologies from
// which they are accessible.
func Of(driver string) Profile {
	return Profile{Driver: driver, VolumeBytes: 1 << 30}
}
