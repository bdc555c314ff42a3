// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"bytes"
	_ "embed" // releases.yaml
	"fmt"
	"slices"
	"sync"

	"go.yaml.in/yaml/v3"
)

// release is a release of the suite, with its new cases.
type release struct {
	Release string   `yaml:"release"`
	Cases   []string `yaml:"cases"`
}

//go:embed releases.yaml
var releasesFile []byte

// releases is read on first use; it never changes afterwards.
var releases = sync.OnceValue(func() []release {
	all, err := parseReleases(releasesFile)
	if err != nil {
		panic(err.Error())
	}
	return all
})

func parseReleases(data []byte) ([]release, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	var all []release
	if err := decoder.Decode(&all); err != nil {
		return nil, fmt.Errorf("the embedded list of releases is broken: %w", err)
	}
	return all, nil
}

// Release returns the release that first had the case, and "" if no release has it.
func Release(id string) string { return releaseOf(releases(), id) }

func releaseOf(all []release, id string) string {
	if i := slices.IndexFunc(all, func(r release) bool { return slices.Contains(r.Cases, id) }); i >= 0 {
		return all[i].Release
	}
	return ""
}

// Provisional reports whether the case counts for no profile yet: there is no newer release than the one that first had it.
func Provisional(id string) bool { return provisional(releases(), id) }

func provisional(all []release, id string) bool {
	first := releaseOf(all, id)
	newest := all[len(all)-1].Release
	return first == "" || first == newest && len(all) > 1
}
