// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/memory"
)

// ill is a Mounter that finds problems, and records the paths of its checks.
type ill struct {
	*memory.Volumes
	problems []volume.Problem
	failed   error
	looked   string
}

func (i *ill) CheckAt(_ context.Context, id, staging, target string) ([]volume.Problem, error) {
	i.looked = fmt.Sprint(id, " ", staging, " ", target)
	return i.problems, i.failed
}

func (i *ill) CheckStorage(context.Context) ([]volume.Problem, error) { return i.problems, i.failed }

func TestNodeHealth(t *testing.T) {
	for _, test := range []struct {
		name             string
		given            []volume.Problem
		failed           error
		want             codes.Code
		volumes, storage []string // "<status> <reason>: <message>"
	}{
		{name: "nothing"},
		{
			name: "each severity",
			given: []volume.Problem{
				{Severity: volume.Degraded, Reason: "Slow", Message: "wait"},
				{Severity: volume.Inaccessible, Reason: "Gone", Message: "look"},
				{Severity: volume.DataLoss, Reason: "Lost", Message: "restore"},
			},
			volumes: []string{"DEGRADED Slow: wait", "INACCESSIBLE Gone: look", "DATA_LOSS Lost: restore"},
			storage: []string{"STORAGE_DEGRADED Slow: wait", "STORAGE_UNREACHABLE Gone: look", "STORAGE_UNREACHABLE Lost: restore"},
		},
		{
			name: "one found twice",
			given: []volume.Problem{
				{Severity: volume.Inaccessible, Reason: "Gone", Message: "one"},
				{Severity: volume.Degraded, Reason: "Gone", Message: "less"},
				{Severity: volume.Inaccessible, Reason: "Gone", Message: "other"},
				{Severity: volume.Degraded, Reason: "Gone", Message: "less"},
			},
			volumes: []string{"INACCESSIBLE Gone: one; other", "DEGRADED Gone: less"},
			storage: []string{"STORAGE_UNREACHABLE Gone: one; other", "STORAGE_DEGRADED Gone: less"},
		},
		{
			name: "the same for storage, where nothing is worse than unreachable",
			given: []volume.Problem{
				{Severity: volume.Inaccessible, Reason: "Gone", Message: "one"},
				{Severity: volume.DataLoss, Reason: "Gone", Message: "other"},
			},
			volumes: []string{"INACCESSIBLE Gone: one", "DATA_LOSS Gone: other"},
			storage: []string{"STORAGE_UNREACHABLE Gone: one; other"},
		},
		{name: "cannot be told", failed: errors.New("the disk does not answer"), want: codes.Internal},
		{name: "no such volume", failed: volume.ErrNotFound, want: codes.NotFound},
	} {
		t.Run(test.name, func(t *testing.T) {
			node := newTestNode(t)
			mounter := &ill{Volumes: node.volumes, problems: slices.Clone(test.given), failed: test.failed}
			node.start(NodeConfig{Volumes: mounter})
			response, err := node.NodeGetVolumeHealth(t.Context(), &csi.NodeGetVolumeHealthRequest{VolumeId: node.id, StagingTargetPath: "/s", VolumePublishPath: "/t"})
			wantCode(t, err, test.want)
			if want := node.id + " /s /t"; mounter.looked != want {
				t.Errorf("it looked at %q, want %q", mounter.looked, want)
			}
			var got []string
			for _, entry := range response.GetVolumeHealth().GetHealthStatuses() {
				got = append(got, fmt.Sprintf("%s %s: %s", entry.GetStatus(), entry.GetReason(), entry.GetMessage()))
			}
			if !slices.Equal(got, test.volumes) {
				t.Errorf("the volume has %q, want %q", got, test.volumes)
			}
			if err == nil && response.GetVolumeHealth().GetVolumeId() != node.id {
				t.Errorf("the health is of volume %q, want %q", response.GetVolumeHealth().GetVolumeId(), node.id)
			}

			storage, err := node.NodeGetStorageHealth(t.Context(), &csi.NodeGetStorageHealthRequest{})
			wantCode(t, err, test.want)
			got = nil
			for _, entry := range storage.GetBackendHealth() {
				got = append(got, fmt.Sprintf("%s %s: %s", entry.GetStatus(), entry.GetReason(), entry.GetMessage()))
				if entry.GetVolumeCapability() != nil {
					t.Errorf("volume_capability is %v, want none", entry.GetVolumeCapability())
				}
			}
			if !slices.Equal(got, test.storage) {
				t.Errorf("storage has %q, want %q", got, test.storage)
			}
			if !slices.Equal(mounter.problems, test.given) {
				t.Errorf("the mounter's own list was changed to %v", mounter.problems)
			}
		})
	}
}
