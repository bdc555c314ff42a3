// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"maps"
	"reflect"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/driver/pool"
	"github.com/csi-topo/csi-topo/driver/topology"
)

func TestGetCapacity(t *testing.T) {
	c := newTestController(t)
	for name, bytes := range map[string]int64{"Z2": 100 * mib, "Z3": 200 * mib, "Z4": 1000 * mib} { // left: 900, 800, 0, 1000
		r := request(name, name)
		r.CapacityRange.RequiredBytes = bytes
		c.create(r)
	}
	in := func(segments map[string]string) *csi.GetCapacityRequest {
		return &csi.GetCapacityRequest{AccessibleTopology: &csi.Topology{Segments: segments}}
	}
	two := func(r *csi.GetCapacityRequest) *csi.GetCapacityRequest {
		r.Parameters = map[string]string{"zones": "2", "csi.storage.k8s.io/fstype": "xfs"}
		return r
	}
	for _, test := range []struct {
		name               string
		given              *csi.GetCapacityRequest
		available, largest int64
	}{
		{"everywhere", &csi.GetCapacityRequest{}, 2700 * mib, 1000 * mib},
		{"in a zone", in(zone("Z2")), 900 * mib, 900 * mib},
		{"in a full zone", in(zone("Z4")), 0, 0},
		{"in a region", in(map[string]string{topology.RegionKey: "R1"}), 2700 * mib, 1000 * mib},
		{"in a zone that is not there", in(zone("Z9")), 0, 0},
		{"by a key that is not there", in(map[string]string{"x": "y"}), 0, 0},
		{"for two zones, everywhere", two(&csi.GetCapacityRequest{}), 1300 * mib, 900 * mib},
		{"for two zones, bounded by this one", two(in(zone("Z3"))), 800 * mib, 800 * mib},
		{"for two zones, bounded by the other", two(in(zone("Z5"))), 900 * mib, 900 * mib},
		{"for what a volume can do", &csi.GetCapacityRequest{VolumeCapabilities: []*csi.VolumeCapability{writer()}}, 2700 * mib, 1000 * mib},
		{"for what no volume of the kind can do", &csi.GetCapacityRequest{
			VolumeCapabilities: []*csi.VolumeCapability{writer(), capability(csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER)},
		}, 0, 0},
		{"for what one of another kind can", &csi.GetCapacityRequest{
			Parameters:         map[string]string{"kind": "memory"},
			VolumeCapabilities: []*csi.VolumeCapability{writer(), capability(csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER)},
		}, 2700 * mib, 1000 * mib},
		{"of a class", &csi.GetCapacityRequest{Parameters: map[string]string{"class": "fast"}}, 4 * fastBytes, fastBytes},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := c.GetCapacity(t.Context(), test.given)
			if err != nil {
				t.Fatal(err)
			}
			if got.GetAvailableCapacity() != test.available || got.GetMaximumVolumeSize().GetValue() != test.largest || got.GetMinimumVolumeSize() != nil {
				t.Errorf("got %v, want %d bytes, the largest %d, and no minimum", got, test.available, test.largest)
			}
		})
	}
	_, err := c.GetCapacity(t.Context(), &csi.GetCapacityRequest{Parameters: map[string]string{"x": "y"}})
	expectRefused(t, err, codes.InvalidArgument, `parameter "x" is unknown`)
	_, err = c.GetCapacity(t.Context(), &csi.GetCapacityRequest{Parameters: map[string]string{"class": "slow"}})
	expectRefused(t, err, codes.InvalidArgument, `no storage of class "slow"`)
}

// TestGetCapacityOfAKind checks that GetCapacity offers only sizes that a kind of volume can have: the largest is in its
// units, and the minimum is reported if there is one.
func TestGetCapacityOfAKind(t *testing.T) {
	c := newTestController(t)
	for _, test := range []struct {
		name              string
		taken             int64
		largest, smallest int64
	}{
		{"in units", 1, 999 * mib, 2 * mib},
		{"the smallest just fits", segmentBytes - 2*mib, 2 * mib, 2 * mib},
		{"the smallest does not fit", segmentBytes - 2*mib + 1, 0, 2 * mib},
	} {
		t.Run(test.name, func(t *testing.T) {
			filler := c.create(sized(request(test.name, "Z2"), test.taken))
			defer c.delete(filler)
			got, err := c.GetCapacity(t.Context(), &csi.GetCapacityRequest{
				Parameters:         map[string]string{"kind": "dir"},
				AccessibleTopology: &csi.Topology{Segments: zone("Z2")},
			})
			if err != nil {
				t.Fatal(err)
			}
			if got.GetMaximumVolumeSize().GetValue() != test.largest || got.GetMinimumVolumeSize().GetValue() != test.smallest {
				t.Errorf("got %v, want the largest %d and the smallest %d", got, test.largest, test.smallest)
			}
		})
	}
}

// TestSetCapacity checks that GetCapacity returns 0, and never a negative number, if the capacity is lowered below the
// reserved bytes (CAP-13); existing volumes stay, and count when the capacity is raised again.
func TestSetCapacity(t *testing.T) {
	c := newTestController(t)
	v := c.create(sized(request("volume", "Z2"), 100*mib))
	c.SetCapacity(capacity(60 * mib))
	want := map[string]int64{"Z2": 0, "Z3": 60 * mib, "Z4": 60 * mib, "Z5": 60 * mib}
	if got := c.available(""); !maps.Equal(got, want) {
		t.Errorf("lowered, available are %v, want %v", got, want)
	}
	_, err := c.CreateVolume(t.Context(), sized(request("too much", "Z2"), 1))
	expectRefused(t, err, codes.ResourceExhausted, "has 0 bytes free")
	_, err = c.ControllerExpandVolume(t.Context(), expandRequest(v, 100*mib+1))
	expectRefused(t, err, codes.ResourceExhausted, "which has 0")
	c.expectBytes(v, 100*mib)
	if _, err := c.ControllerExpandVolume(t.Context(), expandRequest(v, 100*mib)); err != nil {
		t.Errorf("a volume may not keep what it has: %v", err)
	}

	c.SetCapacity(pool.Uniform(110 * mib))
	want = map[string]int64{"Z2": 10 * mib, "Z3": 110 * mib, "Z4": 110 * mib, "Z5": 110 * mib}
	if got := c.available(""); !maps.Equal(got, want) {
		t.Errorf("raised, available are %v, want %v", got, want)
	}
	_, err = c.CreateVolume(t.Context(), with(request("of a class that has gone"), "class", "fast"))
	expectRefused(t, err, codes.InvalidArgument, `no storage of class "fast"`)
	c.delete(v)
	if got := c.available("")["Z2"]; got != 110*mib {
		t.Errorf("when all is deleted, Z2 has %d bytes, want 110 MiB", got)
	}
}

func TestUsage(t *testing.T) {
	c := newTestController(t)
	c.create(with(request("volume", "Z3"), "class", "fast"))
	c.create(with(request("everywhere"), "zones", "4"))
	var want []pool.Usage
	for _, name := range []string{"Z2", "Z3", "Z4", "Z5"} {
		want = append(want, pool.Usage{Segment: zone(name), CapacityBytes: segmentBytes, AvailableBytes: segmentBytes - 10*mib})
	}
	for _, name := range []string{"Z2", "Z3", "Z4", "Z5"} {
		usage := pool.Usage{Class: "fast", Segment: zone(name), CapacityBytes: fastBytes, AvailableBytes: fastBytes}
		if name == "Z3" {
			usage.AvailableBytes -= 10 * mib
		}
		want = append(want, usage)
	}
	if got := c.Usage(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// TestGetCapacityIsTrue checks that a volume of the maximum size that GetCapacity returns can be created, and no larger
// one.
func TestGetCapacityIsTrue(t *testing.T) {
	for _, zones := range []string{"1", "2", "4"} {
		t.Run("zones: "+zones, func(t *testing.T) {
			c := newTestController(t)
			for name, bytes := range map[string]int64{"Z2": 100 * mib, "Z3": 200 * mib, "Z4": 300 * mib} {
				r := request(name, name)
				r.CapacityRange.RequiredBytes = bytes
				c.create(r)
			}
			parameters := map[string]string{"zones": zones}
			capacity, err := c.GetCapacity(t.Context(), &csi.GetCapacityRequest{Parameters: parameters, AccessibleTopology: &csi.Topology{Segments: zone("Z2")}})
			if err != nil {
				t.Fatal(err)
			}
			r := request("volume", "Z2")
			r.Parameters = parameters
			r.CapacityRange.RequiredBytes = capacity.GetMaximumVolumeSize().GetValue() + 1
			_, err = c.CreateVolume(t.Context(), r)
			expectRefused(t, err, codes.ResourceExhausted, "not as many")
			r.CapacityRange.RequiredBytes--
			c.create(r)
		})
	}
}
