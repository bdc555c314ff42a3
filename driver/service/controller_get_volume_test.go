// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/google/uuid"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
)

func TestGetVolume(t *testing.T) {
	c := newTestController(t)
	v := c.create(request("volume", "Z2"))
	response, err := c.ControllerGetVolume(t.Context(), &csi.ControllerGetVolumeRequest{VolumeId: v.GetVolumeId()})
	if err != nil || !proto.Equal(response.GetVolume(), v) || response.GetStatus() == nil {
		t.Errorf("got %v and %v, want %v with a status", response, err, v)
	}
	_, err = c.ControllerGetVolume(t.Context(), &csi.ControllerGetVolumeRequest{})
	expectRefused(t, err, codes.InvalidArgument, "volume_id is required")
	_, err = c.ControllerGetVolume(t.Context(), &csi.ControllerGetVolumeRequest{VolumeId: uuid.NewString()})
	expectRefused(t, err, codes.NotFound, "there is no volume")
}
