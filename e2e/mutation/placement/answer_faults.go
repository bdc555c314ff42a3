// SPDX-License-Identifier: Apache-2.0

package placement

import (
	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// wrongAnswers returns drivers that report wrongly where a volume is.
func wrongAnswers() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"lists volumes in another zone": mutation.Wrong(mutation.ListingEntries(func(entry *csi.ListVolumesResponse_Entry) {
			entry.Volume.AccessibleTopology = []*csi.Topology{mutation.Zone("Z4")}
		}), mutation.Warns("topology_listed", "LV-08")),
		"lists volumes in the first zone": mutation.Wrong(mutation.ListingEntries(func(entry *csi.ListVolumesResponse_Entry) {
			entry.Volume.AccessibleTopology = []*csi.Topology{mutation.Zone("Z2")}
		}), mutation.Warns("topology_listed", "LV-08")),
		"lists volumes without topology": mutation.Wrong(mutation.ListingEntries(func(entry *csi.ListVolumesResponse_Entry) {
			entry.Volume.AccessibleTopology = nil
		}), mutation.Warns("topology_listed", "VOL-17")),
		"claims no topology, and lists volumes in a zone": mutation.Expect(mutation.Driver{Options: mutation.InOneSegment,
			Fault: mutation.ListingEntries(func(entry *csi.ListVolumesResponse_Entry) {
				entry.Volume.AccessibleTopology = []*csi.Topology{mutation.Zone("Z4")}
			}).Over(mutation.Lacking(mutation.Topology...))}, mutation.Fails("topology_listed", "VOL-14")),
		"gets volumes without topology": mutation.Wrong(
			mutation.Answering(func(_ *csi.ControllerGetVolumeRequest, response *csi.ControllerGetVolumeResponse) {
				response.Volume.AccessibleTopology = nil
			}), mutation.Warns("topology_got", "VOL-17")),
		"gets volumes in another zone": mutation.Wrong(
			mutation.Answering(func(_ *csi.ControllerGetVolumeRequest, response *csi.ControllerGetVolumeResponse) {
				response.Volume.AccessibleTopology = []*csi.Topology{mutation.Zone("Z4")}
			}), mutation.Warns("topology_got", "LV-15")),
		"says where volumes are, and claims no topology": mutation.Wrong(
			mutation.Unclaimed(csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS),
			mutation.Fails("topology_only_where_claimed topology_listed topology_got", "VOL-14"),
			mutation.Skips("T-EQ-1", suite.ByCapability)),
		"no topology": mutation.WithoutTopology(mutation.Passes("topology_only_where_claimed topology_listed topology_got"),
			mutation.Skips(every, suite.ByCapability)),
		"answers with a key that is none": mutation.Wide(saysOfVolumes("topology.hostpath.topo.csi/rack-", "1"),
			mutation.Fails("topology_keys", "TO-03")),
		"answers with a key that has no name": mutation.Wide(saysOfVolumes("topology.hostpath.topo.csi/", "1"),
			mutation.Fails("topology_keys", "TO-02")),
		"answers with a key whose prefix is no domain name": mutation.Wide(saysOfVolumes("topology_hostpath/rack", "1"),
			mutation.Fails("topology_keys", "TO-04")),
		"answers with a key of another prefix": mutation.Wide(saysOfVolumes("topology.example.com/rack", "1"),
			mutation.Fails("topology_one_prefix", "TO-06")),
		"answers with a value that is none": mutation.Wide(saysOfVolumes(topology.ZoneKey, "Z2-"),
			mutation.Fails("topology_values", "TO-10")),
		"answers with an empty value": mutation.Wide(saysOfVolumes(topology.ZoneKey, ""), mutation.Fails("topology_values", "TO-09")),
		"answers with a key in another letter case beside its own": mutation.Wide(saysOfVolumes("topology.hostpath.topo.csi/Zone", "Z2"),
			mutation.Fails("topology_keys_by_case topology_keys", "TO-08")),
		"lists volumes with a key in another letter case": mutation.Wide(mutation.ListingEntries(func(entry *csi.ListVolumesResponse_Entry) {
			for _, term := range entry.GetVolume().GetAccessibleTopology() {
				term.Segments["topology.hostpath.topo.csi/Zone"] = mutation.ZoneOf(term)
				delete(term.GetSegments(), topology.ZoneKey)
			}
		}), mutation.Fails("topology_keys_by_case", "TO-08")),
		"has somebody else's prefix": mutation.Wrong(
			mutation.Answering(func(_ *csi.GetPluginInfoRequest, response *csi.GetPluginInfoResponse) {
				response.Name = "csi.vendor.example"
			}), mutation.Warns("topology_own_prefix", "TO-05")),
	}
}

// saysOfVolumes makes a driver that reports volumes with the key and value in their topologies.
func saysOfVolumes(key, value string) mutation.Fault {
	return mutation.AnsweringVolume(func(_ *createRequest, v *csi.Volume) {
		for _, t := range v.GetAccessibleTopology() {
			t.Segments[key] = value
		}
	})
}
