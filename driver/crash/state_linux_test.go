// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// state is the whole state of a driver: its responses, its files, and its mounts and loop devices.
type state struct {
	volumes   []*csi.ListVolumesResponse_Entry
	snapshots []*csi.Snapshot
	groups    []*csi.VolumeGroupSnapshot
	// available is what GetCapacity reports, by zone.
	available map[string]int64
	files     []file
	// mounts holds the mounts below the paths of the node, and usages the node's records.
	mounts, usages []located
	// others holds lines to print: the content at these paths, and the loop devices.
	others []string
}

// located is a mount or record at a path, with a line to print.
type located struct{ path, line string }

// observe reads the state of the driver, the disk and the kernel.
func observe(ctx context.Context, t *testing.T, d *driver) state {
	t.Helper()
	var s state
	volumes, err := d.controller.ListVolumes(ctx, &csi.ListVolumesRequest{})
	must(t, err)
	s.volumes = volumes.GetEntries()
	for _, listed := range s.volumes {
		got, err := d.controller.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: listed.GetVolume().GetVolumeId()})
		if err != nil || !proto.Equal(got.GetVolume(), listed.GetVolume()) || !slices.Equal(got.GetStatus().GetPublishedNodeIds(), listed.GetStatus().GetPublishedNodeIds()) {
			t.Errorf("ControllerGetVolume answers %v (%v), and ListVolumes %v", got, err, listed)
		}
	}
	snapshots, err := d.controller.ListSnapshots(ctx, &csi.ListSnapshotsRequest{})
	must(t, err)
	for _, entry := range snapshots.GetEntries() {
		s.snapshots = append(s.snapshots, entry.GetSnapshot())
	}
	s.groups = groupsOf(ctx, t, d, s.snapshots)
	s.available = map[string]int64{}
	for _, zone := range zones() {
		s.available[zone] = available(ctx, t, d, zone)
	}
	s.files, err = filesOf(d.at)
	must(t, err)
	s.mounts, err = mountsOf(d.at)
	must(t, err)
	s.usages, err = usagesOf(d.at)
	must(t, err)
	paths, err := pathLines(d.at)
	must(t, err)
	loops, err := loopLines(d.at)
	must(t, err)
	s.others = slices.Concat(paths, loops)
	return s
}

// groupsOf requests the groups of the snapshots, with all of their ids, as a group with a missing or another snapshot is
// answered with an error.
func groupsOf(ctx context.Context, t *testing.T, d *driver, snapshots []*csi.Snapshot) []*csi.VolumeGroupSnapshot {
	t.Helper()
	members := map[string][]string{}
	for _, snapshot := range snapshots {
		if group := snapshot.GetGroupSnapshotId(); group != "" {
			members[group] = append(members[group], snapshot.GetSnapshotId())
		}
	}
	var groups []*csi.VolumeGroupSnapshot
	for group, ids := range members {
		got, err := d.groups.GetVolumeGroupSnapshot(ctx, &csi.GetVolumeGroupSnapshotRequest{GroupSnapshotId: group, SnapshotIds: ids})
		must(t, err)
		groups = append(groups, got.GetGroupSnapshot())
	}
	return groups
}

func available(ctx context.Context, t *testing.T, d *driver, zone string) int64 {
	t.Helper()
	answer, err := d.controller.GetCapacity(ctx, &csi.GetCapacityRequest{AccessibleTopology: &csi.Topology{Segments: segmentOf(zone)}})
	must(t, err)
	return answer.GetAvailableCapacity()
}

// lines returns the state as text, in any order.
func (s state) lines() []string {
	var lines []string
	for _, v := range s.volumes {
		lines = append(lines, "volume "+text(v))
	}
	for _, snapshot := range s.snapshots {
		lines = append(lines, "snapshot "+text(snapshot))
	}
	for _, group := range s.groups {
		lines = append(lines, "group "+text(group))
	}
	for zone, bytes := range s.available {
		lines = append(lines, fmt.Sprintf("zone %s has %d bytes", zone, bytes))
	}
	for _, f := range s.files {
		lines = append(lines, f.String())
	}
	for _, l := range slices.Concat(s.mounts, s.usages) {
		lines = append(lines, l.line)
	}
	return append(lines, s.others...)
}

// text returns a message as one line that is the same every time, which protojson does not guarantee.
func text(m proto.Message) string {
	encoded, err := protojson.Marshal(m)
	if err != nil {
		return err.Error()
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, encoded); err != nil {
		return err.Error()
	}
	return strings.TrimSpace(compact.String())
}
