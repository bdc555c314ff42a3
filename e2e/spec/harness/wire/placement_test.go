// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestPlacementOfVolumes(t *testing.T) {
	zone := func(region, name string) model.Segment { return model.Segment{"region": region, "zone": name} }
	known := model.Set{zone("R1", "Z2"), zone("R1", "Z3"), zone("R2", "Z4")}
	created := func(id string, topologies ...map[string]string) Call {
		volume := &csi.Volume{VolumeId: id, CapacityBytes: 8}
		for _, segments := range topologies {
			volume.AccessibleTopology = append(volume.AccessibleTopology, &csi.Topology{Segments: segments})
		}
		return Call{Request: &csi.CreateVolumeRequest{Name: "volume-" + id}, Response: &csi.CreateVolumeResponse{Volume: volume}}
	}
	log := &Log{}
	for _, call := range []Call{
		created("1", zone("R1", "Z3")),
		created("1", zone("R1", "Z3")), // the same call again
		{Request: &csi.CreateVolumeRequest{Name: "refused"}, Response: &csi.CreateVolumeResponse{}, Err: status.Error(codes.Internal, "no")},
		created("2", map[string]string{"region": "R1"}),
		created("3", map[string]string{"zone": "Z9"}),
		created("4"),
	} {
		log.Add(call, known)
	}
	want := suite.Placement{Volumes: []suite.PlacedVolume{
		{Name: "volume-1", Bytes: 8, Segments: []string{zone("R1", "Z3").String()}},
		{Name: "volume-2", Bytes: 8, Segments: []string{zone("R1", "Z2").String(), zone("R1", "Z3").String()}},
		{Name: "volume-3", Bytes: 8, Segments: []string{model.Segment{"zone": "Z9"}.String()}},
		{Name: "volume-4", Bytes: 8},
	}}
	if diff := cmp.Diff(want, log.Placement()); diff != "" {
		t.Error(diff)
	}
}
