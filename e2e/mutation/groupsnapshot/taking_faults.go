// SPDX-License-Identifier: Apache-2.0

package groupsnapshot

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// takingFaults returns drivers that each take group snapshots wrongly in one way.
func takingFaults() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"gives no group_snapshot_id": mutation.Wide(answering(func(_ *takeRequest, g *csi.VolumeGroupSnapshot) { g.GroupSnapshotId = "" }),
			mutation.Fails(taken, "VGS-10")),
		"returns a group without snapshots": mutation.Wide(answering(func(_ *takeRequest, g *csi.VolumeGroupSnapshot) { g.Snapshots = nil }),
			mutation.Fails(taken, "VGS-10")),
		"leaves out a volume": mutation.Wide(mutation.Asking(func(r *takeRequest) { r.SourceVolumeIds = r.GetSourceVolumeIds()[:1] }),
			mutation.Fails(taken, "VGS-03")),
		"returns a snapshot twice": mutation.Wide(answering(func(_ *takeRequest, g *csi.VolumeGroupSnapshot) {
			g.Snapshots = append(g.Snapshots, g.GetSnapshots()[0])
		}), mutation.Fails(taken, "VGS-03")),
		"says that a group is ready of which the third snapshot is not": mutation.Wrong(answering(func(_ *takeRequest, g *csi.VolumeGroupSnapshot) {
			if len(g.GetSnapshots()) > 2 {
				g.Snapshots[2].ReadyToUse = false
			}
		}), mutation.Fails(taken, "VGS-16")),
		"gives two snapshots one snapshot_id": mutation.Wide(answering(func(_ *takeRequest, g *csi.VolumeGroupSnapshot) {
			g.Snapshots[len(g.GetSnapshots())-1].SnapshotId = g.GetSnapshots()[0].GetSnapshotId()
		}), mutation.Fails(taken, "SN-06")),
		"gives no snapshot_id to the snapshots of a group": mutation.Wide(answering(func(_ *takeRequest, g *csi.VolumeGroupSnapshot) {
			g.Snapshots[0].SnapshotId = ""
		}), mutation.Fails(taken, "SN-01")),
		"does not say of which group the snapshots in it are": mutation.Wrong(answering(func(_ *takeRequest, g *csi.VolumeGroupSnapshot) {
			for _, member := range g.GetSnapshots() {
				member.GroupSnapshotId = ""
			}
		}), mutation.Fails(taken+" "+again, "SN-09")),
		"gives all groups one group_snapshot_id": mutation.Wide(answering(func(_ *takeRequest, g *csi.VolumeGroupSnapshot) {
			g.GroupSnapshotId = "the-group"
			for _, member := range g.GetSnapshots() {
				member.GroupSnapshotId = "the-group"
			}
		}), mutation.Fails(taken, "VGS-14")),
		"does not say when a group was taken": mutation.Wrong(answering(func(_ *takeRequest, g *csi.VolumeGroupSnapshot) { g.CreationTime = nil }),
			mutation.Fails(taken, "VGS-15"), mutation.Fails(got, "VGS-33")),
		"says that a group was taken in 1970": mutation.Wide(answering(func(_ *takeRequest, g *csi.VolumeGroupSnapshot) {
			g.CreationTime = &timestamppb.Timestamp{Seconds: 1}
		}), mutation.Warns(taken, "VGS-15")),
		"does not say when the snapshots of a group were taken": mutation.Wide(answering(func(_ *takeRequest, g *csi.VolumeGroupSnapshot) {
			g.Snapshots[0].CreationTime = nil
		}), mutation.Fails(taken, "SN-03")),
		"says that a snapshot of a group has a negative size": mutation.Wide(answering(func(_ *takeRequest, g *csi.VolumeGroupSnapshot) {
			g.Snapshots[0].SizeBytes = -1
		}), mutation.Fails(taken, "SN-04")),
		"says where the snapshots of a group are usable, and does not claim to": mutation.Wide(
			mutation.Unclaimed(csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS), mutation.Fails(taken, "CS-12")),
		"says that a group is ready before its snapshots are": mutation.Wrong(firstAnswer(func(g *csi.VolumeGroupSnapshot) {
			g.Snapshots[0].ReadyToUse = false
		}), mutation.Fails(taken, "VGS-16")),
		"does not say that a group is ready when its snapshots are": mutation.Wrong(firstAnswer(func(g *csi.VolumeGroupSnapshot) {
			g.ReadyToUse = false
		}), mutation.Warns(taken, "VGS-17")),
		"is ready after the second call for a group": mutation.Wrong(readyLater(), mutation.Passes(taken+" "+again+" "+kept)),

		"a repeated group snapshot is another one": mutation.Wide(
			mutation.Again((*takeRequest).GetName, mutation.Asking(func(r *takeRequest) { r.Name += "-again" })), mutation.Fails(again, "VGS-02")),
		"a repeated group snapshot is an error": mutation.Wide(
			mutation.Again((*takeRequest).GetName, mutation.RefusingAll[*takeRequest](codes.Internal, "the group snapshot exists")), mutation.Fails(again+" "+atOnce+" "+cutShort, "VGS-02")),
		"a group snapshot is always taken just now": mutation.Wide(answering(func(_ *takeRequest, g *csi.VolumeGroupSnapshot) {
			g.CreationTime = timestamppb.New(g.GetCreationTime().AsTime().Add(time.Duration(time.Now().UnixNano()%1e6) * time.Second))
		}), mutation.Fails(again, "VGS-02")),
		"the same volumes in another order are another group": mutation.Wrong(mutation.Asking(func(r *takeRequest) {
			if !slices.IsSorted(r.GetSourceVolumeIds()) {
				r.Name += "-turned"
			}
		}), mutation.Fails(again, "VGS-02")),
		"ALREADY_EXISTS for the same volumes in another order": mutation.Wrong(inOrder(), mutation.Warns(again, "VGS-02")),
		"a name has its group, whatever the volumes":           mutation.Wide(mutation.Retrying(codes.AlreadyExists, func(r *takeRequest) { r.Name += "-of-others" }), mutation.Fails(others, "VGS-18")),
		"INTERNAL for the name of another group": mutation.Wrong(mutation.Recoding[*takeRequest](codes.AlreadyExists, codes.Internal),
			mutation.Fails(others, "VGS-18")),
		"a refused group leaves a snapshot": mutation.Wrong(mutation.On(func(ctx context.Context, driver right, r *takeRequest) (*takeResponse, error) {
			response, err := driver.CreateVolumeGroupSnapshot(ctx, r)
			if err == nil {
				return response, nil
			}
			left := &csi.CreateSnapshotRequest{Name: r.GetName() + "-left", SourceVolumeId: r.GetSourceVolumeIds()[0]}
			_, _ = driver.CreateSnapshot(ctx, left)
			return nil, err
		}), mutation.Warns(others+" "+unknown, "VGS-12 CV-07")),
		"a group without the volume that does not exist is OK": mutation.Wide(mutation.InsteadOf(codes.NotFound, func(ctx context.Context, driver right, r *takeRequest, refused error) (*takeResponse, error) {
			r.SourceVolumeIds = slices.DeleteFunc(r.GetSourceVolumeIds(), func(id string) bool {
				_, err := driver.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: id})
				return err != nil
			})
			if len(r.GetSourceVolumeIds()) == 0 {
				return nil, refused
			}
			return driver.CreateVolumeGroupSnapshot(ctx, r)
		}), mutation.Fails(unknown, "VGS-11")),
		"a plain error for a group of an unknown volume": mutation.Wrong(mutation.Recoding[*takeRequest](codes.NotFound, codes.Unknown),
			mutation.Warns(unknown, "GEN-09")),
		"INTERNAL while another call for the group is pending": mutation.Wrong(mutation.RefusingSecond[*takeRequest](codes.Internal),
			mutation.Warns(atOnce, "GEN-02")),
		"ABORTED while another call for the group is pending": mutation.Wrong(mutation.RefusingSecond[*takeRequest](codes.Aborted),
			mutation.Passes(atOnce)),
		"does not tell names apart after 63 bytes": mutation.Wide(mutation.Asking(func(r *takeRequest) { r.Name = r.GetName()[:min(63, len(r.GetName()))] }),
			mutation.Fails(names, "VGS-14")),
		"does not tell letter cases of names apart": mutation.Wrong(mutation.Asking(func(r *takeRequest) { r.Name = strings.ToLower(r.GetName()) }),
			mutation.Fails(names, "VGS-14")),
		"does not tell separators in names apart": mutation.Wrong(mutation.Asking(func(r *takeRequest) { r.Name = strings.NewReplacer(".", "-", "_", "-").Replace(r.GetName()) }),
			mutation.Fails(names, "VGS-14")),
		"refuses names in capital letters": mutation.Wrong(mutation.RefusingSome(codes.InvalidArgument, "the name is not a label", func(r *takeRequest) bool {
			return strings.ToLower(r.GetName()) != r.GetName()
		}), mutation.Passes(names)),
		"takes one snapshot of a volume and its clone": mutation.Wrong(cloning(func(r *takeRequest, isClone func(id string) bool) error {
			r.SourceVolumeIds = slices.DeleteFunc(r.GetSourceVolumeIds(), isClone)
			return nil
		}), mutation.Fails(clone, "VGS-03")),
		"FAILED_PRECONDITION for a group of a volume and its clone": mutation.Wrong(cloning(func(r *takeRequest, isClone func(id string) bool) error {
			if slices.ContainsFunc(r.GetSourceVolumeIds(), isClone) {
				return status.Error(codes.FailedPrecondition, "a volume and its clone are not snapshotted together")
			}
			return nil
		}), mutation.Skips(clone, suite.ByCapability)),
		"takes two groups for one name at once": mutation.Wide(mutation.Meanwhile[*takeRequest](mutation.Asking(func(r *takeRequest) { r.Name += "-at-once" })), mutation.Fails(atOnce, "VGS-02")),
		"a group that was given up is taken a second time": mutation.Wide(
			afterGivingUp(func(ctx context.Context, driver right, r *takeRequest) (*takeResponse, error) {
				r.Name += "-again"
				return driver.CreateVolumeGroupSnapshot(ctx, r)
			}), mutation.Fails(cutShort, "VGS-02")),
		"a group that was given up cannot be taken again": mutation.Wrong(
			afterGivingUp(func(context.Context, right, *takeRequest) (*takeResponse, error) {
				return nil, status.Error(codes.Internal, "there is a group snapshot of that name that is not complete")
			}), mutation.Fails(cutShort, "VGS-02")),
	}
}

// firstAnswer makes a driver with a changed answer to the first call for a group.
func firstAnswer(change func(*csi.VolumeGroupSnapshot)) mutation.Fault {
	return mutation.First((*takeRequest).GetName, answering(func(_ *takeRequest, group *csi.VolumeGroupSnapshot) { change(group) }))
}

// readyLater makes a correct driver: a group and its snapshots are not ready to use when the first call for it is answered.
func readyLater() mutation.Fault {
	return firstAnswer(func(group *csi.VolumeGroupSnapshot) {
		group.ReadyToUse = false
		for _, member := range group.GetSnapshots() {
			member.ReadyToUse = false
		}
	})
}

func inOrder() mutation.Fault {
	var named sync.Map
	return mutation.Checking(func(r *takeRequest) error {
		ids := strings.Join(r.GetSourceVolumeIds(), " ")
		if before, again := named.LoadOrStore(r.GetName(), ids); again && before != ids {
			return status.Error(codes.AlreadyExists, "the name has a group snapshot of other volumes")
		}
		return nil
	})
}

// cloning makes a driver that checks the request for a group, and knows which volumes are clones.
func cloning(check func(r *takeRequest, isClone func(id string) bool) error) mutation.Fault {
	var sources sync.Map // of clones, by volume_id
	return mutation.Answering(func(r *csi.CreateVolumeRequest, response *csi.CreateVolumeResponse) {
		if source := r.GetVolumeContentSource().GetVolume().GetVolumeId(); source != "" {
			sources.Store(response.GetVolume().GetVolumeId(), source)
		}
	}).And(mutation.Checking(func(r *takeRequest) error {
		ids := slices.Clone(r.GetSourceVolumeIds())
		return check(r, func(id string) bool {
			source, found := sources.Load(id)
			return found && slices.Contains(ids, source.(string))
		})
	}))
}
