// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/journal"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/own"
)

// remember writes to the journal of the run that the call is about to be made, and returns a function that writes its
// answer. It ignores calls that neither make nor remove anything.
func (c connection) remember(method string, request any) (answered func(response any, err error)) {
	j := c.driver.Target.Journal
	kept := essence(request)
	if j == nil || kept == nil {
		return func(any, error) {}
	}
	data, err := protojson.Marshal(kept)
	if err != nil {
		return func(any, error) {} // a request that cannot be sent either
	}
	sent := journal.Sent{N: j.Next(), Method: method, Request: data}
	if node := c.node(); node != nil {
		sent.At = node.String()
	}
	_ = j.Write(journal.Line{Sent: &sent}) // the end of the run says so
	return func(response any, err error) {
		answer := journal.Answered{N: sent.N, Code: status.Code(err)}
		if err == nil {
			answer.ID, answer.Foreign = c.made(response)
			answer.Members = membersOf(response)
		}
		_ = j.Write(journal.Line{Answered: &answer})
	}
}

// made returns the id of the object in the answer, and the reason if it does not belong to the run.
func (c connection) made(response any) (id, foreign string) {
	switch r := response.(type) {
	case *csi.CreateVolumeResponse:
		id = r.GetVolume().GetVolumeId()
		return id, c.driver.health.Own.Why(own.Volume, id)
	case *csi.CreateSnapshotResponse:
		id = r.GetSnapshot().GetSnapshotId()
		return id, c.driver.health.Own.Why(own.Snapshot, id)
	case *csi.CreateVolumeGroupSnapshotResponse:
		id = r.GetGroupSnapshot().GetGroupSnapshotId()
		return id, c.driver.health.Own.Why(own.Group, id)
	default:
		return "", ""
	}
}

// membersOf returns the snapshots of the group in the answer, which are needed to delete the group. It is empty for any
// other answer.
func membersOf(response any) []journal.Member {
	var members []journal.Member
	if r, isGroup := response.(*csi.CreateVolumeGroupSnapshotResponse); isGroup {
		for _, member := range r.GetGroupSnapshot().GetSnapshots() {
			members = append(members, journal.Member{ID: member.GetSnapshotId(), Volume: member.GetSourceVolumeId()})
		}
	}
	return members
}

// essence returns the part of a request that is needed to undo the call, without secrets; nil for a call that makes and
// removes nothing.
func essence(request any) proto.Message {
	switch r := request.(type) {
	case *csi.CreateVolumeRequest:
		kept := proto.CloneOf(r)
		kept.Secrets = nil
		return kept
	case *csi.CreateSnapshotRequest:
		kept := proto.CloneOf(r)
		kept.Secrets = nil
		return kept
	case *csi.CreateVolumeGroupSnapshotRequest:
		kept := proto.CloneOf(r)
		kept.Secrets = nil
		return kept
	case *csi.DeleteVolumeGroupSnapshotRequest:
		return &csi.DeleteVolumeGroupSnapshotRequest{GroupSnapshotId: r.GetGroupSnapshotId(), SnapshotIds: r.GetSnapshotIds()}
	case *csi.DeleteVolumeRequest:
		return &csi.DeleteVolumeRequest{VolumeId: r.GetVolumeId()}
	case *csi.DeleteSnapshotRequest:
		return &csi.DeleteSnapshotRequest{SnapshotId: r.GetSnapshotId()}
	case *csi.ControllerPublishVolumeRequest:
		return &csi.ControllerPublishVolumeRequest{VolumeId: r.GetVolumeId(), NodeId: r.GetNodeId()}
	case *csi.ControllerUnpublishVolumeRequest:
		return &csi.ControllerUnpublishVolumeRequest{VolumeId: r.GetVolumeId(), NodeId: r.GetNodeId()}
	case *csi.NodeStageVolumeRequest:
		return &csi.NodeStageVolumeRequest{VolumeId: r.GetVolumeId(), StagingTargetPath: r.GetStagingTargetPath()}
	case *csi.NodeUnstageVolumeRequest:
		return &csi.NodeUnstageVolumeRequest{VolumeId: r.GetVolumeId(), StagingTargetPath: r.GetStagingTargetPath()}
	case *csi.NodePublishVolumeRequest:
		return &csi.NodePublishVolumeRequest{VolumeId: r.GetVolumeId(), StagingTargetPath: r.GetStagingTargetPath(), TargetPath: r.GetTargetPath()}
	case *csi.NodeUnpublishVolumeRequest:
		return &csi.NodeUnpublishVolumeRequest{VolumeId: r.GetVolumeId(), TargetPath: r.GetTargetPath()}
	default:
		return nil
	}
}

// Remembering writes each directory to the journal before it is made.
type Remembering struct {
	Paths
	Journal *journal.Journal
}

// Make makes a directory.
func (r Remembering) Make(ctx context.Context, node, path string) error {
	_ = r.Journal.Write(journal.Line{Made: &journal.Made{At: node, Path: path}}) // the end of the run says so
	return r.Paths.Make(ctx, node, path)
}
