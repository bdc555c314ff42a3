// SPDX-License-Identifier: Apache-2.0

// Package volume has drivers that create, modify and delete volumes wrongly, and correct drivers that lack something.
package volume

import (
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Drivers returns the faulty drivers, and correct drivers that lack something.
func Drivers() map[string]mutation.Expectation {
	return mutation.Serially(mutation.Union(lacking(), wrongOfVolumes(), wrongOfSizes(), wrongOfCapabilities(), wrongOfNames(),
		wrongOfMutableParameters(), wrongOfDeletion(), wrongWhenRepeated()))
}

const (
	mutableCases = "mutable_at_creation mutable_over_parameters modify_volume modify_cut_short modify_absent_keys modify_unsupported modify_keeps_the_rest modify_unknown_volume deleted_after_modification name_taken_mutable"
	nodeCases    = "size_of_block capabilities_any_used delete_published deleted_after_detachment"
	sizedCases   = "name_taken_larger name_taken_compatible"
)

// lacking returns correct drivers, or environments, that lack something.
func lacking() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"no capability CREATE_DELETE_VOLUME": mutation.Without(csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME,
			mutation.Skips("volume_created volume_same_name size_exact size_too_large capabilities_all_held name_longest modify_volume delete_again", suite.ByCapability)),
		"no capability GET_CAPACITY": mutation.Without(csi.ControllerServiceCapability_RPC_GET_CAPACITY,
			mutation.Skips("size_too_large", suite.ByCapability)),
		"no capability MODIFY_VOLUME": mutation.Without(csi.ControllerServiceCapability_RPC_MODIFY_VOLUME,
			mutation.Skips(mutableCases, suite.ByCapability)),
		"no capability PUBLISH_UNPUBLISH_VOLUME": mutation.Wrong(mutation.Lacking(mutation.Attaching...),
			mutation.Skips("delete_published deleted_after_detachment", suite.ByCapability),
			mutation.Passes("size_of_block capabilities_any_used")),
		"no topology": mutation.WithoutTopology(mutation.Skips("name_taken_parameters", suite.ByProfile),
			mutation.Passes("volume_created volume_ids_unique size_of_block delete_published")),
		"one segment": mutation.Started(mutation.InZones("Z2"), mutation.Skips("name_taken_parameters", suite.ByProfile),
			mutation.Passes("volume_created volume_ids_unique size_of_block delete_published")),
		"volumes of unknown size": mutation.Wrong(mutation.AnsweringVolume(func(_ *creation, v *csi.Volume) { v.CapacityBytes = 0 }).
			And(mutation.Describing(func(v *csi.Volume) { v.CapacityBytes = 0 })),
			mutation.Skips(sizedCases, suite.ByCapability), mutation.Passes("size_exact size_limit_only")),
		"volumes whose size ListVolumes tells": mutation.Wrong(
			mutation.AnsweringVolume(func(_ *creation, v *csi.Volume) { v.CapacityBytes = 0 }),
			mutation.Passes(sizedCases+" size_exact")),
		"other parameters": mutation.Told(func(t *harness.Target) {
			t.Profile.Volumes, t.Profile.OtherParameters = slices.Clone(t.Profile.Volumes[:1]), map[string]string{"zones": "2"}
		}, mutation.Passes("name_taken_parameters")),
		"two mutable parameters": mutation.Expect(mutation.Driver{Fault: twoMutable(false), Target: withTwoMutable},
			mutation.Passes(mutableCases)),
		"no node endpoints": mutation.Told(func(t *harness.Target) { t.Nodes, t.Profile.Segments = nil, nil },
			mutation.Skips(nodeCases, suite.ByEnvironment), mutation.Passes("name_taken_parameters")),
		"a profile that says little": mutation.Told(func(t *harness.Target) {
			t.Profile.MutableParameters, t.Profile.Block = nil, false
			t.Profile.Volumes = slices.Clone(t.Profile.Volumes[:1])
			t.Profile.Capacity = "at-least"
		}, mutation.Skips(mutableCases, suite.ByProfile),
			mutation.Skips("size_of_block name_taken_capabilities", suite.ByProfile),
			mutation.Skips("name_taken_parameters", suite.ByProfile)),
	}
}

type (
	right       = mutation.Right
	creation    = csi.CreateVolumeRequest
	created     = csi.CreateVolumeResponse
	deletion    = csi.DeleteVolumeRequest
	deleted     = csi.DeleteVolumeResponse
	publication = csi.ControllerPublishVolumeRequest
	question    = csi.ValidateVolumeCapabilitiesRequest
	confirmed   = csi.ValidateVolumeCapabilitiesResponse
)

// unable is the message of drivers that refuse correct requests.
const unable = "this driver does not do that"

// unconfirming makes a driver that confirms nothing for some requests.
func unconfirming(when func(*question) bool) mutation.Fault {
	return mutation.Where(when, mutation.Instead(func(*question) *confirmed { return &confirmed{Message: unable} }))
}

// hasMode reports whether one of the capabilities has the access mode.
func hasMode(capabilities []*csi.VolumeCapability, mode csi.VolumeCapability_AccessMode_Mode) bool {
	return slices.ContainsFunc(capabilities, func(c *csi.VolumeCapability) bool { return c.GetAccessMode().GetMode() == mode })
}
