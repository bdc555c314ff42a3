// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/health"
)

func TestLearn(t *testing.T) {
	zone := func(name string) map[string]string { return map[string]string{"zone": name} }
	for _, c := range []struct {
		name    string
		volumes [][]map[string]string // the segments of consecutive volumes; the next volume is refused
		given   []map[string]string   // in the profile
		want    model.Set
	}{
		{name: "a driver that refuses"},
		{name: "one zone", volumes: [][]map[string]string{{zone("a")}, {zone("a")}}, want: model.Set{zone("a")}},
		{name: "two zones", volumes: [][]map[string]string{{zone("b")}, {zone("a")}, {zone("a")}, {zone("c")}}, want: model.Set{zone("b"), zone("a")}},
		{name: "several of one volume", volumes: [][]map[string]string{{zone("a"), zone("b")}}, want: model.Set{zone("a"), zone("b")}},
		{name: "other keys", volumes: [][]map[string]string{{zone("a")}, {{"region": "r"}, zone("b")}}, want: model.Set{zone("a"), zone("b")}},
		{name: "no topology", volumes: [][]map[string]string{{}}},
		{name: "segments in the profile", volumes: [][]map[string]string{{zone("a")}}, given: []map[string]string{zone("c")}},
	} {
		onFakeTime(t, c.name, func(t *testing.T) {
			driver := &answers{made: map[string]int{}, calls: map[string]func(int) (proto.Message, error){
				"CreateVolume": func(earlier int) (proto.Message, error) {
					if earlier >= len(c.volumes) {
						return nil, status.Error(codes.ResourceExhausted, "the quota is used up")
					}
					volume := &csi.Volume{VolumeId: string(rune('v' + earlier))}
					for _, segment := range c.volumes[earlier] {
						volume.AccessibleTopology = append(volume.AccessibleTopology, &csi.Topology{Segments: segment})
					}
					return &csi.CreateVolumeResponse{Volume: volume}, nil
				},
				"DeleteVolume": func(int) (proto.Message, error) { return &csi.DeleteVolumeResponse{}, nil },
			}}
			target := &Target{
				Controller: driver, Profile: profile.Profile{VolumeBytes: 1, Segments: c.given},
				Timeouts: profile.Timeouts{Provision: time.Minute, Query: time.Minute, Cleanup: time.Minute},
			}

			got := learn(t.Context(), target, &health.Health{}, &claims{
				plugin:     map[csi.PluginCapability_Service_Type]bool{csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS: true},
				controller: map[csi.ControllerServiceCapability_RPC_Type]bool{csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME: true},
			})

			if got.String() != c.want.String() {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if created := min(driver.made["CreateVolume"], len(c.volumes)); driver.made["DeleteVolume"] != created {
				t.Errorf("%d volumes were created, and %d deleted", created, driver.made["DeleteVolume"])
			}
		})
	}
}
