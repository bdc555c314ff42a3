package profile

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// problem is something wrong, and where: the names and indexes that lead to it.
type problem struct {
	path []any
	text string
}

// driverName is the specification's form of a driver's name: a domain name of up to 63 characters.
var driverName = regexp.MustCompile(`^[a-zA-Z0-9]([-a-zA-Z0-9.]{0,61}[a-zA-Z0-9])?$`)

// validate returns everything that is wrong with the profile.
func (p Profile) validate() []problem {
	return slices.Concat(p.validateDriver(), p.validateVolumes(), p.validateSegments(), p.validateCapacity(), p.validateDirectories(), p.validateWaivers())
}

func (p Profile) validateDriver() []problem {
	var found []problem
	switch {
	case p.Driver == "":
		found = append(found, problem{[]any{"driver"}, "driver is missing: want the driver's CSI name, such as csi.example.com"})
	case !driverName.MatchString(p.Driver):
		found = append(found, problem{[]any{"driver"}, fmt.Sprintf("driver is %q: want a domain name of at most 63 characters, such as csi.example.com", p.Driver)})
	}
	for i, endpoint := range p.Endpoints.Nodes {
		if endpoint == "" {
			found = append(found, problem{[]any{"endpoints", "nodes", i}, "the node endpoint is empty: want one such as unix:///csi/csi.sock"})
		}
	}
	return found
}

func (p Profile) validateVolumes() []problem {
	var found []problem
	if p.VolumeBytes <= 0 {
		found = append(found, problem{[]any{"volumeBytes"}, fmt.Sprintf("volumeBytes is %d: want a positive number of bytes", p.VolumeBytes)})
	}
	if p.GrownBytes != 0 && p.GrownBytes <= p.VolumeBytes {
		found = append(found, problem{[]any{"grownBytes"}, fmt.Sprintf("grownBytes is %d: want more than volumeBytes, %d, or nothing for twice as much", p.GrownBytes, p.VolumeBytes)})
	}
	if len(p.Volumes) == 0 {
		found = append(found, problem{[]any{"volumes"}, "volumes is empty: want at least one kind of volume, such as {accessibleFrom: 1}"})
	}
	seen := map[int]bool{}
	for i, kind := range p.Volumes {
		at := []any{"volumes", i, "accessibleFrom"}
		if kind.AccessibleFrom < 1 {
			found = append(found, problem{at, fmt.Sprintf("accessibleFrom is %d: want at least 1", kind.AccessibleFrom)})
		}
		if seen[kind.AccessibleFrom] {
			found = append(found, problem{at, fmt.Sprintf("accessibleFrom: %d occurs twice: keep one kind for each number", kind.AccessibleFrom)})
		}
		seen[kind.AccessibleFrom] = true
	}
	if len(p.Volumes) > 0 && !seen[1] {
		found = append(found, problem{[]any{"volumes"}, "volumes has no kind with accessibleFrom: 1, which most cases ask for: add one"})
	}
	return found
}

func (p Profile) validateSegments() []problem {
	var found []problem
	for i, segment := range p.Segments {
		if len(segment) == 0 {
			found = append(found, problem{[]any{"segments", i}, "the segment is empty: want a value for each topology key"})
		}
		for key, value := range segment {
			if key == "" || value == "" {
				found = append(found, problem{[]any{"segments", i}, fmt.Sprintf("the segment has %q: %q: want a key and a value", key, value)})
			}
		}
	}
	return found
}

func (p Profile) validateCapacity() []problem {
	var found []problem
	if !slices.Contains([]Capacity{"", Exact, AtLeast, Untracked}, p.Capacity) {
		found = append(found, problem{[]any{"capacity"}, fmt.Sprintf("capacity is %q: want %s, %s or %s", p.Capacity, Exact, AtLeast, Untracked)})
	}
	if (len(p.Exhaust.Command) == 0) != (len(p.Exhaust.GiveBack) == 0) {
		found = append(found, problem{[]any{"exhaust"}, "exhaust has one of command and giveBack: want both, so that what is taken is given back"})
	}
	return found
}

func (p Profile) validateDirectories() []problem {
	var found []problem
	if root := p.Directories.Root; root != "" && (!path.IsAbs(root) || path.Clean(root) != root) {
		found = append(found, problem{[]any{"directories", "root"}, fmt.Sprintf("root is %q: want an absolute path without a slash at its end", root)})
	}
	given := 0
	for _, command := range [][]string{p.Directories.Make, p.Directories.Remove, p.Directories.Exists} {
		if len(command) > 0 {
			given++
		}
	}
	if given != 0 && given != 3 {
		found = append(found, problem{[]any{"directories"}, "directories has some of make, remove and exists: want all three for nodes elsewhere, or none"})
	}
	if given > 0 && p.Directories.Root == "" {
		found = append(found, problem{[]any{"directories"}, "directories has commands and no root: want the absolute path below which the commands make directories"})
	}
	return found
}

func (p Profile) validateWaivers() []problem {
	var found []problem
	for i, waiver := range p.Waivers {
		if waiver.Requirement == "" {
			found = append(found, problem{[]any{"waivers", i}, "the waiver names no requirement: want an id that `csi-topo requirements` prints"})
		}
		if strings.TrimSpace(waiver.Reason) == "" {
			found = append(found, problem{[]any{"waivers", i}, fmt.Sprintf("the waiver of %q has no reason: want a sentence, which the report shows", waiver.Requirement)})
		}
	}
	return found
}
