// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
)

// sentWith returns the whole request as text, with only the names of secrets.
func sentWith(r *csi.CreateVolumeRequest) string {
	return fmt.Sprintf("name %s, volume_capabilities %s, required_bytes %d, %s, %s and %s", r.GetName(), describe.Capabilities(r.GetVolumeCapabilities()), r.GetCapacityRange().GetRequiredBytes(),
		named("parameters", r.GetParameters(), true), named("secrets", r.GetSecrets(), false), requirementOf(r))
}

func requirementOf(r *csi.CreateVolumeRequest) string {
	requirement := r.GetAccessibilityRequirements()
	if requirement == nil {
		return "no accessibility_requirements"
	}
	var lists []string
	for _, list := range []struct {
		name string
		of   model.Set
	}{{"requisite", messages.Segments(requirement.GetRequisite())}, {"preferred", messages.Segments(requirement.GetPreferred())}} {
		if len(list.of) > 0 {
			lists = append(lists, fmt.Sprintf("%s %s", list.name, list.of))
		}
	}
	return "accessibility_requirements of " + strings.Join(lists, " and ")
}

func named(what string, values map[string]string, shown bool) string {
	if len(values) == 0 {
		return "no " + what
	}
	var found []string
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if shown {
			key += "=" + values[key]
		}
		found = append(found, key)
	}
	return what + " " + strings.Join(found, ", ")
}

// remedy describes which field of the profile to set after a refusal, by the words in its text, or else by its code.
// constrained is false if the request had no topologies.
func remedy(err error, constrained bool) string {
	const (
		parameters = "set parameters of the first of the profile's volumes to those of a StorageClass that works"
		secrets    = "set secrets.createVolume in the profile to the secrets that the StorageClass names"
		mode       = "set accessMode of the first of the profile's volumes to one that such volumes have"
		size       = "set volumeBytes in the profile to a size that the driver has"
		fsType     = "set fsType in the profile to a file system that the driver makes"
		name       = "set namePrefix in the profile to a prefix of names that the driver accepts"
		topology   = "name a node endpoint in each topology segment, or set segments in the profile to those that the driver has"
		anything   = parameters + ", " + secrets + ", " + mode + ", and " + size
	)
	text, code := strings.ToLower(status.Convert(err).Message()), status.Code(err)
	says := func(words ...string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
	}
	switch {
	case code == codes.OutOfRange:
		return size
	case code == codes.PermissionDenied || code == codes.Unauthenticated:
		return secrets
	case code == codes.Unimplemented:
		return "ControllerGetCapabilities lists CREATE_DELETE_VOLUME, which a driver without CreateVolume must not (GEN-14)"
	case says("secret", "credential", "password", "token"):
		return secrets
	case says("topolog", "requisite", "preferred", "accessibility") && !constrained:
		return "GetPluginCapabilities does not list VOLUME_ACCESSIBILITY_CONSTRAINTS, without which no CO sends accessibility_requirements (CV-22): a driver that needs them has to claim it"
	case says("topolog", "requisite", "preferred", "accessibility"):
		return topology
	case says("access mode", "accessmode", "access_mode", "access type", "capabilit"):
		return mode
	case says("fstype", "fs_type", "fs type", "file system", "filesystem"):
		return fsType
	case says("parameter"), code == codes.NotFound:
		return parameters
	case says("volume name", "invalid name", "name must", "name should"):
		return name
	case says("capacity", "size", "bytes"):
		return size
	case code != codes.InvalidArgument:
		return "look at the driver's log for why; if it is about the request, " + anything
	default:
		return anything
	}
}
