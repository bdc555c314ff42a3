// SPDX-License-Identifier: Apache-2.0

package service

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/volume"
)

const (
	// zonesParameter is the number of segments that a volume is accessible, or a
	// snapshot usable, from: the spec's x, which is not a field of the protocol.
	zonesParameter = "zones"
	// kindParameter selects the kind of volume on disk.
	kindParameter = "kind"
	// classParameter is the class of storage that the volume takes its bytes from.
	classParameter = "class"
	// allocationParameter selects when the bytes of a volume are allocated on disk. It is the only mutable parameter.
	allocationParameter = "allocation"

	// sidecarPrefix is the prefix of the parameters that the sidecars add for themselves, and do not strip from every call.
	sidecarPrefix = "csi.storage.k8s.io/"
)

// Values of allocationParameter.
const (
	thin  = "thin"  // when they are first written
	thick = "thick" // at once
)

// parameters are the parameters of a StorageClass.
type parameters struct {
	// zones is the number of segments that a volume is accessible from, at least 1.
	zones int
	kind  volume.Kind
	class string
}

// parseParameters parses the parameters of a StorageClass. It returns INVALID_ARGUMENT for an unknown parameter, rather
// than make a volume that was not meant.
func (c *controller) parseParameters(given map[string]string) (parameters, error) {
	p := parameters{zones: 1, kind: c.kinds[0].Kind}
	for name, value := range own(given) {
		var err error
		switch name {
		case zonesParameter:
			p.zones, err = parseZones(value)
		case kindParameter:
			p.kind, err = c.parseKind(value)
		case classParameter:
			p.class = value
		default:
			err = status.Errorf(codes.InvalidArgument, "parameter %q is unknown: there are %q, %q and %q", name, zonesParameter, kindParameter, classParameter)
		}
		if err != nil {
			return p, err
		}
	}
	if classes := c.placement.classes(); !slices.Contains(classes, p.class) {
		return p, status.Errorf(codes.InvalidArgument, "there is no storage of class %q (parameter %q): there is %q", p.class, classParameter, classes)
	}
	return p, nil
}

// parseSnapshotParameters returns the requested number of segments that a snapshot is usable from, or otherwise if it is
// not given.
func parseSnapshotParameters(given map[string]string, otherwise int) (zones int, err error) {
	zones = otherwise
	for name, value := range own(given) {
		if name != zonesParameter {
			return 0, status.Errorf(codes.InvalidArgument, "parameter %q of a snapshot is unknown: the only one is %q", name, zonesParameter)
		}
		if zones, err = parseZones(value); err != nil {
			return 0, err
		}
	}
	return zones, nil
}

// parseMutable returns whether all bytes of a volume are requested to be allocated at once, or otherwise if that is not
// given.
func parseMutable(given map[string]string, kind volume.Kind, otherwise bool) (allocated bool, err error) {
	allocated = otherwise
	for name, value := range own(given) {
		switch {
		case name != allocationParameter:
			return false, status.Errorf(codes.InvalidArgument, "mutable parameter %q is unknown: the only one is %q", name, allocationParameter)
		case value != thin && value != thick:
			return false, status.Errorf(codes.InvalidArgument, "mutable parameter %q must be %q or %q, and is %q", name, thin, thick, value)
		case value == thick && kind == volume.Dir:
			return false, status.Errorf(codes.InvalidArgument, "a volume of kind %q has no blocks to allocate: mutable parameter %q must be %q", kind, name, thin)
		}
		allocated = value == thick
	}
	return allocated, nil
}

// own iterates over the parameters that are not a sidecar's, in the order of their names.
func own(given map[string]string) func(yield func(name, value string) bool) {
	return func(yield func(name, value string) bool) {
		for _, name := range slices.Sorted(maps.Keys(given)) {
			if !strings.HasPrefix(name, sidecarPrefix) && !yield(name, given[name]) {
				return
			}
		}
	}
}

func parseZones(value string) (int, error) {
	zones, err := strconv.Atoi(value)
	if err != nil || zones < 1 {
		return 0, status.Errorf(codes.InvalidArgument, "parameter %q must be a whole number, 1 or more, and is %q", zonesParameter, value)
	}
	return zones, nil
}

func (c *controller) parseKind(value string) (volume.Kind, error) {
	var kinds []volume.Kind
	for _, supported := range c.kinds {
		if string(supported.Kind) == value {
			return supported.Kind, nil
		}
		kinds = append(kinds, supported.Kind)
	}
	return "", status.Errorf(codes.InvalidArgument, "parameter %q must be one of %q, and is %q", kindParameter, kinds, value)
}
