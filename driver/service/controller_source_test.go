// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/google/uuid"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/driver/volume"
)

func fromVolume(id string) *csi.VolumeContentSource {
	return &csi.VolumeContentSource{Type: &csi.VolumeContentSource_Volume{
		Volume: &csi.VolumeContentSource_VolumeSource{VolumeId: id},
	}}
}

func fromSnapshot(id string) *csi.VolumeContentSource {
	return &csi.VolumeContentSource{Type: &csi.VolumeContentSource_Snapshot{
		Snapshot: &csi.VolumeContentSource_SnapshotSource{SnapshotId: id},
	}}
}

// cloneOf requests a copy of the volume, of no particular size, anywhere.
func cloneOf(name string, v *csi.Volume) *csi.CreateVolumeRequest {
	r := request(name)
	r.CapacityRange, r.VolumeContentSource = nil, fromVolume(v.GetVolumeId())
	return r
}

// restoreOf requests a copy of the snapshot, of no particular size, anywhere.
func restoreOf(name string, s *csi.Snapshot) *csi.CreateVolumeRequest {
	r := request(name)
	r.CapacityRange, r.VolumeContentSource = nil, fromSnapshot(s.GetSnapshotId())
	return r
}

// copies returns the two ways to copy a volume: the volume itself, or a snapshot of it.
// Each returns the request to send.
func copies() map[string]func(*testController, *csi.Volume) *csi.CreateVolumeRequest {
	return map[string]func(*testController, *csi.Volume) *csi.CreateVolumeRequest{
		"clone": func(_ *testController, v *csi.Volume) *csi.CreateVolumeRequest { return cloneOf("copy", v) },
		"restore": func(c *testController, v *csi.Volume) *csi.CreateVolumeRequest {
			return restoreOf("copy", c.snapshot(snapshotRequest("snapshot", v)))
		},
	}
}

// originOf returns the origin that the request to the disk must have.
func originOf(source *csi.VolumeContentSource) volume.Origin {
	return volume.Origin{VolumeID: source.GetVolume().GetVolumeId(), SnapshotID: source.GetSnapshot().GetSnapshotId()}
}

// TestCreateVolumeFromASource checks that a copy has at least the size of its source,
// which is in Z2 and Z3, and is where the data of the source is.
func TestCreateVolumeFromASource(t *testing.T) {
	for way, copyOf := range copies() {
		for _, test := range []struct {
			name   string
			change func(*csi.CreateVolumeRequest)
			bytes  int64
			zones  string
			fast   int64 // taken of the class in the zones
		}{
			{"of no particular size", func(*csi.CreateVolumeRequest) {}, 30 * mib, "Z2", 0},
			{"of its size", func(r *csi.CreateVolumeRequest) {
				r.CapacityRange = &csi.CapacityRange{RequiredBytes: 30 * mib, LimitBytes: 30 * mib}
			}, 30 * mib, "Z2", 0},
			{"of a larger size", func(r *csi.CreateVolumeRequest) {
				r.CapacityRange = &csi.CapacityRange{RequiredBytes: 40 * mib, LimitBytes: 50 * mib}
			}, 40 * mib, "Z2", 0},
			{"of at least a smaller size", func(r *csi.CreateVolumeRequest) { r.CapacityRange = &csi.CapacityRange{RequiredBytes: mib} }, 30 * mib, "Z2", 0},
			{"of at most a larger size", func(r *csi.CreateVolumeRequest) { r.CapacityRange = &csi.CapacityRange{LimitBytes: 50 * mib} }, 30 * mib, "Z2", 0},
			{"where it must be", func(r *csi.CreateVolumeRequest) {
				r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: topologies("Z3")}
			}, 30 * mib, "Z3", 0},
			{"where it is preferred, and in reach", func(r *csi.CreateVolumeRequest) {
				r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: topologies("Z2", "Z3", "Z5"), Preferred: topologies("Z5", "Z3")}
			}, 30 * mib, "Z3", 0},
			{"wherever the source is", func(r *csi.CreateVolumeRequest) { with(r, "zones", "2") }, 30 * mib, "Z2 Z3", 0},
			{"of another class", func(r *csi.CreateVolumeRequest) { with(r, "class", "fast") }, 30 * mib, "Z2", 30 * mib},
		} {
			t.Run(way+" "+test.name, func(t *testing.T) {
				c := newTestController(t)
				source := c.create(with(sized(request("source", "Z2", "Z3"), 30*mib), "zones", "2"))
				r := copyOf(c, source)
				before := c.available("")
				test.change(r)
				v := c.create(r)
				if v.GetCapacityBytes() != test.bytes || zonesOf(v) != test.zones || !proto.Equal(v.GetContentSource(), r.GetVolumeContentSource()) {
					t.Errorf("got %v, want %d bytes in %s and %v", v, test.bytes, test.zones, r.GetVolumeContentSource())
				}
				if got, want := c.disk.origins[v.GetVolumeId()], originOf(r.GetVolumeContentSource()); got != want {
					t.Errorf("the disk was told to copy %+v, want %+v", got, want)
				}
				if got, want := c.disk.sizes[v.GetVolumeId()], (volume.Size{Bytes: test.bytes}); got != want {
					t.Errorf("the disk was asked for %+v, want %+v", got, want)
				}
				plain, fast := c.available(""), c.available("fast")
				for _, name := range strings.Fields(test.zones) {
					if taken, takenFast := before[name]-plain[name], fastBytes-fast[name]; taken != test.bytes-test.fast || takenFast != test.fast {
						t.Errorf("%s has %d bytes less, and %d of class fast, want %d and %d", name, taken, takenFast, test.bytes-test.fast, test.fast)
					}
				}
				if again := c.create(r); !proto.Equal(again, v) {
					t.Errorf("asked again, got %v, want %v", again, v)
				}
				c.expectListed(v)
			})
		}
	}
}

// expectListed checks that the lists contain the volume as CreateVolume returned it.
func (c *testController) expectListed(v *csi.Volume) {
	c.t.Helper()
	got, err := c.ControllerGetVolume(c.t.Context(), &csi.ControllerGetVolumeRequest{VolumeId: v.GetVolumeId()})
	if err != nil || !proto.Equal(got.GetVolume(), v) {
		c.t.Errorf("ControllerGetVolume: got %v and %v, want %v", got, err, v)
	}
	list, err := c.ListVolumes(c.t.Context(), &csi.ListVolumesRequest{})
	if err != nil {
		c.t.Fatal(err)
	}
	for _, entry := range list.GetEntries() {
		if proto.Equal(entry.GetVolume(), v) {
			return
		}
	}
	c.t.Errorf("ListVolumes: got %v, want %v among them", list, v)
}

func TestCreateVolumeFromASourceRefuses(t *testing.T) {
	for way, copyOf := range copies() {
		for _, test := range []struct {
			name   string
			change func(*csi.CreateVolumeRequest)
			code   codes.Code
			want   string
		}{
			{"smaller than it", func(r *csi.CreateVolumeRequest) { r.CapacityRange = &csi.CapacityRange{LimitBytes: 30*mib - 1} }, codes.OutOfRange, "the source has 31457280 bytes"},
			{"smaller than it, in a range", func(r *csi.CreateVolumeRequest) {
				r.CapacityRange = &csi.CapacityRange{RequiredBytes: mib, LimitBytes: 2 * mib}
			}, codes.OutOfRange, "the source has 31457280 bytes"},
			{"where its data is not", func(r *csi.CreateVolumeRequest) {
				r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: topologies("Z3")}
			}, codes.ResourceExhausted, "zone=Z3} is out of reach"},
			{"also where its data is not", func(r *csi.CreateVolumeRequest) { with(r, "zones", "2") }, codes.ResourceExhausted, "zone=Z5} is out of reach"},
			{"of another kind", func(r *csi.CreateVolumeRequest) { with(r, "kind", "memory") }, codes.InvalidArgument, `cannot be of kind "memory" (parameter "kind"): the source is of kind "image"`},
			{"where there is no room", func(r *csi.CreateVolumeRequest) { r.CapacityRange = &csi.CapacityRange{RequiredBytes: segmentBytes} }, codes.ResourceExhausted, "bytes free"},
			{"where the class has no room", func(r *csi.CreateVolumeRequest) {
				r.CapacityRange = &csi.CapacityRange{RequiredBytes: fastBytes + 1}
				with(r, "class", "fast")
			}, codes.ResourceExhausted, "zone=Z2} has 52428800 bytes free"},
			{"an unknown snapshot", func(r *csi.CreateVolumeRequest) { r.VolumeContentSource = fromSnapshot("image-" + uuid.NewString()) }, codes.NotFound, "there is no snapshot"},
			{"an unknown volume", func(r *csi.CreateVolumeRequest) { r.VolumeContentSource = fromVolume("image-" + uuid.NewString()) }, codes.NotFound, "there is no volume"},
			{"a volume as if it were a snapshot, and the other way round", func(r *csi.CreateVolumeRequest) {
				origin := originOf(r.GetVolumeContentSource())
				if origin.VolumeID != "" {
					r.VolumeContentSource = fromSnapshot(origin.VolumeID)
				} else {
					r.VolumeContentSource = fromVolume(origin.SnapshotID)
				}
			}, codes.NotFound, "there is no"},
			{"a snapshot without id", func(r *csi.CreateVolumeRequest) { r.VolumeContentSource = fromSnapshot("") }, codes.InvalidArgument, "volume_content_source.snapshot_id is required"},
			{"a volume without id", func(r *csi.CreateVolumeRequest) { r.VolumeContentSource = fromVolume("") }, codes.InvalidArgument, "volume_content_source.volume_id is required"},
			{"an id too long", func(r *csi.CreateVolumeRequest) { r.VolumeContentSource = fromVolume(strings.Repeat("v", 129)) }, codes.InvalidArgument, "volume_content_source.volume_id has 129 bytes"},
		} {
			t.Run(way+" "+test.name, func(t *testing.T) {
				c := newTestController(t)
				source := c.create(sized(request("source", "Z2"), 30*mib))
				r := copyOf(c, source)
				before := c.available("")
				test.change(r)
				_, err := c.CreateVolume(t.Context(), r)
				expectRefused(t, err, test.code, test.want)
				c.expectDisk(source.GetVolumeId())
				if after := c.available(""); fmt.Sprint(after) != fmt.Sprint(before) {
					t.Errorf("available were %v and are %v", before, after)
				}
			})
		}
	}
}

// TestCreateVolumeFromASourceThatExists checks that a repeated request for a copy returns the existing one, whatever
// happened to the source, and that another source is refused (CREATE-06).
func TestCreateVolumeFromASourceThatExists(t *testing.T) {
	for way, copyOf := range copies() {
		t.Run(way, func(t *testing.T) {
			c := newTestController(t)
			source := c.create(request("source", "Z2"))
			r := copyOf(c, source)
			v := c.create(r)
			other := request("other", "Z2")
			otherVolume := c.create(other)
			otherSnapshot := c.snapshot(snapshotRequest("other", source))
			for name, source := range map[string]*csi.VolumeContentSource{
				"nothing":          nil,
				"another volume":   fromVolume(otherVolume.GetVolumeId()),
				"another snapshot": fromSnapshot(otherSnapshot.GetSnapshotId()),
				"the copy itself":  fromVolume(v.GetVolumeId()),
			} {
				again := proto.CloneOf(r)
				again.VolumeContentSource = source
				_, err := c.CreateVolume(t.Context(), again)
				t.Run(name, func(t *testing.T) { expectRefused(t, err, codes.AlreadyExists, "began as a copy of") })
			}

			c.delete(source)
			for _, id := range c.memory.SnapshotIDs() {
				c.deleteSnapshot(&csi.Snapshot{SnapshotId: id})
			}
			if again := c.create(r); !proto.Equal(again, v) {
				t.Errorf("after the source has gone, got %v, want %v", again, v)
			}
			c.expectListed(v)
			late := proto.CloneOf(r)
			late.Name = "late"
			_, err := c.CreateVolume(t.Context(), late)
			expectRefused(t, err, codes.NotFound, "there is no")
		})
	}
}

// TestCreateVolumeFromAPublishedVolume checks that a published directory is not cloned, because it may change meanwhile;
// a snapshot of it can be copied.
func TestCreateVolumeFromAPublishedVolume(t *testing.T) {
	for _, kind := range []volume.Kind{volume.Image, volume.Dir, volume.InMemory} {
		t.Run(string(kind), func(t *testing.T) {
			c := newTestController(t)
			source := c.create(with(request("source", "Z2"), "kind", string(kind)))
			restore := with(restoreOf("restored", c.snapshot(snapshotRequest("snapshot", source))), "kind", string(kind))
			c.publish(source, "n2")
			clone := with(cloneOf("clone", source), "kind", string(kind))
			_, err := c.CreateVolume(t.Context(), clone)
			if kind == volume.Dir {
				expectRefused(t, err, codes.FailedPrecondition, `published on node "n2": unpublish it first`)
			} else if err != nil {
				t.Error(err)
			}
			c.create(restore)
			if _, err := c.ControllerUnpublishVolume(t.Context(), &csi.ControllerUnpublishVolumeRequest{VolumeId: source.GetVolumeId()}); err != nil {
				t.Fatal(err)
			}
			c.create(clone)
		})
	}
}

// TestCreateVolumeFromASourceThatWasGrowing checks that a source whose growth failed counts with its new size.
func TestCreateVolumeFromASourceThatWasGrowing(t *testing.T) {
	for way, copyOf := range copies() {
		t.Run(way, func(t *testing.T) {
			c := newTestController(t)
			source := c.create(request("source", "Z2"))
			c.watch = failing("Resize", true, errors.New("the disk is on fire"))
			if _, err := c.ControllerExpandVolume(t.Context(), expandRequest(source, 20*mib)); err == nil {
				t.Fatal("the expansion did not fail")
			}
			c.watch = nil
			if v := c.create(copyOf(c, source)); v.GetCapacityBytes() != 20*mib {
				t.Errorf("got %d bytes, want 20 MiB", v.GetCapacityBytes())
			}
		})
	}
}

// TestCreateVolumeFromASourceThatWasLost checks that a source that is in the records and missing on disk is NOT_FOUND,
// and that the creation is undone.
func TestCreateVolumeFromASourceThatWasLost(t *testing.T) {
	for way, copyOf := range copies() {
		t.Run(way, func(t *testing.T) {
			c := newTestController(t)
			source := c.create(request("source", "Z2"))
			r := copyOf(c, source)
			before := c.available("")
			if err := c.memory.Delete(t.Context(), source.GetVolumeId()); err != nil {
				t.Fatal(err)
			}
			for _, id := range c.memory.SnapshotIDs() {
				if err := c.memory.DeleteSnapshot(t.Context(), id); err != nil {
					t.Fatal(err)
				}
			}
			_, err := c.CreateVolume(t.Context(), r)
			expectRefused(t, err, codes.NotFound, "not found on disk")
			c.expectDisk()
			if after := c.available(""); fmt.Sprint(after) != fmt.Sprint(before) {
				t.Errorf("available were %v and are %v", before, after)
			}
		})
	}
}
