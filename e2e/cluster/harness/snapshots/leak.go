// SPDX-License-Identifier: Apache-2.0

package snapshots

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// NameOf returns the name of the snapshot in the snapshotter's requests.
func NameOf(snapshot *unstructured.Unstructured) string {
	return "snapshot-" + string(snapshot.GetUID())
}

// Inject activates the rule for calls of CreateSnapshot of the volume, until End or the end of the case.
func Inject(ctx context.Context, s *harness.Scenario, volume *corev1.PersistentVolume, rule trace.Rule) *recorder.Injected {
	rule.Method = "CreateSnapshot"
	rule.Match = recorder.Match(s, map[string]any{"source_volume_id": harness.HandleOf(volume)})
	return recorder.InjectInto(ctx, s, recorder.Of(ctx, s).Client, rule)
}

// Provide injects answers to CreateSnapshot for the VolumeSnapshot, and to its DeleteSnapshot, until the case ends.
func Provide(ctx context.Context, s *harness.Scenario, volume *corev1.PersistentVolume, snapshot *unstructured.Unstructured) {
	control := recorder.Of(ctx, s).Client
	answer, err := json.Marshal(map[string]any{"snapshot": map[string]any{
		"snapshot_id": NameOf(snapshot), "source_volume_id": harness.HandleOf(volume), "ready_to_use": true,
		"creation_time": time.Now().UTC().Format(time.RFC3339),
	}})
	s.Need(err, "writing an answer")
	recorder.InjectInto(ctx, s, control, trace.Rule{
		Method: "CreateSnapshot", Match: recorder.Match(s, map[string]any{"name": NameOf(snapshot)}), Answer: answer,
	})
	recorder.InjectInto(ctx, s, control, trace.Rule{
		Method: "DeleteSnapshot", Match: recorder.Match(s, map[string]any{"snapshot_id": NameOf(snapshot)}), Answer: json.RawMessage(`{}`),
	})
}

// MustBeDeleted deletes the VolumeSnapshot before the driver has returned the snapshot, and waits until the controller has
// passed the deletion on to its content.
func MustBeDeleted(ctx context.Context, s *harness.Scenario, snapshot *unstructured.Unstructured) {
	s.Need(s.Resources().Delete(ctx, snapshot), "deleting VolumeSnapshot %s", snapshot.GetName())
	content := contentOf(snapshot)
	s.Until(ctx, s.Target.Timeouts.Delete, "content of VolumeSnapshot "+snapshot.GetName()+" on its way out", func(ctx context.Context) error {
		err := s.Reread(ctx, content)
		if harness.Gone(err, "") == nil {
			return nil
		}
		return errors.Join(err, predicate.Deleting(workload.SnapshotContentKind, content))
	})
}

// LeavesNone waits until every snapshot that the driver created for the VolumeSnapshots is deleted, together with their
// contents: any that remains is a warning by the requirement. It also warns about snapshots that the driver still lists.
func LeavesNone(ctx context.Context, s *harness.Scenario, requirement string, snapshots ...*unstructured.Unstructured) {
	var calls []trace.Call
	each := func(judge func(calls []trace.Call, name string) error) func(context.Context) error {
		return func(ctx context.Context) (err error) {
			if calls, err = recorder.Calls(ctx, s); err != nil {
				return err
			}
			for _, snapshot := range snapshots {
				if err := judge(calls, NameOf(snapshot)); err != nil {
					return err
				}
			}
			return nil
		}
	}
	deleted := s.PlatformMust(ctx, s.Target.Timeouts.Run, requirement, "answer to CreateSnapshot known", each(predicate.Snapshots().Known)) &&
		s.PlatformMust(ctx, s.Target.Timeouts.Notice, requirement, "snapshots deleted", each(predicate.Snapshots().LeavesNothing))
	for _, snapshot := range snapshots {
		suite.Evidence(ctx, "CreateSnapshot of "+snapshot.GetName(), predicate.Snapshots().Of(calls, NameOf(snapshot)))
	}
	if !deleted { // they are not deleted until their controllers reconcile the contents again
		for _, snapshot := range snapshots {
			s.Need(remind(ctx, s, contentOf(snapshot)), "having what is left of VolumeSnapshot %s looked at again", snapshot.GetName())
		}
	}
	s.Until(ctx, s.Target.Timeouts.Delete, "contents of the VolumeSnapshots gone", func(ctx context.Context) error { return allGone(ctx, s, snapshots) })
	if !s.Driver.Claims(csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS) {
		return
	}
	for _, snapshot := range snapshots {
		for _, id := range predicate.Snapshots().IDs(predicate.Snapshots().Of(calls, NameOf(snapshot))) {
			ShouldNotList(ctx, s, Snapshot{Name: snapshot.GetName(), Handle: id})
		}
	}
}

// LetsGo waits for the claim to lose the finalizer for snapshots, once no snapshot of its volume is being created. A
// finalizer that stays is a warning by the requirement, and the finalizer is removed.
func LetsGo(ctx context.Context, s *harness.Scenario, requirement string, claim *corev1.PersistentVolumeClaim) {
	if s.PlatformMust(ctx, s.Target.Timeouts.Notice, requirement, "claim "+claim.Name+" no longer kept for snapshots", s.Look(claim, func() error {
		return predicate.LetGoBy("PersistentVolumeClaim", claim, predicate.SnapshotSource)
	})) {
		return
	}
	left := slices.DeleteFunc(slices.Clone(claim.Finalizers), func(finalizer string) bool { return finalizer == predicate.SnapshotSource })
	s.Need(s.Patch(ctx, claim, map[string]any{"metadata": map[string]any{"finalizers": left}}), "letting claim %s go", claim.Name)
}

// allGone returns an error unless the contents of the VolumeSnapshots are gone.
func allGone(ctx context.Context, s *harness.Scenario, snapshots []*unstructured.Unstructured) error {
	for _, snapshot := range snapshots {
		content := contentOf(snapshot)
		if err := harness.Gone(s.Reread(ctx, content), workload.SnapshotContentKind+" "+content.GetName()); err != nil {
			return err
		}
	}
	return nil
}

// remind makes an insignificant change to the content, so that its controllers reconcile it again.
func remind(ctx context.Context, s *harness.Scenario, content *unstructured.Unstructured) error {
	err := s.Patch(ctx, content, json.RawMessage(`{"metadata":{"annotations":{"csi-topo/touched":"true"}}}`))
	if harness.Gone(err, "") == nil {
		return nil
	}
	return err
}

// contentOf returns the VolumeSnapshotContent that the snapshot controller makes for the VolumeSnapshot.
func contentOf(snapshot *unstructured.Unstructured) *unstructured.Unstructured {
	return workload.SnapshotObject(workload.SnapshotContentKind, "snapcontent-"+string(snapshot.GetUID()))
}
