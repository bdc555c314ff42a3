// SPDX-License-Identifier: Apache-2.0

package sanity

import (
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

func TestName(t *testing.T) {
	longest := strings.Repeat("x", longestString)
	first := amender{target: &harness.Target{Run: "abcdefgh"}, number: 1}
	second := amender{target: first.target, number: 2}
	for _, c := range []struct {
		name  string
		given string
		want  string
	}{
		{"none", "", ""},
		{"short", "Sanity", "csi-topo-abcdefgh-1-sanity"},
		{"long", strings.Repeat("y", 70), "csi-topo-abcdefgh-1-" + strings.Repeat("y", 34) + "-ad26de2d"},
		{"of the greatest length", longest, "csi-topo-abcdefgh-1-" + longest[:108]},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := first.name(c.given)
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if c.given != "" && second.name(c.given) == got {
				t.Errorf("two runs have the name %q", got)
			}
		})
	}
}

func TestCopiesAreAsLargeAsTheirSources(t *testing.T) {
	a := amender{target: &harness.Target{}, sizes: map[string]int64{}, contexts: map[string]map[string]string{}}
	a.learn(&csi.CreateVolumeRequest{}, &csi.CreateVolumeResponse{Volume: &csi.Volume{VolumeId: "v", CapacityBytes: 3}})
	a.learn(&csi.CreateSnapshotRequest{SourceVolumeId: "v"}, &csi.CreateSnapshotResponse{Snapshot: &csi.Snapshot{SnapshotId: "s"}})
	for _, source := range []*csi.VolumeContentSource{
		{Type: &csi.VolumeContentSource_Snapshot{Snapshot: &csi.VolumeContentSource_SnapshotSource{SnapshotId: "s"}}},
		{Type: &csi.VolumeContentSource_Volume{Volume: &csi.VolumeContentSource_VolumeSource{VolumeId: "v"}}},
	} {
		sent := a.amended(&csi.CreateVolumeRequest{CapacityRange: &csi.CapacityRange{RequiredBytes: 1}, VolumeContentSource: source})
		if got := sent.(*csi.CreateVolumeRequest).GetCapacityRange().GetRequiredBytes(); got != 3 {
			t.Errorf("a copy of %v is asked for with %d bytes, want the source's 3", source, got)
		}
	}
}

func TestTheAccessModeIsTheProfiles(t *testing.T) {
	const shared = csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER
	a := amender{target: &harness.Target{Profile: profile.Profile{Volumes: []profile.Kind{{AccessMode: profile.AccessMode(shared)}}}}}
	for given, want := range map[csi.VolumeCapability_AccessMode_Mode]csi.VolumeCapability_AccessMode_Mode{
		csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER:        shared,
		csi.VolumeCapability_AccessMode_SINGLE_NODE_SINGLE_WRITER: csi.VolumeCapability_AccessMode_SINGLE_NODE_SINGLE_WRITER, // the subject of a case
		csi.VolumeCapability_AccessMode_UNKNOWN:                   csi.VolumeCapability_AccessMode_UNKNOWN,
	} {
		capability := &csi.VolumeCapability{AccessMode: &csi.VolumeCapability_AccessMode{Mode: given}}
		published := a.amended(&csi.NodePublishVolumeRequest{VolumeCapability: capability}).(*csi.NodePublishVolumeRequest)
		created := a.amended(&csi.CreateVolumeRequest{VolumeCapabilities: []*csi.VolumeCapability{capability}}).(*csi.CreateVolumeRequest)
		for call, got := range map[string]*csi.VolumeCapability{"NodePublishVolume": published.GetVolumeCapability(), "CreateVolume": created.GetVolumeCapabilities()[0]} {
			if got.GetAccessMode().GetMode() != want {
				t.Errorf("%s with %s is sent with %s, want %s", call, given, got.GetAccessMode().GetMode(), want)
			}
		}
	}
}

func TestCallsHaveTheContextOfTheirVolume(t *testing.T) {
	a := amender{target: &harness.Target{}, sizes: map[string]int64{}, contexts: map[string]map[string]string{}}
	a.learn(&csi.CreateVolumeRequest{}, &csi.CreateVolumeResponse{Volume: &csi.Volume{VolumeId: "v", VolumeContext: map[string]string{"pool": "fast"}}})
	validated := a.amended(&csi.ValidateVolumeCapabilitiesRequest{VolumeId: "v"}).(*csi.ValidateVolumeCapabilitiesRequest)
	attached := a.amended(&csi.ControllerPublishVolumeRequest{VolumeId: "v"}).(*csi.ControllerPublishVolumeRequest)
	other := a.amended(&csi.NodeStageVolumeRequest{VolumeId: "other"}).(*csi.NodeStageVolumeRequest)
	if validated.GetVolumeContext()["pool"] != "fast" || attached.GetVolumeContext()["pool"] != "fast" || len(other.GetVolumeContext()) > 0 {
		t.Errorf("got %v, %v and %v, want the volume_context of volume v in the calls about it", validated.GetVolumeContext(), attached.GetVolumeContext(), other.GetVolumeContext())
	}
}
