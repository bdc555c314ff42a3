// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
)

// TestControllerGetCapabilities checks that the controller implements everything it claims, and nothing else (GEN-14).
func TestControllerGetCapabilities(t *testing.T) {
	everywhere := []csi.ControllerServiceCapability_RPC_Type{
		csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME,
		csi.ControllerServiceCapability_RPC_LIST_VOLUMES,
		csi.ControllerServiceCapability_RPC_GET_CAPACITY,
		csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT,
		csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS,
		csi.ControllerServiceCapability_RPC_CLONE_VOLUME,
		csi.ControllerServiceCapability_RPC_GET_VOLUME,
		csi.ControllerServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER,
		csi.ControllerServiceCapability_RPC_MODIFY_VOLUME,
		csi.ControllerServiceCapability_RPC_GET_SNAPSHOT,
		csi.ControllerServiceCapability_RPC_GET_VOLUME_HEALTH,
		csi.ControllerServiceCapability_RPC_LIST_VOLUME_HEALTH,
	}
	central := []csi.ControllerServiceCapability_RPC_Type{
		csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME,
		csi.ControllerServiceCapability_RPC_PUBLISH_READONLY,
		csi.ControllerServiceCapability_RPC_EXPAND_VOLUME,
		csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES,
	}
	for _, test := range []struct {
		name  string
		given *testController
		want  []csi.ControllerServiceCapability_RPC_Type
	}{
		{"central", newTestController(t), append(slices.Clone(everywhere), central...)},
		{"node-local", newLocalController(t), everywhere},
	} {
		t.Run(test.name, func(t *testing.T) {
			response, err := test.given.ControllerGetCapabilities(t.Context(), &csi.ControllerGetCapabilitiesRequest{})
			if err != nil {
				t.Fatal(err)
			}
			var got []csi.ControllerServiceCapability_RPC_Type
			for _, c := range response.GetCapabilities() {
				got = append(got, c.GetRpc().GetType())
			}
			slices.Sort(got)
			slices.Sort(test.want)
			if !slices.Equal(got, test.want) {
				t.Errorf("got  %v\nwant %v", got, test.want)
			}
		})
	}
}

// TestControllerInNodeLocalMode checks that a controller of volumes that are local to their node neither publishes nor
// expands; it has the capacity of its segment, and is otherwise the same.
func TestControllerInNodeLocalMode(t *testing.T) {
	c := newLocalController(t)
	v := c.create(request("volume"))
	if zonesOf(v) != "Z3" {
		t.Errorf("got a volume in %s, want in the node's own segment", zonesOf(v))
	}
	for name, call := range map[string]func() error{
		"publish": func() error {
			_, err := c.ControllerPublishVolume(t.Context(), publishRequest(v, "n3"))
			return err
		},
		"unpublish": func() error {
			_, err := c.ControllerUnpublishVolume(t.Context(), &csi.ControllerUnpublishVolumeRequest{VolumeId: v.GetVolumeId()})
			return err
		},
		"expand": func() error {
			_, err := c.ControllerExpandVolume(t.Context(), expandRequest(v, 20*mib))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) { expectRefused(t, call(), codes.Unimplemented, "not implemented") })
	}
	c.expectBytes(v, 10*mib)
	c.expectOn(v)
	s := c.snapshot(snapshotRequest("snapshot", v))
	restored := c.create(restoreOf("restored", s))
	if _, err := c.ControllerModifyVolume(t.Context(), modifyRequest(v, "thick")); err != nil {
		t.Error(err)
	}
	c.expectOwn(30 * mib)
	for _, zones := range [][]string{{"Z2"}, {"Z3", "Z4"}} {
		r := with(request("elsewhere", zones...), "zones", fmt.Sprint(len(zones)))
		_, err := c.CreateVolume(t.Context(), r)
		expectRefused(t, err, codes.ResourceExhausted, "out of reach")
	}
	for _, left := range []*csi.Volume{v, restored} {
		c.delete(left)
	}
	c.expectOwn(10 * mib)
	c.restart()
	c.expectOwn(10 * mib)
}

// expectOwn checks the number of bytes taken in the controller's segment, and that it offers no capacity in others.
func (c *testController) expectOwn(taken int64) {
	c.t.Helper()
	want := map[string]int64{"Z2": 0, "Z3": segmentBytes - taken, "Z4": 0, "Z5": 0}
	if got := c.available(""); !maps.Equal(got, want) {
		c.t.Errorf("available are %v, want %v", got, want)
	}
	for _, usage := range c.Usage() {
		if !usage.Segment.Equal(c.local) {
			c.t.Errorf("the usage of another segment is told: %v", usage)
		}
	}
}
