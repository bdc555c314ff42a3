// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

const (
	mutableCases = "mutable_at_creation mutable_over_parameters modify_volume modify_cut_short modify_absent_keys modify_unsupported modify_unknown_volume name_taken_mutable"
	nodeCases    = "size_of_block capabilities_any_used delete_published"
	sizedCases   = "name_taken_larger name_taken_compatible"
)

// lacking are drivers, or environments, that are right and lack something.
func lacking() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"no capability CREATE_DELETE_VOLUME": without(csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME,
			"volume_created volume_same_name size_exact size_too_large capabilities_all_held name_longest modify_volume delete_again"),
		"no capability GET_CAPACITY": {
			Driver: mutation.Driver{Fault: mutation.Lacking(csi.ControllerServiceCapability_RPC_GET_CAPACITY)},
			Cases:  []mutation.Case{mutation.Skips("size_too_large", suite.ByCapability)},
		},
		"no capability MODIFY_VOLUME": without(csi.ControllerServiceCapability_RPC_MODIFY_VOLUME, mutableCases),
		"no capability PUBLISH_UNPUBLISH_VOLUME": {
			Driver: mutation.Driver{Fault: mutation.Lacking(mutation.Attaching...)},
			Cases: []mutation.Case{
				mutation.Skips("delete_published", suite.ByCapability),
				mutation.Passes("size_of_block capabilities_any_used"),
			},
		},
		"no topology": {
			Driver: mutation.Driver{Options: mutation.InOneSegment, Fault: mutation.Lacking(mutation.Topology...)},
			Cases: []mutation.Case{
				mutation.Skips("name_taken_parameters", suite.ByProfile),
				mutation.Passes("volume_created volume_ids_unique size_of_block delete_published"),
			},
		},
		"one segment": {
			Driver: mutation.Driver{Options: func(o *embedded.Options) {
				o.Segments = []topology.Segment{{topology.RegionKey: "R1", topology.ZoneKey: "Z2"}}
			}},
			Cases: []mutation.Case{
				mutation.Skips("name_taken_parameters", suite.ByProfile),
				mutation.Passes("volume_created volume_ids_unique size_of_block delete_published"),
			},
		},
		"volumes of unknown size": {
			Driver: mutation.Driver{Fault: ofUnknownSize()},
			Cases:  []mutation.Case{mutation.Skips(sizedCases, suite.ByCapability), mutation.Passes("size_exact size_limit_only")},
		},
		"volumes whose size ListVolumes tells": {
			Driver: mutation.Driver{Fault: answering(func(_ *creation, v *csi.Volume) { v.CapacityBytes = 0 })},
			Cases:  []mutation.Case{mutation.Passes(sizedCases + " size_exact")},
		},
		"other parameters": {
			Driver: mutation.Driver{Target: func(t *harness.Target) {
				t.Profile.Volumes, t.Profile.OtherParameters = slices.Clone(t.Profile.Volumes[:1]), map[string]string{"zones": "2"}
			}},
			Cases: []mutation.Case{mutation.Passes("name_taken_parameters")},
		},
		"two mutable parameters": {
			Driver: mutation.Driver{Fault: twoMutable(false), Target: withTwoMutable},
			Cases:  []mutation.Case{mutation.Passes(mutableCases)},
		},
		"no node endpoints": {
			Driver: mutation.Driver{Target: func(t *harness.Target) { t.Nodes, t.Profile.Segments = nil, nil }},
			Cases: []mutation.Case{
				mutation.Skips(nodeCases, suite.ByEnvironment),
				mutation.Passes("name_taken_parameters"),
			},
		},
		"a profile that says little": {
			Driver: mutation.Driver{Target: func(t *harness.Target) {
				t.Profile.MutableParameters, t.Profile.Block = nil, false
				t.Profile.Volumes = slices.Clone(t.Profile.Volumes[:1])
				t.Profile.Capacity = "at-least"
			}},
			Cases: []mutation.Case{
				mutation.Skips(mutableCases, suite.ByProfile),
				mutation.Skips("size_of_block name_taken_capabilities", suite.ByProfile),
				mutation.Skips("name_taken_parameters", suite.ByProfile),
			},
		},
	}
}

// without is a driver that does not claim the capability.
func without(capability csi.ControllerServiceCapability_RPC_Type, cases string) mutation.Expectation {
	return mutation.Expectation{
		Driver: mutation.Driver{Fault: mutation.Lacking(capability)},
		Cases:  []mutation.Case{mutation.Skips(cases, suite.ByCapability)},
	}
}

// ofUnknownSize is a driver that tells the size of no volume.
func ofUnknownSize() mutation.Fault {
	return answering(func(_ *creation, v *csi.Volume) { v.CapacityBytes = 0 }).
		And(mutation.Answering(func(_ *csi.ControllerGetVolumeRequest, response *csi.ControllerGetVolumeResponse) {
			response.Volume.CapacityBytes = 0
		})).
		And(mutation.Ending(func(_ *csi.ListVolumesRequest, response *csi.ListVolumesResponse, err error) (*csi.ListVolumesResponse, error) {
			for _, entry := range response.GetEntries() {
				entry.Volume.CapacityBytes = 0
			}
			return response, err
		}))
}
