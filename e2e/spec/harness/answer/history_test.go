// SPDX-License-Identifier: Apache-2.0

package answer

import (
	"slices"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"
)

func TestChanges(t *testing.T) {
	begin := time.Now()
	volume := func(name, context string) (request, answer proto.Message) {
		v := &csi.Volume{VolumeId: "v"}
		if context != "" {
			v.VolumeContext = map[string]string{"pool": context}
		}
		return &csi.CreateVolumeRequest{Name: name}, &csi.CreateVolumeResponse{Volume: v}
	}
	snapshot := func(name, source string, bytes int64, ready bool, at time.Time) (request, answer proto.Message) {
		return &csi.CreateSnapshotRequest{Name: name, SourceVolumeId: source}, &csi.CreateSnapshotResponse{Snapshot: &csi.Snapshot{
			SnapshotId: "s", SourceVolumeId: source, SizeBytes: bytes, ReadyToUse: ready, CreationTime: timestamppb.New(at),
		}}
	}
	info := func(version string) (request, answer proto.Message) {
		return &csi.GetPluginInfoRequest{}, &csi.GetPluginInfoResponse{Name: "p", VendorVersion: version}
	}
	claims := func(services ...csi.PluginCapability_Service_Type) (request, answer proto.Message) {
		response := &csi.GetPluginCapabilitiesResponse{}
		for _, service := range services {
			response.Capabilities = append(response.Capabilities, &csi.PluginCapability{Type: &csi.PluginCapability_Service_{Service: &csi.PluginCapability_Service{Type: service}}})
		}
		return &csi.GetPluginCapabilitiesRequest{}, response
	}
	const (
		controller = csi.PluginCapability_Service_CONTROLLER_SERVICE
		topology   = csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS
	)
	for _, c := range []struct {
		name string
		// given are calls: each is asked and then judged.
		given func(call func(request, answer proto.Message))
		want  []string
	}{
		{"a volume that stays as it is", func(call func(_, _ proto.Message)) {
			call(volume("n", "a"))
			call(volume("n", "a"))
			call(volume("n", ""))
		}, nil},
		{"another volume_context", func(call func(_, _ proto.Message)) {
			call(volume("n", "a"))
			_, other := volume("", "b")
			call(&csi.ListVolumesRequest{}, &csi.ListVolumesResponse{Entries: []*csi.ListVolumesResponse_Entry{{Volume: other.(*csi.CreateVolumeResponse).GetVolume()}}})
		}, []string{"VOL-12"}},
		{"one volume_id for two names", func(call func(_, _ proto.Message)) {
			call(volume("n", "a"))
			call(volume("m", "a"))
		}, []string{"VOL-04"}},
		{"a volume_id that is used again", func(call func(_, _ proto.Message)) {
			call(volume("n", "a"))
			call(&csi.DeleteVolumeRequest{VolumeId: "v"}, &csi.DeleteVolumeResponse{})
			call(volume("m", "b"))
		}, nil},
		{"a snapshot whose size is told with its data", func(call func(_, _ proto.Message)) {
			call(snapshot("n", "v", 1, false, begin))
			call(snapshot("n", "v", 2, true, begin))
		}, nil},
		{"a snapshot of another size", func(call func(_, _ proto.Message)) {
			call(snapshot("n", "v", 1, true, begin))
			call(snapshot("n", "v", 2, true, begin))
		}, []string{"CS-03"}},
		{"a snapshot of another time", func(call func(_, _ proto.Message)) {
			call(snapshot("n", "v", 1, true, begin))
			call(snapshot("n", "v", 1, true, begin.Add(time.Minute)))
		}, []string{"CS-03"}},
		{"the same claims in another order", func(call func(_, _ proto.Message)) {
			call(claims(controller, topology))
			call(info("1"))
			call(claims(topology, controller))
		}, nil},
		{"other claims", func(call func(_, _ proto.Message)) {
			call(claims(controller, topology))
			call(info("1"))
			call(claims(controller))
		}, []string{"PC-01"}},
		{"other claims of another version", func(call func(_, _ proto.Message)) {
			call(info("1"))
			call(claims(controller))
			call(info("2"))
			call(claims(controller, topology))
		}, nil},
		{"no version", func(call func(_, _ proto.Message)) {
			call(info(""))
		}, []string{"GI-02"}},
		{"one snapshot_id for two names", func(call func(_, _ proto.Message)) {
			call(snapshot("n", "v", 1, true, begin))
			call(snapshot("m", "w", 1, true, begin))
		}, []string{"SN-06"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := &Judge{}
			var got []string
			c.given(func(request, answer proto.Message) {
				j.Asked(request)
				for _, flaw := range j.Flaws("the controller", request, answer) {
					got = append(got, flaw.Clause)
				}
			})
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestElsewhere(t *testing.T) {
	topologies := func(segments ...map[string]string) (list []*csi.Topology) {
		for _, s := range segments {
			list = append(list, &csi.Topology{Segments: s})
		}
		return list
	}
	z2 := map[string]string{"region": "R1", "zone": "Z2"}
	for _, c := range []struct {
		name            string
		asked, answered map[string]string
		want            int
	}{
		{"the same zone", z2, z2, 0},
		{"another zone", z2, map[string]string{"region": "R1", "zone": "Z3"}, 1},
		{"the region", z2, map[string]string{"region": "R1"}, 0},
		{"another region", z2, map[string]string{"region": "R2"}, 1},
		{"keys in another case", z2, map[string]string{"Region": "R1", "Zone": "Z2"}, 0},
		{"other keys", z2, map[string]string{"rack": "K1"}, 0},
		{"everywhere", z2, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := &csi.Volume{VolumeId: "v"}
			if c.answered != nil {
				v.AccessibleTopology = topologies(c.answered)
			}
			asked := &csi.CreateVolumeRequest{Name: "n", AccessibilityRequirements: &csi.TopologyRequirement{Requisite: topologies(c.asked)}}
			j := &Judge{}
			if got := j.Flaws("the controller", asked, &csi.CreateVolumeResponse{Volume: v}); len(got) > 0 {
				t.Errorf("got %v of a driver that claims no topology", got)
			}
			j.Flaws("the controller", &csi.GetPluginCapabilitiesRequest{}, &csi.GetPluginCapabilitiesResponse{Capabilities: []*csi.PluginCapability{{Type: &csi.PluginCapability_Service_{
				Service: &csi.PluginCapability_Service{Type: csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS},
			}}}})
			if got := j.Flaws("the controller", asked, &csi.CreateVolumeResponse{Volume: v}); len(got) != c.want {
				t.Errorf("got %v, want %d", got, c.want)
			}
		})
	}
}
