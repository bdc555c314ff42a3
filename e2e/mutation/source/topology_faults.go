// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// topologyFaults are drivers that are wrong in one way each, in where a snapshot can be used.
func topologyFaults() map[string]mutation.Fault {
	return map[string]mutation.Fault{
		"does not claim SNAPSHOT_ACCESSIBILITY_CONSTRAINTS": mutation.Unclaimed(csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS),
		"says that a snapshot is usable from where no node is": answeringSnapshot(func(_ *snapshotRequest, s *csi.Snapshot) {
			s.AccessibleTopology = []*csi.Topology{zone("Z9")}
		}),
		"says that a snapshot is usable from a zone more": answeringSnapshot(func(_ *snapshotRequest, s *csi.Snapshot) {
			for _, z := range []string{"Z2", "Z3"} {
				if more := zone(z); !proto.Equal(s.GetAccessibleTopology()[0], more) {
					s.AccessibleTopology = append(s.GetAccessibleTopology(), more)
					return
				}
			}
		}),
		"says nothing of where a snapshot is usable": answeringSnapshot(func(_ *snapshotRequest, s *csi.Snapshot) { s.AccessibleTopology = nil }),
		"ignores the requirement of a snapshot":      mutation.Asking(func(r *snapshotRequest) { r.AccessibilityRequirements = nil }),
		"does not know the requirement of a snapshot": mutation.RefusingSome(codes.InvalidArgument, "accessibility_requirements is not known", func(r *snapshotRequest) bool {
			return r.GetAccessibilityRequirements() != nil
		}),
		"looks only at preferred for a snapshot": mutation.Asking(func(r *snapshotRequest) {
			if preferred := r.GetAccessibilityRequirements().GetPreferred(); len(preferred) > 0 {
				r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: preferred[:1]}
			}
		}),
		"says that a snapshot is usable from everywhere, whatever the request": mutation.On(func(ctx context.Context, right mutation.Right, r *snapshotRequest) (*snapshotResponse, error) {
			r.AccessibilityRequirements = nil
			response, err := right.CreateSnapshot(ctx, r)
			if err == nil {
				response.Snapshot.AccessibleTopology = nil
			}
			return response, err
		}),
		"takes another snapshot of the name in another zone": whenNoSnapshot(codes.AlreadyExists, func(ctx context.Context, right mutation.Right, r *snapshotRequest, _ error) (*snapshotResponse, error) {
			r.Name += "-elsewhere"
			r.AccessibilityRequirements = nil
			return right.CreateSnapshot(ctx, r)
		}),
		"INTERNAL where a snapshot cannot be": whenNoSnapshot(codes.ResourceExhausted, sayingOfSnapshot(codes.Internal)),
		"an empty requirement is INTERNAL": mutation.RefusingSome(codes.Internal, "index out of range [0] with length 0", func(r *snapshotRequest) bool {
			required := r.GetAccessibilityRequirements()
			return required != nil && len(required.GetRequisite())+len(required.GetPreferred()) == 0
		}),
		"a repeated snapshot is refused for its requirement": refusingSnapshotRepeats(),
		"a name has its snapshot, wherever it is asked for": whenNoSnapshot(codes.AlreadyExists, func(ctx context.Context, right mutation.Right, r *snapshotRequest, _ error) (*snapshotResponse, error) {
			r.AccessibilityRequirements = nil
			return right.CreateSnapshot(ctx, r)
		}),
		"lists snapshots without topology": listing(func(_ *csi.ListSnapshotsRequest, response *csi.ListSnapshotsResponse) {
			for _, entry := range response.GetEntries() {
				entry.Snapshot.AccessibleTopology = nil
			}
		}),
		"gets snapshots without topology": getting(func(_ context.Context, response *csi.GetSnapshotResponse, err error) (*csi.GetSnapshotResponse, error) {
			if err == nil {
				response.Snapshot.AccessibleTopology = nil
			}
			return response, err
		}),
		"a refused snapshot leaves one": leavingSnapshot(),
	}
}
