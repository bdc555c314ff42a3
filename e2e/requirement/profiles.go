// SPDX-License-Identifier: Apache-2.0

package requirement

import (
	"bytes"
	_ "embed" // profiles.yaml
	"errors"
	"fmt"
	"slices"
	"sync"

	"go.yaml.in/yaml/v3"
)

// Profile is a conformance profile: a group of requirements on drivers that make certain claims.
type Profile struct {
	// Name is the profile's name, such as topology.
	Name string `yaml:"name"`
	// Core says that every driver must have the profile. The other profiles are optional.
	Core bool `yaml:"core"`
	// Text describes the profile.
	Text string `yaml:"text"`
	// Claims are capabilities, in drivers' spelling: a driver with none of them does not claim the profile. Every driver
	// claims a profile without Claims.
	Claims []string `yaml:"claims"`
	// Requirements are the ids of the requirements that the driver claims through its answers.
	Requirements []string `yaml:"requirements"`
	// Declared are the ids of the requirements that the vendor's profile claims.
	Declared []string `yaml:"declared"`
}

// All returns the ids of all of the profile's requirements.
func (p Profile) All() []string { return slices.Concat(p.Requirements, p.Declared) }

// ClaimedBy reports whether a driver with these capabilities claims the profile. A driver whose capabilities are not known
// claims all profiles.
func (p Profile) ClaimedBy(capabilities []string) bool {
	return len(p.Claims) == 0 || len(capabilities) == 0 || slices.ContainsFunc(p.Claims, func(claim string) bool { return slices.Contains(capabilities, claim) })
}

//go:embed profiles.yaml
var profilesFile []byte

// profiles is read on first use; it never changes afterwards.
var profiles = sync.OnceValue(func() []Profile {
	all, err := parseProfiles(profilesFile)
	if err != nil {
		panic(fmt.Sprintf("the embedded profiles are broken: %v", err))
	}
	return all
})

// Profiles returns the conformance profiles, the core profile first.
func Profiles() []Profile { return slices.Clone(profiles()) }

func parseProfiles(data []byte) ([]Profile, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	var all []Profile
	if err := decoder.Decode(&all); err != nil {
		return nil, fmt.Errorf("parsing profiles.yaml: %w", err)
	}
	return all, checkProfiles(all)
}

// checkProfiles returns an error for every requirement that cannot count for a profile: one that is unknown, is not a MUST
// for the driver, or counts for another profile.
func checkProfiles(all []Profile) error {
	var problems []error
	counts := map[string]string{}
	for _, p := range all {
		for _, id := range p.All() {
			r, found := ByID(id)
			switch {
			case !found:
				problems = append(problems, fmt.Errorf("profile %s: no requirement has the id %s", p.Name, id))
			case r.Level != Must || r.Grades != Vendor:
				problems = append(problems, fmt.Errorf("profile %s: %s is a %s that grades the %s: want a MUST of the driver", p.Name, id, r.Level, r.Grades))
			case counts[id] != "":
				problems = append(problems, fmt.Errorf("%s counts for the profiles %s and %s: want one", id, counts[id], p.Name))
			}
			counts[id] = p.Name
		}
	}
	return errors.Join(problems...)
}
