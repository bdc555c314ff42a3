// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/google/uuid"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/driver/volume"
)

func snapshotRequest(name string, v *csi.Volume) *csi.CreateSnapshotRequest {
	return &csi.CreateSnapshotRequest{Name: name, SourceVolumeId: v.GetVolumeId()}
}

// snapshot takes a snapshot, which must succeed.
func (c *testController) snapshot(r *csi.CreateSnapshotRequest) *csi.Snapshot {
	c.t.Helper()
	response, err := c.CreateSnapshot(c.t.Context(), r)
	if err != nil {
		c.t.Fatalf("taking %s: %v", r.GetName(), err)
	}
	return response.GetSnapshot()
}

// snapshotsOnDisk returns the number of snapshots on disk.
func (c *testController) snapshotsOnDisk() int { return len(c.memory.SnapshotIDs()) }

func TestCreateSnapshot(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*csi.CreateSnapshotRequest)
		zones  string
	}{
		{"of all of the volume's zones", func(*csi.CreateSnapshotRequest) {}, "Z2 Z3"},
		{"with the snapshotter's own parameters", func(r *csi.CreateSnapshotRequest) {
			r.Parameters = map[string]string{"csi.storage.k8s.io/volumesnapshot/name": "data"}
		}, "Z2 Z3"},
		{"of one of two, by room", func(r *csi.CreateSnapshotRequest) { r.Parameters = map[string]string{"zones": "1"} }, "Z3"},
		{"of one of two, by preference", func(r *csi.CreateSnapshotRequest) {
			r.Parameters = map[string]string{"zones": "1"}
			r.AccessibilityRequirements = &csi.TopologyRequirement{Preferred: topologies("Z2", "Z3")}
		}, "Z2"},
		{"where it must be", func(r *csi.CreateSnapshotRequest) {
			r.Parameters = map[string]string{"zones": "1"}
			r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: topologies("Z2")}
		}, "Z2"},
		{"where it must be, and in reach", func(r *csi.CreateSnapshotRequest) {
			r.Parameters = map[string]string{"zones": "1"}
			r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: topologies("Z5", "Z2", "Z4"), Preferred: topologies("Z4")}
		}, "Z2"},
		{"where it must be, and elsewhere", func(r *csi.CreateSnapshotRequest) {
			r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: topologies("Z3")}
		}, "Z3 Z2"},
		{"of more than are in reach to choose from", func(r *csi.CreateSnapshotRequest) {
			r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: topologies("Z2", "Z3", "Z4", "Z5")}
		}, "Z3 Z2"},
		{"by the longest name", func(r *csi.CreateSnapshotRequest) { r.Name = strings.Repeat("n", 128) }, "Z2 Z3"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newTestController(t)
			c.create(sized(request("less room in Z2", "Z2"), mib))
			v := c.create(with(request("volume", "Z2", "Z3"), "zones", "2"))
			r := snapshotRequest("snapshot", v)
			test.change(r)
			start := time.Now()
			s := c.snapshot(r)
			if got := strings.Fields(zonesOf(s)); !sameSet(got, strings.Fields(test.zones)) {
				t.Errorf("got a snapshot in %v, want %s", got, test.zones)
			}
			for _, topology := range s.GetAccessibleTopology() {
				if len(topology.GetSegments()) != 2 {
					t.Errorf("usable from %v, want region and zone", topology)
				}
			}
			taken := s.GetCreationTime().AsTime()
			if s.GetSourceVolumeId() != v.GetVolumeId() || s.GetSizeBytes() != 10*mib || !s.GetReadyToUse() || taken.Before(start) || taken.After(time.Now()) {
				t.Errorf("got %v, want 10 MiB of volume %s, ready and taken now", s, v.GetVolumeId())
			}
			if kind, _ := volume.KindOf(s.GetSnapshotId()); kind != volume.Image || s.GetSnapshotId() == v.GetVolumeId() {
				t.Errorf("got id %s, want one of its own of kind image", s.GetSnapshotId())
			}
			want := map[string]int64{"Z2": 11 * mib, "Z3": 10 * mib}
			for _, name := range strings.Fields(test.zones) {
				want[name] += 10 * mib
			}
			c.expectTaken(want)
			if got := c.memory.SnapshotIDs(); len(got) != 1 || got[0] != s.GetSnapshotId() {
				t.Errorf("on disk are %v, want %s", got, s.GetSnapshotId())
			}

			if again := c.snapshot(r); !proto.Equal(again, s) {
				t.Errorf("asked again, got %v, want %v", again, s)
			}
			c.expectTaken(want)
			got, err := c.GetSnapshot(t.Context(), &csi.GetSnapshotRequest{SnapshotId: s.GetSnapshotId()})
			if err != nil || !proto.Equal(got.GetSnapshot(), s) {
				t.Errorf("GetSnapshot: got %v and %v, want %v", got, err, s)
			}
		})
	}
}

func sameSet(a, b []string) bool {
	counts := map[string]int{}
	for _, name := range a {
		counts[name]++
	}
	for _, name := range b {
		counts[name]--
	}
	for _, count := range counts {
		if count != 0 {
			return false
		}
	}
	return true
}

func TestCreateSnapshotRefuses(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*csi.CreateSnapshotRequest)
		code   codes.Code
		want   string
	}{
		{"no name", func(r *csi.CreateSnapshotRequest) { r.Name = "" }, codes.InvalidArgument, "name is required"},
		{"a name too long", func(r *csi.CreateSnapshotRequest) { r.Name = strings.Repeat("n", 129) }, codes.InvalidArgument, "129 bytes"},
		{"a name with an escape", func(r *csi.CreateSnapshotRequest) { r.Name = "a\x1b" }, codes.InvalidArgument, "control characters"},
		{"no volume", func(r *csi.CreateSnapshotRequest) { r.SourceVolumeId = "" }, codes.InvalidArgument, "source_volume_id is required"},
		{"a volume id too long", func(r *csi.CreateSnapshotRequest) { r.SourceVolumeId = strings.Repeat("v", 129) }, codes.InvalidArgument, "source_volume_id has 129 bytes"},
		{"an unknown volume", func(r *csi.CreateSnapshotRequest) { r.SourceVolumeId = "image-" + uuid.NewString() }, codes.NotFound, "there is no volume"},
		{"what is no volume", func(r *csi.CreateSnapshotRequest) { r.SourceVolumeId = "../x" }, codes.NotFound, "there is no volume"},
		{"an unknown parameter", func(r *csi.CreateSnapshotRequest) { r.Parameters = map[string]string{"class": "fast"} }, codes.InvalidArgument, `parameter "class" of a snapshot is unknown`},
		{"zero zones", func(r *csi.CreateSnapshotRequest) { r.Parameters = map[string]string{"zones": "0"} }, codes.InvalidArgument, `"zones" must be a whole number`},
		{"an empty requirement", func(r *csi.CreateSnapshotRequest) { r.AccessibilityRequirements = &csi.TopologyRequirement{} }, codes.InvalidArgument, "neither requisite nor preferred"},
		{"an unknown zone", func(r *csi.CreateSnapshotRequest) {
			r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: topologies("Z9")}
		}, codes.InvalidArgument, "no node is in"},
		{"where the volume is not", func(r *csi.CreateSnapshotRequest) {
			r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: topologies("Z4")}
			r.Parameters = map[string]string{"zones": "1"}
		}, codes.ResourceExhausted, "zone=Z4} is out of reach"},
		{"also where the volume is not", func(r *csi.CreateSnapshotRequest) {
			r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: topologies("Z2", "Z4")}
		}, codes.ResourceExhausted, "zone=Z4} is out of reach"},
		{"more zones than the volume has", func(r *csi.CreateSnapshotRequest) { r.Parameters = map[string]string{"zones": "3"} }, codes.ResourceExhausted, `": 3 of the allowed segments with 10485760 bytes free each are needed, and there are not as many: {`},
		{"where there is no room", func(*csi.CreateSnapshotRequest) {}, codes.ResourceExhausted, `finding room for snapshot "snapshot" of volume "image-`},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newTestController(t)
			v := c.create(with(request("volume", "Z2", "Z3"), "zones", "2"))
			c.create(sized(request("filler", "Z3"), segmentBytes-20*mib+1))
			r := snapshotRequest("snapshot", v)
			test.change(r)
			_, err := c.CreateSnapshot(t.Context(), r)
			expectRefused(t, err, test.code, test.want)
			c.expectTaken(map[string]int64{"Z2": 10 * mib, "Z3": segmentBytes - 10*mib + 1})
			if got := c.snapshotsOnDisk(); got != 0 {
				t.Errorf("%d snapshots are on disk, want none", got)
			}
			// The name is free, and can be used where there is room.
			elsewhere := snapshotRequest("snapshot", v)
			elsewhere.Parameters = map[string]string{"zones": "1"}
			if s := c.snapshot(elsewhere); zonesOf(s) != "Z2" {
				t.Errorf("got a snapshot in %s, want Z2", zonesOf(s))
			}
		})
	}
}

func TestCreateSnapshotThatExists(t *testing.T) {
	for _, test := range []struct {
		name    string
		prepare func(*testController, *csi.Volume)
		change  func(*csi.CreateSnapshotRequest)
		want    string // "" means the same snapshot
	}{
		{"the number of zones that it has", nil, func(r *csi.CreateSnapshotRequest) { r.Parameters = map[string]string{"zones": "2"} }, ""},
		{"another number of zones", nil, func(r *csi.CreateSnapshotRequest) { r.Parameters = map[string]string{"zones": "1"} }, `usable from 2 segment(s), and parameter "zones" asks for 1`},
		{"a requirement that it meets", nil, func(r *csi.CreateSnapshotRequest) {
			r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: topologies("Z2", "Z3", "Z4"), Preferred: topologies("Z4")}
		}, ""},
		{"a requirement that it does not meet", nil, func(r *csi.CreateSnapshotRequest) {
			r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: topologies("Z4")}
		}, "does not satisfy accessibility_requirements"},
		{"a requirement that it meets in part", nil, func(r *csi.CreateSnapshotRequest) {
			r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: topologies("Z2", "Z4")}
		}, "does not satisfy accessibility_requirements"},
		{"of another volume", nil, func(r *csi.CreateSnapshotRequest) { r.SourceVolumeId = "dir-" + uuid.NewString() }, `not of "dir-`},
		{"of a volume that has gone", func(c *testController, v *csi.Volume) { c.delete(v) }, nil, ""},
		{"of a volume that was published since", func(c *testController, v *csi.Volume) { c.publish(v, "n2") }, nil, ""},
		{"of a volume that has grown since", func(c *testController, v *csi.Volume) {
			if _, err := c.ControllerExpandVolume(c.t.Context(), expandRequest(v, 20*mib)); err != nil {
				c.t.Fatal(err)
			}
		}, nil, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newTestController(t)
			v := c.create(with(request("volume", "Z2", "Z3"), "zones", "2", "kind", "dir"))
			r := snapshotRequest("snapshot", v)
			existing := c.snapshot(r)
			if test.prepare != nil {
				test.prepare(c, v)
			}
			if test.change != nil {
				test.change(r)
			}
			before := c.available("")
			response, err := c.CreateSnapshot(t.Context(), r)
			if test.want != "" {
				expectRefused(t, err, codes.AlreadyExists, test.want)
			} else if err != nil || !proto.Equal(response.GetSnapshot(), existing) {
				t.Errorf("got %v and %v, want %v", response, err, existing)
			}
			if after := c.available(""); fmt.Sprint(after) != fmt.Sprint(before) || c.snapshotsOnDisk() != 1 {
				t.Errorf("available were %v and are %v, with %d snapshots on disk, want no change", before, after, c.snapshotsOnDisk())
			}
		})
	}
}

// TestCreateSnapshotTakesWhatTheVolumeHas checks that a snapshot takes its bytes from the class of its volume, and as
// many as the volume may occupy at the time.
func TestCreateSnapshotTakesWhatTheVolumeHas(t *testing.T) {
	c := newTestController(t)
	v := c.create(with(request("volume", "Z2"), "class", "fast"))
	c.watch = failing("Resize", true, errors.New("the disk is on fire"))
	if _, err := c.ControllerExpandVolume(t.Context(), expandRequest(v, 20*mib)); err == nil {
		t.Fatal("the expansion did not fail")
	}
	if s := c.snapshot(snapshotRequest("snapshot", v)); s.GetSizeBytes() != 20*mib {
		t.Errorf("got %d bytes, want the 20 MiB that the volume was growing to", s.GetSizeBytes())
	}
	c.expectTaken(nil)
	if got := c.available("fast")["Z2"]; got != fastBytes-40*mib {
		t.Errorf("Z2 has %d bytes of class fast, want 40 MiB taken", got)
	}
}

// TestCreateSnapshotOfAPublishedVolume checks that a published volume is copied at one
// moment or, if its kind cannot, refused until it is unpublished.
func TestCreateSnapshotOfAPublishedVolume(t *testing.T) {
	for kind, want := range map[volume.Kind]codes.Code{
		volume.Image: codes.OK, volume.InMemory: codes.OK, volume.Dir: codes.FailedPrecondition,
	} {
		t.Run(string(kind), func(t *testing.T) {
			c := newTestController(t)
			v := c.create(with(request("volume", "Z2"), "kind", string(kind)))
			c.publish(v, "n2")
			_, err := c.CreateSnapshot(t.Context(), snapshotRequest("snapshot", v))
			if want == codes.OK {
				if err != nil {
					t.Error(err)
				}
				return
			}
			expectRefused(t, err, want, `published on node "n2": unpublish it first`)
			c.expectTaken(map[string]int64{"Z2": 10 * mib})
		})
	}
}

func TestCreateSnapshotThatFailsOnDisk(t *testing.T) {
	for _, test := range []struct {
		name string
		err  error
		code codes.Code
	}{
		{"for want of space", fmt.Errorf("copying: %w", syscall.ENOSPC), codes.ResourceExhausted},
		{"because the volume is in use", fmt.Errorf("copying: %w", volume.ErrRefused), codes.FailedPrecondition},
		{"because the volume was lost", fmt.Errorf("copying: %w", volume.ErrNotFound), codes.NotFound},
		{"for another reason", errors.New("the disk is on fire"), codes.Internal},
		{"because the caller has gone", fmt.Errorf("copying: %w", context.Canceled), codes.Canceled},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newTestController(t)
			v := c.create(request("volume", "Z2"))
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			c.watch = func(step string, taken bool) error {
				if step != "CreateSnapshot" || !taken {
					return nil
				}
				if errors.Is(test.err, context.Canceled) {
					leave()
				}
				return test.err
			}
			_, err := c.CreateSnapshot(ctx, snapshotRequest("snapshot", v))
			expectRefused(t, err, test.code, test.err.Error())
			c.expectTaken(map[string]int64{"Z2": 10 * mib})
			if got := c.snapshotsOnDisk(); got != 0 {
				t.Errorf("%d snapshots are on disk, want none", got)
			}
		})
	}
}

// TestCreateSnapshotThatCannotBeUndone checks that the remains of a failed call still take room, but are not a snapshot;
// the next call for the name takes a new one, even of another volume.
func TestCreateSnapshotThatCannotBeUndone(t *testing.T) {
	c := newTestController(t)
	v, other := c.create(request("volume", "Z2")), c.create(request("other", "Z3"))
	c.watch = func(step string, taken bool) error {
		switch {
		case step == "CreateSnapshot" && taken:
			return fmt.Errorf("copying: %w", syscall.ENOSPC)
		case step == "DeleteSnapshot":
			return errors.New("the disk is on fire")
		}
		return nil
	}
	_, err := c.CreateSnapshot(t.Context(), snapshotRequest("snapshot", v))
	expectRefused(t, err, codes.Internal, "no space left on device; undoing it: ")
	c.expectTaken(map[string]int64{"Z2": 20 * mib, "Z3": 10 * mib})
	left := c.memory.SnapshotIDs()[0]
	if _, err := c.DeleteSnapshot(t.Context(), &csi.DeleteSnapshotRequest{SnapshotId: left}); err != nil {
		t.Errorf("a snapshot that was never acknowledged is not unknown: %v", err)
	}
	_, err = c.GetSnapshot(t.Context(), &csi.GetSnapshotRequest{SnapshotId: left})
	expectRefused(t, err, codes.NotFound, "there is no snapshot")
	restore := request("volume from it")
	restore.VolumeContentSource = fromSnapshot(left)
	_, err = c.CreateVolume(t.Context(), restore)
	expectRefused(t, err, codes.NotFound, "there is no snapshot")
	for _, r := range []*csi.ListSnapshotsRequest{{}, {SnapshotId: left}, {SourceVolumeId: v.GetVolumeId()}} {
		if list, err := c.ListSnapshots(t.Context(), r); err != nil || len(list.GetEntries()) != 0 {
			t.Errorf("a snapshot that was never acknowledged is listed: %v, %v", list, err)
		}
	}

	c.watch = nil
	s := c.snapshot(snapshotRequest("snapshot", other))
	c.expectTaken(map[string]int64{"Z2": 10 * mib, "Z3": 20 * mib})
	if got := c.memory.SnapshotIDs(); len(got) != 1 || got[0] != s.GetSnapshotId() {
		t.Errorf("on disk are %v, want %s", got, s.GetSnapshotId())
	}
}
