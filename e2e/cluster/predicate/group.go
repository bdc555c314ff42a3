// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/grpc/codes"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

// GroupReady requires the VolumeGroupSnapshot to have the given number of VolumeSnapshots, all ready to use.
func GroupReady(group string, members []unstructured.Unstructured, wanted int) error {
	if len(members) != wanted {
		return mismatch("VolumeSnapshots of VolumeGroupSnapshot "+group, fmt.Sprint(wanted), fmt.Sprint(len(members)))
	}
	for i := range members {
		if err := SnapshotReady(&members[i]); err != nil {
			return err
		}
	}
	return nil
}

// GroupAnswered requires the driver to have answered, according to the VolumeGroupSnapshotContent, exactly one snapshot
// of each volume that it was asked for.
func GroupAnswered(content *unstructured.Unstructured) error {
	answered, _, _ := unstructured.NestedSlice(content.Object, "status", "volumeSnapshotInfoList")
	var found []string
	for _, snapshot := range answered {
		info, _ := snapshot.(map[string]any)
		volume, _, _ := unstructured.NestedString(info, "volumeHandle")
		found = append(found, volume)
	}
	return sameVolumes("volumes with a snapshot in the answer to CreateVolumeGroupSnapshot", GroupVolumes(content), found)
}

// GroupOf requires the VolumeGroupSnapshotContent to have exactly these volumes, by volume_id.
func GroupOf(content *unstructured.Unstructured, volumes []string) error {
	return sameVolumes("volumes of "+content.GetName(), volumes, GroupVolumes(content))
}

// GroupVolumes returns the volume_ids of the volumes in the VolumeGroupSnapshotContent.
func GroupVolumes(content *unstructured.Unstructured) []string {
	volumes, _, _ := unstructured.NestedStringSlice(content.Object, "spec", "source", "volumeHandles")
	return volumes
}

func sameVolumes(subject string, wanted, found []string) error {
	if want, got := slices.Sorted(slices.Values(wanted)), slices.Sorted(slices.Values(found)); !slices.Equal(want, got) {
		return finalMismatch(subject, fmt.Sprintf("%q", want), fmt.Sprintf("%q", got))
	}
	return nil
}

// GroupNoticed requires a csi-snapshotter to handle the VolumeGroupSnapshotContent, which it annotates before it calls the
// driver.
func GroupNoticed(content *unstructured.Unstructured) error {
	const beingCreated = "groupsnapshot.storage.kubernetes.io/volumegroupsnapshot-being-created"
	_, asks := content.GetAnnotations()[beingCreated]
	if _, found, _ := unstructured.NestedMap(content.Object, "status"); !asks && !found {
		return fmt.Errorf("VolumeGroupSnapshotContent %s has neither a status nor the annotation %s", content.GetName(), beingCreated)
	}
	return nil
}

// Ungrouped returns the driver's refusal to take one group snapshot of the volumes, empty if it did not refuse (VGS-19).
func Ungrouped(snapshot *unstructured.Unstructured) string {
	message, _, _ := unstructured.NestedString(snapshot.Object, "status", "error", "message")
	if !strings.Contains(message, codeText(codes.FailedPrecondition)) {
		return ""
	}
	return message
}

// GroupCalls holds the calls for one group snapshot, and calls that delete one of its snapshots alone.
type GroupCalls struct {
	Create, Delete, Get, Alone []trace.Call
}

// groupRequest has the fields of requests about group snapshots.
type groupRequest struct {
	Name      string   `json:"name"`
	Volumes   []string `json:"source_volume_ids"`
	Snapshots []string `json:"snapshot_ids"`
}

func groupRequestOf(call trace.Call) (request groupRequest) {
	_ = json.Unmarshal(call.Request, &request) // other requests have none of the fields
	return request
}

// GroupCallsOf returns the calls for the group with this id and snapshots.
func GroupCallsOf(calls []trace.Call, group string, snapshots []string) GroupCalls {
	var found GroupCalls
	create := CallsOf(calls, GroupSnapshots().Create)
	if at := slices.IndexFunc(create, func(c trace.Call) bool { return GroupSnapshots().idOf(c) == group }); at >= 0 {
		found.Create = GroupSnapshots().Of(create, groupRequestOf(create[at]).Name)
	}
	other := func(c trace.Call) bool { return GroupSnapshots().named(c) != group }
	found.Delete = slices.DeleteFunc(CallsOf(calls, GroupSnapshots().Delete), other)
	found.Get = slices.DeleteFunc(CallsOf(calls, "GetVolumeGroupSnapshot"), other)
	found.Alone = slices.DeleteFunc(CallsOf(calls, Snapshots().Delete), func(c trace.Call) bool { return !slices.Contains(snapshots, Snapshots().named(c)) })
	return found
}

// All returns the calls for the group.
func (g GroupCalls) All() []trace.Call { return slices.Concat(g.Create, g.Get, g.Delete) }

// Made requires every call that creates the group to be for exactly these volumes.
func (g GroupCalls) Made(volumes []string) error {
	return eachAsks(g.Create, "CreateVolumeGroupSnapshot", "source_volume_ids", volumes, func(r groupRequest) []string { return r.Volumes })
}

// Deleted requires every call that deletes the group to have exactly these snapshots, and the last to have succeeded.
func (g GroupCalls) Deleted(snapshots []string) error {
	if err := eachAsks(g.Delete, "DeleteVolumeGroupSnapshot", "snapshot_ids", snapshots, func(r groupRequest) []string { return r.Snapshots }); err != nil {
		return err
	}
	if last := g.Delete[len(g.Delete)-1]; last.Code != codeOK {
		return finalMismatch("the last DeleteVolumeGroupSnapshot", codeOK, last.Code)
	}
	return nil
}

// NoneAlone requires none of the snapshots to have been deleted without its group.
func (g GroupCalls) NoneAlone() error {
	if len(g.Alone) > 0 {
		return finalMismatch("DeleteSnapshot of a snapshot of a group", "no call", Snapshots().named(g.Alone[0]))
	}
	return nil
}

// eachAsks requires at least one call, and each to have these elements in the field, in any order.
func eachAsks(calls []trace.Call, method, field string, wanted []string, of func(groupRequest) []string) error {
	if len(calls) == 0 {
		return fmt.Errorf("no call of %s was recorded", method)
	}
	want := strings.Join(slices.Sorted(slices.Values(wanted)), " ")
	for _, c := range calls {
		if got := strings.Join(slices.Sorted(slices.Values(of(groupRequestOf(c)))), " "); got != want {
			return finalMismatch(field+" of "+method, want, got)
		}
	}
	return nil
}
