package service_test

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/driver/topology"
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
		{"with every access mode", func(r *csi.CreateVolumeRequest) {
			r.VolumeCapabilities = []*csi.VolumeCapability{
				writer(),
				capability(csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY),
				capability(csi.VolumeCapability_AccessMode_SINGLE_NODE_SINGLE_WRITER),
				capability(csi.VolumeCapability_AccessMode_SINGLE_NODE_MULTI_WRITER),
			}
		}, "Z2", 10 * mib},
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
		{"a block volume", func(r *csi.CreateVolumeRequest) { r.VolumeCapabilities = append(r.VolumeCapabilities, block()) }, codes.InvalidArgument, "block access is not supported"},
		{"a volume for many nodes", func(r *csi.CreateVolumeRequest) {
			r.VolumeCapabilities = append(r.VolumeCapabilities, capability(csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER))
		}, codes.InvalidArgument, "MULTI_NODE_MULTI_WRITER is not supported"},
		{"another file system", func(r *csi.CreateVolumeRequest) { r.VolumeCapabilities[0].GetMount().FsType = "ntfs" }, codes.InvalidArgument, `file system "ntfs"`},
		{"a mount group", func(r *csi.CreateVolumeRequest) { r.VolumeCapabilities[0].GetMount().VolumeMountGroup = "1" }, codes.InvalidArgument, "volume_mount_group"},
		{"too many mount flags", func(r *csi.CreateVolumeRequest) {
			r.VolumeCapabilities[0].GetMount().MountFlags = []string{strings.Repeat("f", 4000), strings.Repeat("g", 97)}
		}, codes.InvalidArgument, "mount_flags have 4097 bytes"},
		{"an unknown parameter", func(r *csi.CreateVolumeRequest) { r.Parameters = map[string]string{"Zones": "2"} }, codes.InvalidArgument, `parameter "Zones" is unknown`},
		{"no number of zones", func(r *csi.CreateVolumeRequest) { r.Parameters = map[string]string{"zones": "two"} }, codes.InvalidArgument, `"zones" must be a whole number`},
		{"zero zones", func(r *csi.CreateVolumeRequest) { r.Parameters = map[string]string{"zones": "0"} }, codes.InvalidArgument, `"zones" must be a whole number`},
		{"mutable parameters", func(r *csi.CreateVolumeRequest) { r.MutableParameters = map[string]string{"zones": "2"} }, codes.InvalidArgument, "mutable_parameters"},
		{"a source", func(r *csi.CreateVolumeRequest) { r.VolumeContentSource = &csi.VolumeContentSource{} }, codes.InvalidArgument, "volume_content_source"},
		{"an empty range", func(r *csi.CreateVolumeRequest) { r.CapacityRange = &csi.CapacityRange{} }, codes.InvalidArgument, "has neither"},
		{"an empty requirement", func(r *csi.CreateVolumeRequest) { r.AccessibilityRequirements = &csi.TopologyRequirement{} }, codes.InvalidArgument, "neither requisite nor preferred"},
		{"an unknown zone", func(r *csi.CreateVolumeRequest) {
			r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: topologies("Z9")}
		}, codes.InvalidArgument, "no node is in"},
		{"preferred outside requisite", func(r *csi.CreateVolumeRequest) {
			r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: topologies("Z2"), Preferred: topologies("Z3")}
		}, codes.InvalidArgument, "not in requisite"},
		{"more than a zone has", func(r *csi.CreateVolumeRequest) { r.CapacityRange.RequiredBytes = segmentBytes + 1 }, codes.ResourceExhausted, "zone=Z5} has 1048576000 bytes free"},
		{"more zones than there are", func(r *csi.CreateVolumeRequest) { r.Parameters = map[string]string{"zones": "5"} }, codes.ResourceExhausted, "accessible from 5 segment(s)"},
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

func TestCreateVolumeThatExists(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*csi.CreateVolumeRequest)
		want   string // "" is the same volume
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
		{"other parameters", func(r *csi.CreateVolumeRequest) { r.Parameters = map[string]string{"zones": "2"} }, `parameter "zones" asks for 2`},
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

// After RESOURCE_EXHAUSTED nothing has the name, so that the same name can be
// tried in another zone.
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
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newTestController(t)
			c.volumes.after = func(call string) error {
				if call == "Create" {
					return test.err
				}
				return nil
			}
			_, err := c.CreateVolume(t.Context(), request("volume", "Z2"))
			expectRefused(t, err, test.code, test.err.Error())
			c.expectTaken(nil)
			c.expectDisk()

			c.volumes.after = nil
			v := c.create(request("volume", "Z3"))
			c.expectTaken(map[string]int64{"Z3": 10 * mib})
			c.expectDisk(v.GetVolumeId())
		})
	}
}

// A creation that failed, and could not be undone either, is undone by the next
// call for the name; until then its room stays taken, as its disk may be.
func TestCreateVolumeThatCannotBeUndone(t *testing.T) {
	c := newTestController(t)
	c.volumes.after = func(string) error { return errors.New("the disk is on fire") }
	c.volumes.before = func(call string) error {
		if call == "Delete" {
			return errors.New("and not to be approached")
		}
		return nil
	}
	_, err := c.CreateVolume(t.Context(), request("volume", "Z2"))
	expectRefused(t, err, codes.Internal, "the disk is on fire; undoing it: ")
	c.expectTaken(map[string]int64{"Z2": 10 * mib})
	if list, err := c.ListVolumes(t.Context(), &csi.ListVolumesRequest{}); err != nil || len(list.GetEntries()) != 0 {
		t.Errorf("a volume that was never acknowledged is listed: %v, %v", list, err)
	}

	c.volumes.before, c.volumes.after = nil, nil
	v := c.create(request("volume", "Z3"))
	c.expectTaken(map[string]int64{"Z3": 10 * mib})
	c.expectDisk(v.GetVolumeId())
}
