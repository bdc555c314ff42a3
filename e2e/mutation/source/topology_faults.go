// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

const snapshotsWithin = "snapshot_within snapshot_preferring snapshot_preferred_only snapshot_two_zones snapshot_one_of_two_zones snapshot_other_of_two_zones"

// topologyFaults returns drivers that are each wrong in one way about the topology of snapshots.
func topologyFaults() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"does not claim SNAPSHOT_ACCESSIBILITY_CONSTRAINTS": mutation.Wrong(
			mutation.Unclaimed(csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS),
			mutation.Skips(snapshotsWithin+" snapshot_restorable snapshot_out_of_reach snapshot_unknown_topology snapshot_empty_requirement snapshot_topology_again snapshot_topology_reported", suite.ByCapability)),
		"says that a snapshot is usable from where no node is": mutation.Wrong(answeringSnapshot(func(_ *snapshotRequest, s *csi.Snapshot) {
			s.AccessibleTopology = []*csi.Topology{mutation.Zone("Z9")}
		}), mutation.Fails(snapshotsWithin, "CS-05"), mutation.Warns("snapshot_topology_reported", "CS-13")),
		"says that a snapshot is usable from a zone more": mutation.Wide(answeringSnapshot(func(_ *snapshotRequest, s *csi.Snapshot) {
			for _, z := range []string{"Z2", "Z3"} {
				if more := mutation.Zone(z); !proto.Equal(s.GetAccessibleTopology()[0], more) {
					s.AccessibleTopology = append(s.GetAccessibleTopology(), more)
					return
				}
			}
		}), mutation.Fails("snapshot_restorable snapshot_preferring", "TR-07")),
		"says that a snapshot in one of its volume's zones is usable from all of them": mutation.Expect(mutation.Driver{
			Target: func(t *harness.Target) { t.Profile.SnapshotParameters = map[string]string{"zones": "1"} },
			Fault:  whereVolumesAre(),
		}, mutation.Fails("snapshot_two_zones", "TR-07")),
		"says nothing of where a snapshot is usable": mutation.Wrong(
			answeringSnapshot(func(_ *snapshotRequest, s *csi.Snapshot) { s.AccessibleTopology = nil }),
			mutation.Fails("snapshot_restorable snapshot_preferring", "TR-07"),
			mutation.Warns("snapshot_topology_reported", "CS-13")),
		"takes each snapshot of a volume in two zones in the first of them": mutation.Wrong(mutation.On(func(ctx context.Context, right mutation.Right, r *snapshotRequest) (*snapshotResponse, error) {
			of, _ := right.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: r.GetSourceVolumeId()})
			response, err := right.CreateSnapshot(ctx, r)
			if in := of.GetVolume().GetAccessibleTopology(); err == nil && len(in) > 1 {
				response.Snapshot.AccessibleTopology = in[:1]
			}
			return response, err
		}), mutation.Fails("snapshot_one_of_two_zones", "CS-05")),
		"ignores the requirement of a snapshot": mutation.Wrong(mutation.Asking(anywhere),
			mutation.Fails("snapshot_out_of_reach snapshot_topology_again snapshot_unknown_topology", "CS-05")),
		"does not know the requirement of a snapshot": mutation.Wrong(
			mutation.RefusingSome(codes.InvalidArgument, "accessibility_requirements is not known", func(r *snapshotRequest) bool {
				return r.GetAccessibilityRequirements() != nil
			}), mutation.Fails(snapshotsWithin+" snapshot_topology_again", "CS-05"),
			mutation.Fails("snapshot_out_of_reach", "CS-19")),
		"looks only at preferred for a snapshot": mutation.Wrong(mutation.Asking(func(r *snapshotRequest) {
			if preferred := r.GetAccessibilityRequirements().GetPreferred(); len(preferred) > 0 {
				r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: preferred[:1]}
			}
		}), mutation.Fails("snapshot_preferring", "CS-05")),
		"says that a snapshot is usable from everywhere, whatever the request": mutation.Wide(
			answeringSnapshot(func(_ *snapshotRequest, s *csi.Snapshot) { s.AccessibleTopology = nil }).
				Over(mutation.Asking(anywhere)), mutation.Warns("snapshot_unknown_topology", "GEN-12"),
			mutation.Fails("snapshot_out_of_reach snapshot_topology_again snapshot_preferring snapshot_restorable", "TR-07"),
			mutation.Warns("snapshot_topology_reported", "CS-13")),
		"takes another snapshot of the name in another zone": mutation.Wrong(
			mutation.Retrying(codes.AlreadyExists, func(r *snapshotRequest) {
				r.Name += "-elsewhere"
				r.AccessibilityRequirements = nil
			}), mutation.Fails("snapshot_topology_again", "CS-05")),
		"INTERNAL where a snapshot cannot be": mutation.Wrong(mutation.Recoding[*snapshotRequest](codes.ResourceExhausted, codes.Internal),
			mutation.Fails("snapshot_out_of_reach", "CS-19")),
		"an empty requirement is INTERNAL": mutation.Wrong(
			mutation.RefusingSome(codes.Internal, "index out of range [0] with length 0", func(r *snapshotRequest) bool {
				required := r.GetAccessibilityRequirements()
				return required != nil && len(required.GetRequisite())+len(required.GetPreferred()) == 0
			}), mutation.Fails("snapshot_empty_requirement", "GEN-12")),
		"a repeated snapshot is refused for its requirement": mutation.Wrong(refusingRepeats(),
			mutation.Fails("snapshot_topology_again", "CS-04")),
		"a name has its snapshot, wherever it is asked for": mutation.Wrong(
			mutation.Retrying(codes.AlreadyExists, anywhere), mutation.Fails("snapshot_topology_again", "CS-05")),
		"lists snapshots without topology": mutation.Wrong(mutation.Answering(func(_ *listRequest, response *listResponse) {
			for _, entry := range response.GetEntries() {
				entry.Snapshot.AccessibleTopology = nil
			}
		}), mutation.Warns("snapshot_topology_reported", "CS-13")),
		"gets snapshots without topology": mutation.Wrong(
			mutation.Answering(func(_ *getRequest, response *getResponse) { response.Snapshot.AccessibleTopology = nil }), mutation.Warns("snapshot_topology_reported", "CS-13")),
		"a refused snapshot leaves one": mutation.Wrong(leavingSnapshot(),
			mutation.Warns("snapshot_out_of_reach snapshot_unknown_topology", "CS-17 CV-07"),
			mutation.Warns("snapshot_topology_again snapshot_empty_requirement", "CV-07")),
	}
}

// anywhere drops the topology requirement of a request for a snapshot.
func anywhere(r *snapshotRequest) { r.AccessibilityRequirements = nil }

// whereVolumesAre makes a driver that reports the topology of the volume for each snapshot.
func whereVolumesAre() mutation.Fault {
	var volumes sync.Map
	return mutation.AnsweringVolume(func(_ *createRequest, v *csi.Volume) {
		volumes.Store(v.GetVolumeId(), proto.CloneOf(v))
	}).And(answeringSnapshot(func(r *snapshotRequest, s *csi.Snapshot) {
		if v, found := volumes.Load(r.GetSourceVolumeId()); found {
			s.AccessibleTopology = proto.CloneOf(v.(*csi.Volume)).GetAccessibleTopology()
		}
	}))
}
