// SPDX-License-Identifier: Apache-2.0

package service

import (
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
)

func TestNodeExpandVolumeRange(t *testing.T) {
	for _, test := range []struct {
		name  string
		given *csi.CapacityRange
		want  codes.Code
	}{
		{name: "no range", want: codes.OK},
		{name: "what it has", given: &csi.CapacityRange{RequiredBytes: testVolumeBytes}, want: codes.OK},
		{name: "exactly what it has", given: &csi.CapacityRange{RequiredBytes: testVolumeBytes, LimitBytes: testVolumeBytes}, want: codes.OK},
		{name: "less than it has", given: &csi.CapacityRange{RequiredBytes: testVolumeBytes / 2}, want: codes.OK},
		{name: "at most what it has", given: &csi.CapacityRange{LimitBytes: testVolumeBytes}, want: codes.OK},
		{name: "more than the controller gave it", given: &csi.CapacityRange{RequiredBytes: testVolumeBytes + 1}, want: codes.OutOfRange},
		{name: "at most less than it has", given: &csi.CapacityRange{LimitBytes: testVolumeBytes - 1}, want: codes.OutOfRange},
		{name: "required above limit", given: &csi.CapacityRange{RequiredBytes: testVolumeBytes, LimitBytes: testVolumeBytes - 1}, want: codes.InvalidArgument},
		{name: "neither", given: &csi.CapacityRange{}, want: codes.InvalidArgument},
		{name: "negative", given: &csi.CapacityRange{RequiredBytes: -1}, want: codes.InvalidArgument},
	} {
		for _, as := range []*csi.VolumeCapability{mounted(modeWriter), raw(modeWriter)} {
			t.Run(test.name+" "+accessType(as.GetBlock() != nil), func(t *testing.T) {
				node := newTestNode(t)
				node.done(node.stage(as))
				response, err := node.NodeExpandVolume(t.Context(), &csi.NodeExpandVolumeRequest{VolumeId: node.id, VolumePath: node.staging, CapacityRange: test.given, VolumeCapability: as})
				wantCode(t, err, test.want)
				if test.want == codes.OK && response.GetCapacityBytes() != testVolumeBytes {
					t.Errorf("answered %d bytes, want %d", response.GetCapacityBytes(), testVolumeBytes)
				}
			})
		}
	}
}

// TestNodeExpandVolumeAsItIs checks expansions with an access type other than the one that the volume is published with
// (NE-25), and without one.
func TestNodeExpandVolumeAsItIs(t *testing.T) {
	for _, test := range []struct {
		name          string
		staged, given *csi.VolumeCapability
		want          codes.Code
	}{
		{"mounted as mounted", mounted(modeWriter), mounted(modeWriter), codes.OK},
		{"mounted as raw", mounted(modeWriter), raw(modeWriter), codes.InvalidArgument},
		{"raw as mounted", raw(modeWriter), mounted(modeWriter), codes.InvalidArgument},
		{"raw as raw", raw(modeWriter), raw(modeWriter), codes.OK},
		{"raw as it is", raw(modeWriter), nil, codes.OK},
	} {
		t.Run(test.name, func(t *testing.T) {
			node := newTestNode(t)
			node.done(node.stage(test.staged))
			node.done(node.publish("a", test.staged))
			for _, path := range []string{node.staging, node.target("a")} {
				_, err := node.NodeExpandVolume(t.Context(), &csi.NodeExpandVolumeRequest{
					VolumeId: node.id, VolumePath: path, StagingTargetPath: node.staging, VolumeCapability: test.given,
				})
				wantCode(t, err, test.want)
			}
			_, err := node.NodeExpandVolume(t.Context(), &csi.NodeExpandVolumeRequest{VolumeId: node.id, VolumePath: node.target("b"), VolumeCapability: test.given})
			wantCode(t, err, codes.NotFound)
		})
	}
}

func TestNodeGetVolumeStats(t *testing.T) {
	for _, test := range []struct {
		name  string
		given *csi.VolumeCapability
		want  []csi.VolumeUsage_Unit
	}{
		{"mounted", mounted(modeWriter), []csi.VolumeUsage_Unit{csi.VolumeUsage_BYTES, csi.VolumeUsage_INODES}},
		{"raw", raw(modeWriter), []csi.VolumeUsage_Unit{csi.VolumeUsage_BYTES}},
	} {
		t.Run(test.name, func(t *testing.T) {
			node := newTestNode(t)
			node.done(node.stage(test.given))
			stats, err := node.NodeGetVolumeStats(t.Context(), &csi.NodeGetVolumeStatsRequest{VolumeId: node.id, VolumePath: node.staging, StagingTargetPath: node.staging})
			node.done(err)
			if len(stats.GetUsage()) != len(test.want) {
				t.Fatalf("answered %v, want %v", stats, test.want)
			}
			for i, unit := range test.want {
				if stats.GetUsage()[i].GetUnit() != unit {
					t.Errorf("answered %v, want %v", stats, test.want)
				}
			}
			bytes := stats.GetUsage()[0]
			if bytes.GetTotal() != testVolumeBytes {
				t.Errorf("the total is %d, want %d", bytes.GetTotal(), testVolumeBytes)
			}
			if raw := test.given.GetBlock() != nil; raw && (bytes.GetAvailable() != 0 || bytes.GetUsed() != 0) || !raw && bytes.GetAvailable() != testVolumeBytes {
				t.Errorf("answered %v", bytes)
			}
		})
	}
}
