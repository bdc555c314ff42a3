// SPDX-License-Identifier: Apache-2.0

package placement

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// wrongAnswers are drivers that are wrong about where they say that a volume is.
func wrongAnswers() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"lists volumes in another zone": {
			Driver: wrong(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error) {
				response, err := right.ListVolumes(ctx, r)
				for _, entry := range response.GetEntries() {
					entry.Volume.AccessibleTopology = []*csi.Topology{zone("Z4")}
				}
				return response, err
			})),
			Cases: []mutation.Case{mutation.Warns("topology_listed", "LV-08")},
		},
		"lists volumes in the first zone": {
			Driver: wrong(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error) {
				response, err := right.ListVolumes(ctx, r)
				for _, entry := range response.GetEntries() {
					entry.Volume.AccessibleTopology = []*csi.Topology{zone("Z2")}
				}
				return response, err
			})),
			Cases: []mutation.Case{mutation.Warns("topology_listed", "LV-08")},
		},
		"lists volumes without topology": {
			Driver: wrong(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error) {
				response, err := right.ListVolumes(ctx, r)
				for _, entry := range response.GetEntries() {
					entry.Volume.AccessibleTopology = nil
				}
				return response, err
			})),
			Cases: []mutation.Case{mutation.Warns("topology_listed", "VOL-17")},
		},
		"claims no topology, and lists volumes in a zone": {
			Driver: mutation.Driver{
				Options: mutation.InOneSegment,
				Fault: mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error) {
					response, err := right.ListVolumes(ctx, r)
					for _, entry := range response.GetEntries() {
						entry.Volume.AccessibleTopology = []*csi.Topology{zone("Z4")}
					}
					return response, err
				}).Over(mutation.Lacking(mutation.Topology...)),
			},
			Cases: []mutation.Case{mutation.Fails("topology_listed", "VOL-14")},
		},
		"gets volumes without topology": {
			Driver: wrong(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerGetVolumeRequest) (*csi.ControllerGetVolumeResponse, error) {
				response, err := right.ControllerGetVolume(ctx, r)
				if err == nil {
					response.Volume.AccessibleTopology = nil
				}
				return response, err
			})),
			Cases: []mutation.Case{mutation.Warns("topology_got", "VOL-17")},
		},
		"gets volumes in another zone": {
			Driver: wrong(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerGetVolumeRequest) (*csi.ControllerGetVolumeResponse, error) {
				response, err := right.ControllerGetVolume(ctx, r)
				if err == nil {
					response.Volume.AccessibleTopology = []*csi.Topology{zone("Z4")}
				}
				return response, err
			})),
			Cases: []mutation.Case{mutation.Warns("topology_got", "LV-15")},
		},
		"says where volumes are, and claims no topology": {
			Driver: wrong(mutation.Unclaimed(csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS)),
			Cases: []mutation.Case{
				mutation.Fails("topology_only_where_claimed topology_listed topology_got", "VOL-14"),
				mutation.Skips("T-EQ-1", suite.ByCapability),
			},
		},
		"no topology": {
			Driver: mutation.Driver{Options: mutation.InOneSegment, Fault: mutation.Lacking(mutation.Topology...)},
			Cases: []mutation.Case{
				mutation.Passes("topology_only_where_claimed topology_listed topology_got"),
				mutation.Skips(every, suite.ByCapability),
			},
		},
		"answers with a key that is none": {
			Driver: saysOfVolumes("topology.hostpath.topo.csi/rack-", "1"),
			Cases:  []mutation.Case{mutation.Fails("topology_keys", "TO-03")},
			Wide:   true,
		},
		"answers with a key that has no name": {
			Driver: saysOfVolumes("topology.hostpath.topo.csi/", "1"),
			Cases:  []mutation.Case{mutation.Fails("topology_keys", "TO-02")},
			Wide:   true,
		},
		"answers with a key whose prefix is no domain name": {
			Driver: saysOfVolumes("topology_hostpath/rack", "1"),
			Cases:  []mutation.Case{mutation.Fails("topology_keys", "TO-04")},
			Wide:   true,
		},
		"answers with a key of another prefix": {
			Driver: saysOfVolumes("topology.example.com/rack", "1"),
			Cases:  []mutation.Case{mutation.Fails("topology_one_prefix", "TO-06")},
			Wide:   true,
		},
		"answers with a value that is none": {
			Driver: saysOfVolumes(zoneKey, "Z2-"),
			Cases:  []mutation.Case{mutation.Fails("topology_values", "TO-10")},
			Wide:   true,
		},
		"answers with an empty value": {
			Driver: saysOfVolumes(zoneKey, ""),
			Cases:  []mutation.Case{mutation.Fails("topology_values", "TO-09")},
			Wide:   true,
		},
		"answers with a key in another letter case beside its own": {
			Driver: saysOfVolumes("topology.hostpath.topo.csi/Zone", "Z2"),
			Cases: []mutation.Case{
				mutation.Fails("topology_keys_by_case topology_keys", "TO-08"),
			},
			Wide: true,
		},
		"lists volumes with a key in another letter case": {
			Driver: wrong(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error) {
				response, err := right.ListVolumes(ctx, r)
				for _, entry := range response.GetEntries() {
					for _, term := range entry.GetVolume().GetAccessibleTopology() {
						term.Segments["topology.hostpath.topo.csi/Zone"] = term.GetSegments()[zoneKey]
						delete(term.GetSegments(), zoneKey)
					}
				}
				return response, err
			})),
			Cases: []mutation.Case{mutation.Fails("topology_keys_by_case", "TO-08")},
			Wide:  true,
		},
		"has somebody else's prefix": {
			Driver: wrong(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.GetPluginInfoRequest) (*csi.GetPluginInfoResponse, error) {
				response, err := right.GetPluginInfo(ctx, r)
				if err == nil {
					response.Name = "csi.vendor.example"
				}
				return response, err
			})),
			Cases: []mutation.Case{mutation.Warns("topology_own_prefix", "TO-05")},
		},
	}
}

// saysOfVolumes makes a driver whose volumes have that key and value in their topologies.
func saysOfVolumes(key, value string) mutation.Driver {
	return wrong(answering(func(_ *csi.CreateVolumeRequest, v *csi.Volume) {
		for _, t := range v.GetAccessibleTopology() {
			t.Segments[key] = value
		}
	}))
}
