// SPDX-License-Identifier: Apache-2.0

package whole

import (
	"context"
	"sync/atomic"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// brokenLists returns drivers with a list that does not work at all: the cases about it fail, and others continue without
// it.
func brokenLists() map[string]mutation.Expectation {
	const (
		others    = "size_omitted stage_again delete_again requisite_every_segment grow_again generated_sequence claims_controller"
		ofSources = others + " restore_unknown_source snapshot_again snapshot_at_once snapshot_outlives_volume"
		lists     = "list_volumes_has_each_once list_volumes_without_deleted"
		ofPages   = lists + " list_volumes_pages"
	)
	return map[string]mutation.Expectation{
		"ends at ListVolumes once there is a volume, and is started again": whole(mutation.Driver{Fault: mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error) {
			response, err := right.ListVolumes(ctx, r)
			if len(response.GetEntries()) > 0 {
				return nil, ended()
			}
			return response, err
		})},
			mutation.Fails("run_surveys_work "+lists, "GEN-08"), mutation.Passes(ofSources)).Seen("hetznercloud csi-driver 53ead0b"),
		"ListVolumes has the next_token 0 for ever": whole(mutation.Driver{Fault: mutation.Asking(func(r *csi.ListVolumesRequest) {
			if r.GetStartingToken() == first {
				r.StartingToken = ""
			}
		}).Over(mutation.Answering(func(_ *csi.ListVolumesRequest, response *csi.ListVolumesResponse) { response.NextToken = first }))},
			mutation.Fails("run_surveys_work "+ofPages, "LV-04"), mutation.Passes(ofSources)).Seen("upcloud-csi 705a0d3"),
		"ListSnapshots has the next_token 0 for ever": whole(mutation.Driver{Fault: mutation.Asking(func(r *csi.ListSnapshotsRequest) {
			if r.GetStartingToken() == first {
				r.StartingToken = ""
			}
		}).Over(mutation.Answering(func(_ *csi.ListSnapshotsRequest, response *csi.ListSnapshotsResponse) { response.NextToken = first }))},
			mutation.Fails("run_surveys_work snapshots_by_source snapshots_paged", "LS-03"), mutation.Passes(ofSources)).Seen("upcloud-csi 705a0d3"),
		"ListSnapshots ends it, and it is started again": whole(mutation.Driver{Fault: mutation.RefusingAll[*csi.ListSnapshotsRequest](codes.Unavailable, broken)},
			mutation.Fails("run_surveys_work snapshots_by_source", "GEN-08"), mutation.Passes(ofSources)),
		"ends for good at the first ListVolumes": whole(mutation.Driver{Target: unrestarted, Running: endingAt(func(*csi.ListVolumesRequest) bool { return true })},
			mutation.Fails("run_stays_up", "GEN-08"), mutation.Passes("run_surveys_work"), mutation.Errs("size_omitted list_volumes_pages")),
		"ends at GetCapacity, and is started again": whole(mutation.Driver{Fault: mutation.RefusingAll[*csi.GetCapacityRequest](codes.Unavailable, broken)},
			mutation.Fails("run_surveys_work", "GEN-08"), mutation.Errs("size_omitted stage_again")),
		"ends once at a ListVolumes, and is started again": whole(mutation.Driver{Fault: endsOnce()},
			mutation.Warns("run_stays_up", "GEN-08"), mutation.Passes("run_surveys_work size_omitted")),
		"never answers ListVolumes": whole(mutation.Driver{Target: mutation.Hurry, Fault: mutation.On(func(ctx context.Context, _ mutation.Right, _ *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error) {
			<-ctx.Done()
			return nil, status.FromContextError(ctx.Err()).Err()
		})}, mutation.Fails("run_surveys_work "+lists, "GEN-08"), mutation.Passes(ofSources)),
		"ListVolumes is INTERNAL": whole(mutation.Driver{Fault: mutation.RefusingAll[*csi.ListVolumesRequest](codes.Internal, "the inventory is lost")},
			mutation.Warns("run_surveys_work", "LV-01"), mutation.Passes(ofSources)),
		"ListVolumes is claimed and UNIMPLEMENTED": whole(mutation.Driver{Fault: mutation.RefusingAll[*csi.ListVolumesRequest](codes.Unimplemented, "later")},
			mutation.Fails("run_surveys_work claims_controller "+lists, "LV-20"), mutation.Passes("size_omitted stage_again")),
	}
}

// broken is the message of a call during which the driver's process ends.
const broken = "error reading from server: EOF"

func ended() error { return status.Error(codes.Unavailable, broken) }

func endsOnce() mutation.Fault {
	var once atomic.Bool
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error) {
		if once.CompareAndSwap(false, true) {
			return nil, ended()
		}
		return right.ListVolumes(ctx, r)
	})
}

// first is the token of a driver whose list restarts forever.
const first = "0"
