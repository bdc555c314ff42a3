package service_test

import (
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

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
		{"for what no volume can do", &csi.GetCapacityRequest{VolumeCapabilities: []*csi.VolumeCapability{writer(), block()}}, 0, 0},
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
}

// What GetCapacity calls the largest volume can be made, and nothing larger.
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
			expectRefused(t, err, codes.ResourceExhausted, "fits nowhere")
			r.CapacityRange.RequiredBytes--
			c.create(r)
		})
	}
}
