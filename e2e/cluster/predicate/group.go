// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

// GroupReady wants the VolumeGroupSnapshot to have so many VolumeSnapshots, all of which are ready to use.
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

// GroupCalls are the calls for one group snapshot, and those to delete one of its snapshots by itself.
type GroupCalls struct {
	Create, Delete, Get, Alone []trace.Call
}

// groupRequest has the fields of requests about group snapshots.
type groupRequest struct {
	Name      string   `json:"name"`
	Volumes   []string `json:"source_volume_ids"`
	Group     string   `json:"group_snapshot_id"`
	Snapshots []string `json:"snapshot_ids"`
	Snapshot  string   `json:"snapshot_id"`
}

func groupRequestOf(call trace.Call) (request groupRequest) {
	_ = json.Unmarshal(call.Request, &request) // one that is no such request has none of the fields
	return request
}

// GroupCallsOf finds them by the name that the driver was asked for, and the ids of the snapshots.
func GroupCallsOf(calls []trace.Call, asked string, snapshots []string) GroupCalls {
	found := GroupCalls{Create: slices.DeleteFunc(CallsOf(calls, "CreateVolumeGroupSnapshot"), func(c trace.Call) bool { return groupRequestOf(c).Name != asked })}
	var ids []string
	for _, c := range found.Create {
		var answer struct {
			Group struct {
				ID string `json:"group_snapshot_id"`
			} `json:"group_snapshot"`
		}
		if json.Unmarshal(c.Response, &answer) == nil && answer.Group.ID != "" {
			ids = append(ids, answer.Group.ID)
		}
	}
	other := func(c trace.Call) bool { return !slices.Contains(ids, groupRequestOf(c).Group) }
	found.Delete = slices.DeleteFunc(CallsOf(calls, "DeleteVolumeGroupSnapshot"), other)
	found.Get = slices.DeleteFunc(CallsOf(calls, "GetVolumeGroupSnapshot"), other)
	found.Alone = slices.DeleteFunc(CallsOf(calls, "DeleteSnapshot"), func(c trace.Call) bool { return !slices.Contains(snapshots, groupRequestOf(c).Snapshot) })
	return found
}

// All are the calls for the group.
func (g GroupCalls) All() []trace.Call { return slices.Concat(g.Create, g.Get, g.Delete) }

// Made wants every call that makes the group to be for these volumes, and no other.
func (g GroupCalls) Made(volumes []string) error {
	return eachAsks(g.Create, "CreateVolumeGroupSnapshot", "source_volume_ids", volumes, func(r groupRequest) []string { return r.Volumes })
}

// Deleted wants every call that deletes the group to have these snapshots, and no other, and the last to have succeeded.
func (g GroupCalls) Deleted(snapshots []string) error {
	if err := eachAsks(g.Delete, "DeleteVolumeGroupSnapshot", "snapshot_ids", snapshots, func(r groupRequest) []string { return r.Snapshots }); err != nil {
		return err
	}
	if last := g.Delete[len(g.Delete)-1]; last.Code != codeOK {
		return finalMismatch("the last DeleteVolumeGroupSnapshot", codeOK, last.Code)
	}
	return nil
}

// NoneAlone wants none of the snapshots to have been deleted without its group.
func (g GroupCalls) NoneAlone() error {
	if len(g.Alone) > 0 {
		return finalMismatch("DeleteSnapshot of a snapshot of a group", "no call", groupRequestOf(g.Alone[0]).Snapshot)
	}
	return nil
}

// eachAsks wants a call at least, and each to have these elements in the field, in any order.
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
