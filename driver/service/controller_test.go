package service_test

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/go-logr/logr"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/pool"
	"github.com/csi-topo/csi-topo/driver/record"
	"github.com/csi-topo/csi-topo/driver/service"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/driver/volume"
)

const mib = 1 << 20

// segmentBytes is what each zone of a test controller has.
const segmentBytes = 1000 * mib

// testController is a controller of zones Z2 (nodes n2 and n2b), Z3, Z4 and Z5
// (n3, n4, n5), each with segmentBytes, over volumes in memory.
type testController struct {
	*service.Controller
	t       *testing.T
	path    string
	store   *record.Store
	memory  *volume.Memory
	volumes *breakable
}

func zone(name string) topology.Segment {
	return topology.Segment{topology.RegionKey: "R1", topology.ZoneKey: name}
}

func newTestController(t *testing.T) *testController {
	t.Helper()
	c := &testController{t: t, path: filepath.Join(t.TempDir(), "records.db"), memory: volume.NewMemory()}
	c.start()
	t.Cleanup(func() { _ = c.store.Close() })
	return c
}

func (c *testController) start() {
	c.t.Helper()
	var err error
	if c.store, err = record.Open(c.path); err != nil {
		c.t.Fatal(err)
	}
	c.volumes = &breakable{Memory: c.memory}
	c.Controller, err = service.NewController(quiet(c.t), service.ControllerConfig{
		Inventory: service.FixedInventory{
			"n2": zone("Z2"), "n2b": zone("Z2"), "n3": zone("Z3"), "n4": zone("Z4"), "n5": zone("Z5"),
		},
		Pools:             pool.New(pool.Capacity{DefaultBytes: segmentBytes}),
		Store:             c.store,
		Volumes:           c.volumes,
		Sizes:             service.Sizes{DefaultBytes: 10 * mib},
		MaxVolumesPerNode: 2,
	})
	if err != nil {
		c.t.Fatal(err)
	}
}

// restart ends the controller, and starts one that has the same records and disk.
func (c *testController) restart() {
	c.t.Helper()
	if err := c.store.Close(); err != nil {
		c.t.Fatal(err)
	}
	c.start()
}

func quiet(t *testing.T) context.Context {
	return logr.NewContext(t.Context(), logr.Discard())
}

// create makes a volume that must be made.
func (c *testController) create(r *csi.CreateVolumeRequest) *csi.Volume {
	c.t.Helper()
	response, err := c.CreateVolume(c.t.Context(), r)
	if err != nil {
		c.t.Fatalf("creating %s: %v", r.GetName(), err)
	}
	return response.GetVolume()
}

// available is what GetCapacity says of each zone.
func (c *testController) available() map[string]int64 {
	c.t.Helper()
	found := map[string]int64{}
	for _, name := range []string{"Z2", "Z3", "Z4", "Z5"} {
		response, err := c.GetCapacity(c.t.Context(), &csi.GetCapacityRequest{AccessibleTopology: &csi.Topology{Segments: zone(name)}})
		if err != nil {
			c.t.Fatal(err)
		}
		found[name] = response.GetAvailableCapacity()
	}
	return found
}

// expectTaken checks that each zone has so much less than when it was empty.
func (c *testController) expectTaken(taken map[string]int64) {
	c.t.Helper()
	want := map[string]int64{}
	for _, name := range []string{"Z2", "Z3", "Z4", "Z5"} {
		want[name] = segmentBytes - taken[name]
	}
	if got := c.available(); !maps.Equal(got, want) {
		c.t.Errorf("available are %v, want %v", got, want)
	}
}

// expectDisk checks that exactly those volumes are on disk.
func (c *testController) expectDisk(want ...string) {
	c.t.Helper()
	got := c.memory.IDs()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		c.t.Errorf("on disk are %v, want %v", got, want)
	}
}

// expectRefused checks an answer that must be an error, and names what is wrong.
func expectRefused(t *testing.T, err error, code codes.Code, message string) {
	t.Helper()
	refused := status.Convert(err)
	if refused.Code() != code || !strings.Contains(refused.Message(), message) {
		t.Errorf("got %v, want %s with %q", err, code, message)
	}
	if len(refused.Details()) > 0 {
		t.Errorf("the status has details, which must be empty: %v", refused.Details())
	}
}

func capability(mode csi.VolumeCapability_AccessMode_Mode) *csi.VolumeCapability {
	return &csi.VolumeCapability{
		AccessMode: &csi.VolumeCapability_AccessMode{Mode: mode},
		AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{}},
	}
}

func writer() *csi.VolumeCapability {
	return capability(csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER)
}

func block() *csi.VolumeCapability {
	return &csi.VolumeCapability{
		AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER},
		AccessType: &csi.VolumeCapability_Block{Block: &csi.VolumeCapability_BlockVolume{}},
	}
}

// request asks for a volume of 10 MiB in one of the zones, or anywhere.
func request(name string, zones ...string) *csi.CreateVolumeRequest {
	r := &csi.CreateVolumeRequest{
		Name:               name,
		CapacityRange:      &csi.CapacityRange{RequiredBytes: 10 * mib},
		VolumeCapabilities: []*csi.VolumeCapability{writer()},
	}
	if len(zones) > 0 {
		r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: topologies(zones...)}
	}
	return r
}

func topologies(zones ...string) []*csi.Topology {
	var list []*csi.Topology
	for _, name := range zones {
		list = append(list, &csi.Topology{Segments: zone(name)})
	}
	return list
}

func zonesOf(v *csi.Volume) string {
	var names []string
	for _, t := range v.GetAccessibleTopology() {
		names = append(names, t.GetSegments()[topology.ZoneKey])
	}
	return strings.Join(names, " ")
}

// breakable is memory whose next call fails or ends the process, before or after
// it has done what it was asked.
type breakable struct {
	*volume.Memory
	before, after func(call string) error
}

func (b *breakable) Create(ctx context.Context, id string, bytes int64) error {
	return b.call("Create", func() error { return b.Memory.Create(ctx, id, bytes) })
}

func (b *breakable) Grow(ctx context.Context, id string, bytes int64) error {
	return b.call("Grow", func() error { return b.Memory.Grow(ctx, id, bytes) })
}

func (b *breakable) Delete(ctx context.Context, id string) error {
	return b.call("Delete", func() error { return b.Memory.Delete(ctx, id) })
}

func (b *breakable) call(name string, do func() error) error {
	if b.before != nil {
		if err := b.before(name); err != nil {
			return err
		}
	}
	if err := do(); err != nil {
		return err
	}
	if b.after != nil {
		return b.after(name)
	}
	return nil
}
