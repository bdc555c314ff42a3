// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/google/uuid"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
)

func TestGetSnapshot(t *testing.T) {
	c := newTestController(t)
	v := c.create(request("volume", "Z2"))
	c.snapshot(snapshotRequest("another", v))
	s := c.snapshot(snapshotRequest("snapshot", v))
	response, err := c.GetSnapshot(t.Context(), &csi.GetSnapshotRequest{SnapshotId: s.GetSnapshotId()})
	if err != nil || !proto.Equal(response.GetSnapshot(), s) {
		t.Errorf("got %v and %v, want %v", response, err, s)
	}
	_, err = c.GetSnapshot(t.Context(), &csi.GetSnapshotRequest{})
	expectRefused(t, err, codes.InvalidArgument, "snapshot_id is required")
	for _, id := range []string{"image-" + uuid.NewString(), v.GetVolumeId(), "snapshot", "../x"} {
		_, err = c.GetSnapshot(t.Context(), &csi.GetSnapshotRequest{SnapshotId: id})
		expectRefused(t, err, codes.NotFound, "there is no snapshot")
	}
}
