// Package profile is what a vendor says of a driver that the driver's own answers do not tell, read from one strict
// YAML file.
package profile

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"
)

//go:embed hostpath-topo.yaml
var hostpathTopo []byte

// Profile describes one driver.
type Profile struct {
	// Driver is the driver's CSI name.
	Driver string `yaml:"driver"`
	// VolumeBytes is the size of the volumes that cases make.
	VolumeBytes int64 `yaml:"volumeBytes"`
	// Volumes are the kinds of volume that cases may make, at most one for each number of topologies.
	Volumes []Kind `yaml:"volumes"`
}

// Kind is a kind of volume.
type Kind struct {
	// AccessibleFrom is the number of topologies that such a volume is accessible from: the specification's x, which is
	// not a field of any request.
	AccessibleFrom int `yaml:"accessibleFrom"`
	// Parameters are the StorageClass parameters that ask for such a volume.
	Parameters map[string]string `yaml:"parameters"`
}

// HostpathTopo is the profile of the reference driver.
func HostpathTopo() (Profile, error) {
	return Parse(hostpathTopo)
}

// Parse reads a profile. A field that it does not know is an error that names the line.
func Parse(data []byte) (Profile, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	var p Profile
	if err := decoder.Decode(&p); err != nil {
		return Profile{}, fmt.Errorf("reading the profile: %w", err)
	}
	if err := p.validate(); err != nil {
		return Profile{}, fmt.Errorf("profile of driver %q: %w", p.Driver, err)
	}
	return p, nil
}

// Parameters are those that ask for a volume that is accessible from x topologies; ok is false when the driver has no
// such volumes.
func (p Profile) Parameters(x int) (parameters map[string]string, ok bool) {
	for _, kind := range p.Volumes {
		if kind.AccessibleFrom == x {
			return kind.Parameters, true
		}
	}
	return nil, false
}

func (p Profile) validate() error {
	var problems []error
	if p.Driver == "" {
		problems = append(problems, errors.New("driver is missing: want the driver's CSI name"))
	}
	if p.VolumeBytes <= 0 {
		problems = append(problems, fmt.Errorf("volumeBytes is %d: want a positive number of bytes", p.VolumeBytes))
	}
	if len(p.Volumes) == 0 {
		problems = append(problems, errors.New("volumes is empty: want at least one kind of volume"))
	}
	seen := map[int]bool{}
	for _, kind := range p.Volumes {
		if kind.AccessibleFrom < 1 {
			problems = append(problems, fmt.Errorf("accessibleFrom is %d: want at least 1", kind.AccessibleFrom))
		}
		if seen[kind.AccessibleFrom] {
			problems = append(problems, fmt.Errorf("accessibleFrom: %d occurs twice: keep one kind for each number", kind.AccessibleFrom))
		}
		seen[kind.AccessibleFrom] = true
	}
	return errors.Join(problems...)
}
