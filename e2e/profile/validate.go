// SPDX-License-Identifier: Apache-2.0

package profile

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/requirement"
)

// problem is a mistake in a profile, and its path of names and indexes.
type problem struct {
	path []any
	text string
}

// driverName matches the specification's form of a driver's name: a domain name of up to 63 characters.
var driverName = regexp.MustCompile(`^[a-zA-Z0-9]([-a-zA-Z0-9.]{0,61}[a-zA-Z0-9])?$`)

// namePrefix leaves room for the run, the case and a number in a name of 63 characters, the limit of many back ends.
var namePrefix = regexp.MustCompile(`^[a-z][-a-z0-9]{0,10}$`)

// validate returns all problems of the profile.
func (p Profile) validate() []problem {
	return slices.Concat(p.validateDriver(), p.validateVolumes(), validateSegments([]any{"segments"}, p.Segments), p.validateCapacity(), p.validateDirectories(), p.validateTimeouts(), p.validateCluster(), p.validateWaivers(), p.validateBackend())
}

func (p Profile) validateDriver() []problem {
	var found []problem
	switch {
	case p.Driver == "":
		found = append(found, problem{[]any{"driver"}, "driver is missing: want the driver's CSI name, such as csi.example.com"})
	case !driverName.MatchString(p.Driver):
		found = append(found, problem{[]any{"driver"}, fmt.Sprintf("driver is %q: want a domain name of at most 63 characters, such as csi.example.com", p.Driver)})
	}
	if p.NamePrefix != "" && !namePrefix.MatchString(p.NamePrefix) {
		found = append(found, problem{[]any{"namePrefix"}, fmt.Sprintf("namePrefix is %q: want at most 11 lower-case letters, digits and hyphens, beginning with a letter, such as pvc-", p.NamePrefix)})
	}
	if len(p.Restart) > 0 && p.Restart[0] == "" {
		found = append(found, problem{[]any{"restart", 0}, "the program of restart is empty: want one that ends the driver's processes and starts them again"})
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
	if !p.HasMount() && !p.Block {
		found = append(found, problem{[]any{"mount"}, "mount is false and block is not true: want one of them, as volumes have file systems or are raw block devices"})
	}
	if p.ExistingVolume != nil && p.ExistingVolume.VolumeHandle == "" {
		found = append(found, problem{[]any{"existingVolume"}, "existingVolume has no volumeHandle: want the volume_id of a volume that cases may use"})
	}
	if p.ExistingVolume != nil {
		found = append(found, validateSegments([]any{"existingVolume", "accessibleTopology"}, p.ExistingVolume.AccessibleTopology)...)
	}
	return append(found, p.validateKinds()...)
}

func (p Profile) validateKinds() []problem {
	var found []problem
	seen := map[AccessibleFrom]bool{}
	for i, kind := range p.Volumes {
		at := []any{"volumes", i, "accessibleFrom"}
		if seen[kind.AccessibleFrom] {
			found = append(found, problem{at, fmt.Sprintf("%s occurs twice: keep one kind for each number", kind.AccessibleFrom)})
		}
		seen[kind.AccessibleFrom] = true
		found = append(found, p.validateSharing([]any{"volumes", i, "sharing"}, kind)...)
		found = append(found, validateSegments([]any{"volumes", i, "segments"}, kind.Segments)...)
		for j, segment := range kind.Segments {
			if len(p.Segments) > 0 && !slices.ContainsFunc(p.Segments, func(s map[string]string) bool { return maps.Equal(s, segment) }) {
				found = append(found, problem{[]any{"volumes", i, "segments", j}, "the segment is not one of the profile's segments: add it there too, or leave out the profile's segments"})
			}
		}
	}
	if len(p.Volumes) > 0 && !seen[1] && !seen[0] && !seen[Everywhere] {
		found = append(found, problem{[]any{"volumes"}, "volumes has no kind that most cases can use: add one with accessibleFrom: 1, with accessibleFrom: everywhere, or without accessibleFrom"})
	}
	return found
}

// validateSharing returns the problems of the kind's sharing, which is at the path.
func (p Profile) validateSharing(at []any, kind Kind) []problem {
	if kind.Sharing == "" {
		return nil
	}
	var found []problem
	if kind.AccessibleFrom == 1 || kind.AccessibleFrom == Everywhere {
		found = append(found, problem{at, fmt.Sprintf("a kind with sharing has %s: want sharing for a number of topologies above 1, or leave it out", kind.AccessibleFrom)})
	}
	for _, segment := range slices.Concat(p.Segments, kind.Segments) {
		if _, has := segment[kind.Sharing]; !has {
			return append(found, problem{at, fmt.Sprintf("sharing is %q, which some segments do not have: want a key of them all", kind.Sharing)})
		}
	}
	return found
}

// validateSegments returns the problems of the segments at the path.
func validateSegments(at []any, segments []map[string]string) []problem {
	var found []problem
	for i, segment := range segments {
		at := append(slices.Clone(at), i)
		if len(segment) == 0 {
			found = append(found, problem{at, "the segment is empty: want a value for each topology key"})
		}
		if first := slices.IndexFunc(segments[:i], func(s map[string]string) bool { return maps.Equal(s, segment) }); first >= 0 && len(segment) > 0 {
			found = append(found, problem{at, fmt.Sprintf("the segment is the same as number %d of the list: keep one of them", first+1)})
		}
		for key, value := range segment {
			if key == "" || value == "" {
				found = append(found, problem{at, fmt.Sprintf("the segment has %q: %q: want a key and a value", key, value)})
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
	if p.Fill.Volumes < 0 {
		found = append(found, problem{[]any{"fill", "volumes"}, fmt.Sprintf("volumes is %d: want a positive number of volumes, or nothing for 100", p.Fill.Volumes)})
	}
	if p.Scale.Topologies < 0 {
		found = append(found, problem{[]any{"scale", "topologies"}, fmt.Sprintf("topologies is %d: want a positive number, or nothing for the topologies of the run", p.Scale.Topologies)})
	}
	if p.Scale.StorageClasses < 0 {
		found = append(found, problem{[]any{"scale", "storageClasses"}, fmt.Sprintf("storageClasses is %d: want a positive number, or nothing for the kinds of volumes of the run", p.Scale.StorageClasses)})
	}
	if p.Scale.Volumes < 0 {
		found = append(found, problem{[]any{"scale", "volumes"}, fmt.Sprintf("volumes is %d: want a positive number, or nothing for 1000", p.Scale.Volumes)})
	}
	if p.Fill.Bytes < 0 {
		found = append(found, problem{[]any{"fill", "bytes"}, fmt.Sprintf("bytes is %d: want a positive number of bytes, or nothing for the default", p.Fill.Bytes)})
	}
	if (len(p.Exhaust.Command) == 0) != (len(p.Exhaust.GiveBack) == 0) {
		found = append(found, problem{[]any{"exhaust"}, "exhaust has only one of command and giveBack: want both, so that the run can give back what it takes"})
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
		found = append(found, problem{[]any{"directories"}, "directories has only some of make, remove and exists: want all three for nodes elsewhere, or none"})
	}
	if (len(p.Directories.Write) == 0) != (len(p.Directories.Read) == 0) || given == 0 && len(p.Directories.Write) > 0 {
		found = append(found, problem{[]any{"directories"}, "directories has some of write and read: want both in addition to make, remove and exists, or neither"})
	}
	if given > 0 && p.Directories.Root == "" {
		found = append(found, problem{[]any{"directories"}, "directories has commands but no root: want the absolute path below which the commands make directories"})
	}
	return found
}

func (p Profile) validateWaivers() []problem {
	var found []problem
	for i, waiver := range p.Waivers {
		if (waiver.Requirement == "") == (waiver.Case == "") {
			found = append(found, problem{[]any{"waivers", i}, "the waiver needs either requirement, an id that `csi-topo requirements` prints, or case, an id that `csi-topo list` prints"})
		}
		if _, known := requirement.ByID(waiver.Requirement); !known && waiver.Requirement != "" {
			found = append(found, problem{[]any{"waivers", i, "requirement"}, fmt.Sprintf("the profile waives %q, which is not a requirement: want an id that `csi-topo requirements` prints", waiver.Requirement)})
		}
		if strings.TrimSpace(waiver.Reason) == "" {
			found = append(found, problem{[]any{"waivers", i}, fmt.Sprintf("the waiver of %q has no reason: want a sentence, which the report shows", cmp.Or(waiver.Requirement, waiver.Case))})
		}
	}
	return found
}
