package service

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

const (
	// zonesParameter is from how many segments a volume is accessible: the
	// spec's x, which is not a field of the protocol.
	zonesParameter = "zones"
	// sidecarPrefix begins the parameters that the provisioner adds for itself,
	// and does not strip from every call.
	sidecarPrefix = "csi.storage.k8s.io/"
)

// parameters are what a StorageClass says of its volumes.
type parameters struct {
	// zones is from how many segments a volume is accessible, at least 1.
	zones int
}

// parseParameters answers INVALID_ARGUMENT for a parameter that the driver does
// not have, rather than make a volume that is not what was meant.
func parseParameters(given map[string]string) (parameters, error) {
	p := parameters{zones: 1}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if strings.HasPrefix(name, sidecarPrefix) {
			continue
		}
		if name != zonesParameter {
			return p, status.Errorf(codes.InvalidArgument, "parameter %q is unknown: the only one is %q", name, zonesParameter)
		}
		zones, err := strconv.Atoi(given[name])
		if err != nil || zones < 1 {
			return p, status.Errorf(codes.InvalidArgument, "parameter %q must be a whole number, 1 or more, and is %q", name, given[name])
		}
		p.zones = zones
	}
	return p, nil
}
