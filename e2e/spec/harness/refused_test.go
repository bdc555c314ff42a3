// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/health"
)

// TestWhileRefused checks that a call that is to be refused because of an earlier call of the case is judged by its last
// answer after seconds, unless the driver is slow in other calls.
func TestWhileRefused(t *testing.T) {
	const refusal, provision = 20 * time.Second, 5 * time.Minute
	single := &csi.VolumeCapability{AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER}}
	shared := &csi.VolumeCapability{AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER}}
	for _, c := range []struct {
		name        string
		published   string // to that node
		capability  *csi.VolumeCapability
		slowest     time.Duration // another call of the driver
		least, most time.Duration
		pending     bool // the answer is not judged
	}{
		{"to a second node", "node-1", single, 0, refusal, refusal + 10*time.Second, false},
		{"to a second node, by a slow driver", "node-1", single, time.Minute, 2 * time.Minute, 2*time.Minute + 10*time.Second, false},
		{"to a second node, by a driver that is very slow", "node-1", single, provision, provision, provision + time.Second, false},
		{"to the same node again", "node-2", single, 0, provision, provision + time.Second, true},
		{"to a second node, of a shared volume", "node-1", shared, 0, provision, provision + time.Second, true},
		{"to the first node", "", single, 0, provision, provision + time.Second, true},
	} {
		onFakeTime(t, c.name, func(t *testing.T) {
			driver := &answers{made: map[string]int{}, calls: map[string]func(int) (proto.Message, error){
				"ControllerPublishVolume": func(int) (proto.Message, error) { return nil, status.Error(codes.Unavailable, "the volume is busy") },
				"GetPluginInfo":           func(int) (proto.Message, error) { return &csi.GetPluginInfoResponse{}, nil },
			}}
			d := connect(&Target{Controller: driver, Timeouts: profile.Timeouts{Provision: provision, Query: provision, Restart: time.Second, Refusal: refusal}}, &health.Health{}, "case")
			d.Nodes = []*Node{{ID: "node-1"}, {ID: "node-2"}}
			if c.published != "" {
				enterPublication(d, &csi.ControllerPublishVolumeRequest{VolumeId: "v", NodeId: c.published})
			}
			d.health.NoteWorking(csi.Controller_CreateVolume_FullMethodName, c.slowest)
			began := time.Now()
			_, err := d.Controller.ControllerPublishVolume(attempt.Tolerant(context.Background()), &csi.ControllerPublishVolumeRequest{VolumeId: "v", NodeId: "node-2", VolumeCapability: c.capability})
			var none *attempt.NoAnswer
			if pending := errors.As(err, &none); pending != c.pending || status.Code(err) != codes.Unavailable {
				t.Errorf("got %v, want UNAVAILABLE, to judge: %t", err, !c.pending)
			}
			if took := time.Since(began); took < c.least || took > c.most {
				t.Errorf("it was repeated for %s, want %s to %s", took, c.least, c.most)
			}
		})
	}
}
