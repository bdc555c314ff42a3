// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/driver/volume"
)

func TestCreateVolume(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*csi.CreateVolumeRequest)
		zones  string
		bytes  int64
	}{
		{"anywhere", func(*csi.CreateVolumeRequest) {}, "Z2", 10 * mib},
		{"in a zone", func(r *csi.CreateVolumeRequest) {
			r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: topologies("Z4")}
		}, "Z4", 10 * mib},
		{"in the preferred zone", func(r *csi.CreateVolumeRequest) {
			r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: topologies("Z2", "Z3", "Z5"), Preferred: topologies("Z5")}
		}, "Z5", 10 * mib},
		{"in two zones", func(r *csi.CreateVolumeRequest) {
			r.Parameters = map[string]string{"zones": "2"}
			r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: topologies("Z4")}
		}, "Z4 Z2", 10 * mib},
		{"in a region", func(r *csi.CreateVolumeRequest) {
			r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: []*csi.Topology{{Segments: map[string]string{topology.RegionKey: "R1"}}}}
		}, "Z2", 10 * mib},
		{"with keys in another case", func(r *csi.CreateVolumeRequest) {
			r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: []*csi.Topology{{Segments: map[string]string{strings.ToUpper(topology.ZoneKey): "Z3"}}}}
		}, "Z3", 10 * mib},
		{"with the provisioner's own parameters", func(r *csi.CreateVolumeRequest) {
			r.Parameters = map[string]string{"csi.storage.k8s.io/pvc/name": "data"}
		}, "Z2", 10 * mib},
		{"of no particular size", func(r *csi.CreateVolumeRequest) { r.CapacityRange = nil }, "Z2", 10 * mib},
		{"of an exact size", func(r *csi.CreateVolumeRequest) {
			r.CapacityRange = &csi.CapacityRange{RequiredBytes: 12345, LimitBytes: 12345}
		}, "Z2", 12345},
		{"as large as a zone", func(r *csi.CreateVolumeRequest) { r.CapacityRange.RequiredBytes = segmentBytes }, "Z2", segmentBytes},
		{"thick", func(r *csi.CreateVolumeRequest) { r.MutableParameters = map[string]string{"allocation": "thick"} }, "Z2", 10 * mib},
		{"by the longest name", func(r *csi.CreateVolumeRequest) { r.Name = strings.Repeat("n", 128) }, "Z2", 10 * mib},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newTestController(t)
			r := request("volume")
			test.change(r)
			v := c.create(r)
			if zonesOf(v) != test.zones || v.GetCapacityBytes() != test.bytes {
				t.Errorf("got %d bytes in %s, want %d in %s", v.GetCapacityBytes(), zonesOf(v), test.bytes, test.zones)
			}
			for _, topology := range v.GetAccessibleTopology() {
				if len(topology.GetSegments()) != 2 {
					t.Errorf("accessible from %v, want region and zone", topology)
				}
			}
			if v.GetContentSource() != nil {
				t.Errorf("an empty volume has content source %v", v.GetContentSource())
			}
			taken := map[string]int64{}
			for _, name := range strings.Fields(test.zones) {
				taken[name] = test.bytes
			}
			c.expectTaken(taken)
			c.expectDisk(v.GetVolumeId())

			again := c.create(r)
			if !proto.Equal(again, v) {
				t.Errorf("asked again, got %v, want %v", again, v)
			}
			c.expectTaken(taken)
		})
	}
}

func TestCreateVolumeRefuses(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*csi.CreateVolumeRequest)
		code   codes.Code
		want   string
	}{
		{"no name", func(r *csi.CreateVolumeRequest) { r.Name = "" }, codes.InvalidArgument, "name is required"},
		{"a name too long", func(r *csi.CreateVolumeRequest) { r.Name = strings.Repeat("n", 129) }, codes.InvalidArgument, "129 bytes"},
		{"a name with NUL", func(r *csi.CreateVolumeRequest) { r.Name = "a\x00b" }, codes.InvalidArgument, "control characters"},
		{"no capabilities", func(r *csi.CreateVolumeRequest) { r.VolumeCapabilities = nil }, codes.InvalidArgument, "volume_capabilities is required"},
		{"a capability without a mode", func(r *csi.CreateVolumeRequest) { r.VolumeCapabilities[0].AccessMode = nil }, codes.InvalidArgument, "access_mode is required"},
		{"a capability without a type", func(r *csi.CreateVolumeRequest) { r.VolumeCapabilities[0].AccessType = nil }, codes.InvalidArgument, "access_type is required"},
		{"a capability after one that can be", func(r *csi.CreateVolumeRequest) {
			r.VolumeCapabilities = append(r.VolumeCapabilities, capability(csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER))
		}, codes.InvalidArgument, `kind "image" does not have access mode MULTI_NODE_MULTI_WRITER`},
		{"a mount group", func(r *csi.CreateVolumeRequest) { r.VolumeCapabilities[0].GetMount().VolumeMountGroup = "1" }, codes.InvalidArgument, "volume_mount_group"},
		{"too many mount flags", func(r *csi.CreateVolumeRequest) {
			r.VolumeCapabilities[0].GetMount().MountFlags = []string{strings.Repeat("f", 4000), strings.Repeat("g", 97)}
		}, codes.InvalidArgument, "mount_flags have 4097 bytes"},
		{"an unknown parameter", func(r *csi.CreateVolumeRequest) { r.Parameters = map[string]string{"Zones": "2"} }, codes.InvalidArgument, `parameter "Zones" is unknown`},
		{"no number of zones", func(r *csi.CreateVolumeRequest) { r.Parameters = map[string]string{"zones": "two"} }, codes.InvalidArgument, `"zones" must be a whole number`},
		{"zero zones", func(r *csi.CreateVolumeRequest) { r.Parameters = map[string]string{"zones": "0"} }, codes.InvalidArgument, `"zones" must be a whole number`},
		{"an unknown kind", func(r *csi.CreateVolumeRequest) { with(r, "kind", "tape") }, codes.InvalidArgument, `"kind" must be one of ["image" "dir" "memory"], and is "tape"`},
		{"an unknown class", func(r *csi.CreateVolumeRequest) { with(r, "class", "slow") }, codes.InvalidArgument, `no storage of class "slow" (parameter "class"): there is ["" "fast"]`},
		{"a mutable parameter among the others", func(r *csi.CreateVolumeRequest) { with(r, "allocation", "thick") }, codes.InvalidArgument, `parameter "allocation" is unknown`},
		{"a parameter among the mutable ones", func(r *csi.CreateVolumeRequest) { r.MutableParameters = map[string]string{"zones": "2"} }, codes.InvalidArgument, `mutable parameter "zones" is unknown`},
		{"an unknown allocation", func(r *csi.CreateVolumeRequest) { r.MutableParameters = map[string]string{"allocation": "Thick"} }, codes.InvalidArgument, `must be "thin" or "thick", and is "Thick"`},
		{"an empty source", func(r *csi.CreateVolumeRequest) { r.VolumeContentSource = &csi.VolumeContentSource{} }, codes.InvalidArgument, "volume_content_source has neither"},
		{"an empty range", func(r *csi.CreateVolumeRequest) { r.CapacityRange = &csi.CapacityRange{} }, codes.InvalidArgument, "has neither"},
		{"an empty requirement", func(r *csi.CreateVolumeRequest) { r.AccessibilityRequirements = &csi.TopologyRequirement{} }, codes.InvalidArgument, "neither requisite nor preferred"},
		{"an unknown zone", func(r *csi.CreateVolumeRequest) {
			r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: topologies("Z9")}
		}, codes.InvalidArgument, "no node is in"},
		{"preferred outside requisite", func(r *csi.CreateVolumeRequest) {
			r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: topologies("Z2"), Preferred: topologies("Z3")}
		}, codes.InvalidArgument, "not in requisite"},
		{"more than a zone has of the class", func(r *csi.CreateVolumeRequest) { sized(with(r, "class", "fast"), fastBytes+1) }, codes.ResourceExhausted, "zone=Z5} has 52428800 bytes free"},
		{"more than a zone has", func(r *csi.CreateVolumeRequest) { r.CapacityRange.RequiredBytes = segmentBytes + 1 }, codes.ResourceExhausted, "zone=Z5} has 1048576000 bytes free"},
		{"more zones than there are", func(r *csi.CreateVolumeRequest) { r.Parameters = map[string]string{"zones": "5"} }, codes.ResourceExhausted, `finding room for volume "volume": 5 of the allowed segments with 10485760 bytes free each are needed`},
		{"more than can be", func(r *csi.CreateVolumeRequest) { r.CapacityRange.RequiredBytes = 1<<63 - 1 }, codes.ResourceExhausted, "bytes free"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newTestController(t)
			r := request("volume")
			test.change(r)
			_, err := c.CreateVolume(t.Context(), r)
			expectRefused(t, err, test.code, test.want)
			c.expectTaken(nil)
			c.expectDisk()
		})
	}
}

// TestCreateVolumeOfAKind checks that a volume is refused unless its kind has every requested capability (CV-12, CV-16).
func TestCreateVolumeOfAKind(t *testing.T) {
	fileSystem := func(name string) *csi.VolumeCapability {
		c := writer()
		c.GetMount().FsType = name
		return c
	}
	blocks := func(mode csi.VolumeCapability_AccessMode_Mode) *csi.VolumeCapability {
		c := block()
		c.AccessMode.Mode = mode
		return c
	}
	for _, test := range []struct {
		name  string
		given *csi.VolumeCapability
		kinds []volume.Kind // that can
		want  string        // from those that cannot
	}{
		{"a writer", writer(), []volume.Kind{volume.Image, volume.Dir, volume.InMemory}, ""},
		{"a reader", capability(csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY), []volume.Kind{volume.Image, volume.Dir, volume.InMemory}, ""},
		{"a single writer", capability(csi.VolumeCapability_AccessMode_SINGLE_NODE_SINGLE_WRITER), []volume.Kind{volume.Image, volume.Dir, volume.InMemory}, ""},
		{"several writers", capability(csi.VolumeCapability_AccessMode_SINGLE_NODE_MULTI_WRITER), []volume.Kind{volume.Image, volume.Dir, volume.InMemory}, ""},
		{"readers on several nodes", capability(csi.VolumeCapability_AccessMode_MULTI_NODE_READER_ONLY), []volume.Kind{volume.Dir, volume.InMemory}, "MULTI_NODE_READER_ONLY"},
		{"one writer of several nodes", capability(csi.VolumeCapability_AccessMode_MULTI_NODE_SINGLE_WRITER), []volume.Kind{volume.Dir, volume.InMemory}, "MULTI_NODE_SINGLE_WRITER"},
		{"writers on several nodes", capability(csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER), []volume.Kind{volume.Dir, volume.InMemory}, "MULTI_NODE_MULTI_WRITER"},
		{"a block device", block(), []volume.Kind{volume.Image, volume.InMemory}, "is not a block device"},
		{"a block device for several nodes", blocks(csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER), []volume.Kind{volume.InMemory}, ""},
		{"XFS", fileSystem("xfs"), []volume.Kind{volume.Image, volume.InMemory}, `file system "xfs"`},
		{"ext4", fileSystem("ext4"), []volume.Kind{volume.Image, volume.InMemory}, `file system "ext4"`},
		{"NTFS", fileSystem("ntfs"), nil, `file system "ntfs"`},
	} {
		for _, kind := range []volume.Kind{volume.Image, volume.Dir, volume.InMemory} {
			t.Run(fmt.Sprintf("%s of kind %s", test.name, kind), func(t *testing.T) {
				c := newTestController(t)
				r := with(request("volume", "Z2"), "kind", string(kind))
				r.VolumeCapabilities = []*csi.VolumeCapability{writer(), test.given}
				response, err := c.CreateVolume(t.Context(), r)
				if !slices.Contains(test.kinds, kind) {
					expectRefused(t, err, codes.InvalidArgument, test.want)
					c.expectDisk()
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if got, _ := volume.KindOf(response.GetVolume().GetVolumeId()); got != kind {
					t.Errorf("got volume %s, want one of kind %s", response.GetVolume().GetVolumeId(), kind)
				}
			})
		}
	}
	t.Run("thick of kind dir", func(t *testing.T) {
		r := with(request("volume"), "kind", "dir")
		r.MutableParameters = map[string]string{"allocation": "thick"}
		_, err := newTestController(t).CreateVolume(t.Context(), r)
		expectRefused(t, err, codes.InvalidArgument, "has no blocks to allocate")
	})
}

// TestCreateVolumeOfAKindAndAClass checks that each kind has its own sizes, and each
// class its own room.
func TestCreateVolumeOfAKindAndAClass(t *testing.T) {
	for _, test := range []struct {
		name        string
		parameters  []string
		capacity    *csi.CapacityRange
		bytes       int64
		plain, fast int64 // taken
	}{
		{"the first kind", nil, nil, 10 * mib, 10 * mib, 0},
		{"the default of a kind", []string{"kind", "dir"}, nil, 4 * mib, 4 * mib, 0},
		{"in units of a kind", []string{"kind", "dir"}, &csi.CapacityRange{RequiredBytes: 3*mib + 1}, 4 * mib, 4 * mib, 0},
		{"the smallest of a kind", []string{"kind", "dir"}, &csi.CapacityRange{RequiredBytes: 1}, 2 * mib, 2 * mib, 0},
		{"of a class", []string{"class", "fast"}, nil, 10 * mib, 0, 10 * mib},
		{"of a class and a kind", []string{"class", "fast", "kind", "memory"}, nil, 5 * mib, 0, 5 * mib},
		{"all there is of a class", []string{"class", "fast"}, &csi.CapacityRange{RequiredBytes: fastBytes}, fastBytes, 0, fastBytes},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newTestController(t)
			r := with(request("volume", "Z2"), test.parameters...)
			r.CapacityRange = test.capacity
			if v := c.create(r); v.GetCapacityBytes() != test.bytes {
				t.Errorf("got %d bytes, want %d", v.GetCapacityBytes(), test.bytes)
			}
			c.expectTaken(map[string]int64{"Z2": test.plain})
			if got := c.available("fast"); got["Z2"] != fastBytes-test.fast || got["Z3"] != fastBytes {
				t.Errorf("available of class fast are %v, want %d less in Z2", got, test.fast)
			}
		})
	}
}

func TestCreateVolumeThatExists(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*csi.CreateVolumeRequest)
		want   string // "" means the same volume
	}{
		{"the same", func(*csi.CreateVolumeRequest) {}, ""},
		{"a requirement that it meets", func(r *csi.CreateVolumeRequest) {
			r.AccessibilityRequirements.Requisite = topologies("Z2", "Z3")
		}, ""},
		{"another preference", func(r *csi.CreateVolumeRequest) {
			r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: topologies("Z2", "Z3"), Preferred: topologies("Z3")}
		}, ""},
		{"no requirement", func(r *csi.CreateVolumeRequest) { r.AccessibilityRequirements = nil }, ""},
		{"a range that it is in", func(r *csi.CreateVolumeRequest) {
			r.CapacityRange = &csi.CapacityRange{RequiredBytes: 1, LimitBytes: 11 * mib}
		}, ""},
		{"a requirement that it does not meet", func(r *csi.CreateVolumeRequest) {
			r.AccessibilityRequirements.Requisite = topologies("Z3")
		}, "does not satisfy accessibility_requirements"},
		{"a larger one", func(r *csi.CreateVolumeRequest) { r.CapacityRange.RequiredBytes = 11 * mib }, "exists with 10485760 bytes"},
		{"a smaller one", func(r *csi.CreateVolumeRequest) {
			r.CapacityRange = &csi.CapacityRange{RequiredBytes: 1 * mib, LimitBytes: 9 * mib}
		}, "exists with 10485760 bytes"},
		{"the kind that it has, named", func(r *csi.CreateVolumeRequest) { with(r, "kind", "image", "class", "", "zones", "1") }, ""},
		{"the allocation that it has", func(r *csi.CreateVolumeRequest) { r.MutableParameters = map[string]string{"allocation": "thin"} }, ""},
		{"another number of zones", func(r *csi.CreateVolumeRequest) { with(r, "zones", "2") }, `parameter "zones" asks for 2`},
		{"another kind", func(r *csi.CreateVolumeRequest) { with(r, "kind", "memory") }, `with kind "image" and class ""`},
		{"another class", func(r *csi.CreateVolumeRequest) { with(r, "class", "fast") }, `ask for kind "image" and class "fast"`},
		{"another allocation", func(r *csi.CreateVolumeRequest) { r.MutableParameters = map[string]string{"allocation": "thick"} }, `"allocation" asks for "thick"`},
		{"another source", func(r *csi.CreateVolumeRequest) { r.VolumeContentSource = fromVolume("image-x") }, "began as an empty volume"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newTestController(t)
			existing := c.create(request("volume", "Z2"))
			r := request("volume", "Z2")
			test.change(r)
			response, err := c.CreateVolume(t.Context(), r)
			if test.want != "" {
				expectRefused(t, err, codes.AlreadyExists, test.want)
			} else if err != nil || !proto.Equal(response.GetVolume(), existing) {
				t.Errorf("got %v and %v, want %v", response, err, existing)
			}
			c.expectTaken(map[string]int64{"Z2": 10 * mib})
			c.expectDisk(existing.GetVolumeId())
		})
	}
}

// TestCreateVolumeElsewhereAfterNoRoom checks that the name is free after RESOURCE_EXHAUSTED, and can be tried in another
// zone.
func TestCreateVolumeElsewhereAfterNoRoom(t *testing.T) {
	c := newTestController(t)
	filler := request("filler", "Z2")
	filler.CapacityRange.RequiredBytes = segmentBytes - 10*mib + 1
	c.create(filler)
	_, err := c.CreateVolume(t.Context(), request("volume", "Z2"))
	expectRefused(t, err, codes.ResourceExhausted, "zone=Z2} has 10485759 bytes free")
	if v := c.create(request("volume", "Z3")); zonesOf(v) != "Z3" {
		t.Errorf("got a volume in %s, want Z3", zonesOf(v))
	}
}

func TestCreateVolumeThatFailsOnDisk(t *testing.T) {
	for _, test := range []struct {
		name string
		err  error
		code codes.Code
	}{
		{"for want of space", fmt.Errorf("writing: %w", syscall.ENOSPC), codes.ResourceExhausted},
		{"for another reason", errors.New("the disk is on fire"), codes.Internal},
		{"for want of time", fmt.Errorf("writing: %w", context.DeadlineExceeded), codes.DeadlineExceeded},
		{"because the caller has gone", fmt.Errorf("writing: %w", context.Canceled), codes.Canceled},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newTestController(t)
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			c.watch = func(step string, taken bool) error {
				if step != "Create" || !taken {
					return nil
				}
				if errors.Is(test.err, context.Canceled) {
					leave()
				}
				return test.err
			}
			_, err := c.CreateVolume(ctx, request("volume", "Z2"))
			expectRefused(t, err, test.code, test.err.Error())
			c.expectTaken(nil)
			c.expectDisk()

			c.watch = nil
			v := c.create(request("volume", "Z3"))
			c.expectTaken(map[string]int64{"Z3": 10 * mib})
			c.expectDisk(v.GetVolumeId())
		})
	}
}

// TestCreateVolumeThatCannotBeUndone checks that a creation that failed, and could not be undone either, is undone by the
// next call for the name; until then its room stays taken, as its disk may be. The error is not RESOURCE_EXHAUSTED, even
// for lack of space, because something is left behind.
func TestCreateVolumeThatCannotBeUndone(t *testing.T) {
	c := newTestController(t)
	c.watch = func(step string, taken bool) error {
		switch {
		case step == "Create" && taken:
			return fmt.Errorf("writing: %w", syscall.ENOSPC)
		case step == "Delete":
			return errors.New("the disk is on fire")
		}
		return nil
	}
	_, err := c.CreateVolume(t.Context(), request("volume", "Z2"))
	expectRefused(t, err, codes.Internal, "no space left on device; undoing it: ")
	c.expectTaken(map[string]int64{"Z2": 10 * mib})
	if list, err := c.ListVolumes(t.Context(), &csi.ListVolumesRequest{}); err != nil || len(list.GetEntries()) != 0 {
		t.Errorf("a volume that was never acknowledged is listed: %v, %v", list, err)
	}
	for _, id := range c.memory.IDs() {
		if _, err := c.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: id}); err != nil {
			t.Errorf("a volume that was never acknowledged is not unknown: %v", err)
		}
		_, err := c.ControllerGetVolume(t.Context(), &csi.ControllerGetVolumeRequest{VolumeId: id})
		expectRefused(t, err, codes.NotFound, "there is no volume")
	}

	c.watch = nil
	v := c.create(request("volume", "Z3"))
	c.expectTaken(map[string]int64{"Z3": 10 * mib})
	c.expectDisk(v.GetVolumeId())
}
