// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/go-logr/logr"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/durable"
	"github.com/csi-topo/csi-topo/driver/pool"
	"github.com/csi-topo/csi-topo/driver/record"
	"github.com/csi-topo/csi-topo/driver/service"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/memory"
)

const mib = 1 << 20

const (
	// segmentBytes is the capacity of each zone of a test controller.
	segmentBytes = 1000 * mib
	// fastBytes is the capacity of each zone in class "fast".
	fastBytes = 50 * mib
)

// testController is a controller of zones Z2 (nodes n2 and n2b), Z3, Z4 and Z5
// (n3, n4, n5), over volumes of every kind, which are all in memory.
type testController struct {
	*service.Controller
	t      *testing.T
	path   string
	store  *record.Store
	memory *memory.Volumes
	local  topology.Segment
	kinds  []service.SupportedKind
	// watch is notified of the changes of the disk, which are named after the methods of the provisioner, and of the
	// records.
	watch durable.Watch
	// disk holds the requests to the disk, and the problems that Check finds, by volume id.
	disk *asked
}

type asked struct {
	mu       sync.Mutex
	sizes    map[string]volume.Size // last
	origins  map[string]volume.Origin
	problems map[string][]volume.Problem
	ranges   []volume.Range // of every snapshot
}

func zone(name string) topology.Segment {
	return topology.Segment{topology.RegionKey: "R1", topology.ZoneKey: name}
}

func newTestController(t *testing.T) *testController {
	t.Helper()
	return startTestController(&testController{t: t})
}

// newLocalController returns a controller in node-local mode, of node n3.
func newLocalController(t *testing.T) *testController {
	t.Helper()
	return startTestController(&testController{t: t, local: zone("Z3")})
}

func startTestController(c *testController) *testController {
	c.t.Helper()
	c.path = filepath.Join(c.t.TempDir(), "records.db")
	c.memory = memory.New()
	c.disk = &asked{sizes: map[string]volume.Size{}, origins: map[string]volume.Origin{}, problems: map[string][]volume.Problem{}}
	c.kinds = []service.SupportedKind{
		{Kind: volume.Image, Sizes: service.Sizes{DefaultBytes: 10 * mib}},
		{Kind: volume.Dir, Sizes: service.Sizes{MinimumBytes: 2 * mib, DefaultBytes: 4 * mib, UnitBytes: mib}},
		{Kind: volume.InMemory, Sizes: service.Sizes{DefaultBytes: 5 * mib}},
	}
	c.start()
	c.t.Cleanup(func() { _ = c.store.Close() })
	return c
}

// capacity returns the capacity of zones with the given bytes in the class without a
// name, and fastBytes in class "fast".
func capacity(bytes int64) pool.Capacity {
	return pool.Capacity{Pools: []pool.Pool{{Bytes: bytes}, {Class: "fast", Bytes: fastBytes}}}
}

func (c *testController) start() {
	c.t.Helper()
	watch := func(step string, taken bool) error {
		if c.watch == nil {
			return nil
		}
		return c.watch(step, taken)
	}
	var err error
	if c.store, err = record.Open(c.path, watch); err != nil {
		c.t.Fatal(err)
	}
	c.Controller, err = service.NewController(quiet(c.t), service.ControllerConfig{
		Inventory: service.FixedInventory{
			"n2": zone("Z2"), "n2b": zone("Z2"), "n3": zone("Z3"), "n4": zone("Z4"), "n5": zone("Z5"),
		},
		Pools:             pool.New(capacity(segmentBytes)),
		Store:             c.store,
		Volumes:           &watched{Volumes: c.memory, watch: watch, asked: c.disk},
		Kinds:             c.kinds,
		MaxVolumesPerNode: 2,
		Local:             c.local,
	})
	if err != nil {
		c.t.Fatal(err)
	}
}

// restart ends the controller, and starts another one with the same records and disk.
func (c *testController) restart() {
	c.t.Helper()
	c.watch = nil
	if err := c.store.Close(); err != nil {
		c.t.Fatal(err)
	}
	c.start()
}

func quiet(t *testing.T) context.Context {
	return logr.NewContext(t.Context(), logr.Discard())
}

// create creates a volume, which must succeed.
func (c *testController) create(r *csi.CreateVolumeRequest) *csi.Volume {
	c.t.Helper()
	response, err := c.CreateVolume(c.t.Context(), r)
	if err != nil {
		c.t.Fatalf("creating %s: %v", r.GetName(), err)
	}
	return response.GetVolume()
}

// delete deletes a volume, which must succeed.
func (c *testController) delete(v *csi.Volume) {
	c.t.Helper()
	if _, err := c.DeleteVolume(c.t.Context(), &csi.DeleteVolumeRequest{VolumeId: v.GetVolumeId()}); err != nil {
		c.t.Fatalf("deleting %s: %v", v.GetVolumeId(), err)
	}
}

// available returns the result of GetCapacity for each zone.
func (c *testController) available(class string) map[string]int64 {
	c.t.Helper()
	found := map[string]int64{}
	for _, name := range []string{"Z2", "Z3", "Z4", "Z5"} {
		response, err := c.GetCapacity(c.t.Context(), &csi.GetCapacityRequest{
			Parameters:         map[string]string{"class": class},
			AccessibleTopology: &csi.Topology{Segments: zone(name)},
		})
		if err != nil {
			c.t.Fatal(err)
		}
		found[name] = response.GetAvailableCapacity()
	}
	return found
}

// expectTaken checks the number of bytes taken in each zone.
func (c *testController) expectTaken(taken map[string]int64) {
	c.t.Helper()
	want := map[string]int64{}
	for _, name := range []string{"Z2", "Z3", "Z4", "Z5"} {
		want[name] = segmentBytes - taken[name]
	}
	if got := c.available(""); !maps.Equal(got, want) {
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

// expectRefused checks the code and the message of an error.
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

// request requests a volume of 10 MiB in one of the zones, or anywhere.
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

// with adds parameters to a request, given as name, value, name, value.
func with(r *csi.CreateVolumeRequest, parameters ...string) *csi.CreateVolumeRequest {
	if r.Parameters == nil {
		r.Parameters = map[string]string{}
	}
	for i := 0; i < len(parameters); i += 2 {
		r.Parameters[parameters[i]] = parameters[i+1]
	}
	return r
}

// sized gives a request another size.
func sized(r *csi.CreateVolumeRequest, bytes int64) *csi.CreateVolumeRequest {
	r.CapacityRange.RequiredBytes = bytes
	return r
}

func topologies(zones ...string) []*csi.Topology {
	var list []*csi.Topology
	for _, name := range zones {
		list = append(list, &csi.Topology{Segments: zone(name)})
	}
	return list
}

// zonesOf returns the names of the zones that a volume or a snapshot is in.
func zonesOf(v interface{ GetAccessibleTopology() []*csi.Topology }) string {
	var names []string
	for _, t := range v.GetAccessibleTopology() {
		names = append(names, t.GetSegments()[topology.ZoneKey])
	}
	return strings.Join(names, " ")
}

// watched is memory.Volumes whose changes a test is notified of.
type watched struct {
	*memory.Volumes
	watch durable.Watch
	asked *asked
}

func (w *watched) Create(ctx context.Context, id string, size volume.Size, from volume.Origin) error {
	w.asked.mu.Lock()
	w.asked.sizes[id], w.asked.origins[id] = size, from
	w.asked.mu.Unlock()
	return w.watch.Do("Create", func() error { return w.Volumes.Create(ctx, id, size, from) })
}

func (w *watched) Resize(ctx context.Context, id string, size volume.Size) error {
	w.asked.mu.Lock()
	w.asked.sizes[id] = size
	w.asked.mu.Unlock()
	return w.watch.Do("Resize", func() error { return w.Volumes.Resize(ctx, id, size) })
}

// Size fails for a caller that has gone, as Delete does.
func (w *watched) Size(ctx context.Context, id string) (bytes int64, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	err = w.watch.Do("Size", func() error {
		bytes, err = w.Volumes.Size(ctx, id)
		return err
	})
	return bytes, err
}

// Delete fails for a caller that has gone, as on a slow disk.
func (w *watched) Delete(ctx context.Context, id string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return w.watch.Do("Delete", func() error { return w.Volumes.Delete(ctx, id) })
}

func (w *watched) CreateSnapshot(ctx context.Context, id, volumeID string) error {
	return w.watch.Do("CreateSnapshot", func() error { return w.Volumes.CreateSnapshot(ctx, id, volumeID) })
}

// DeleteSnapshot fails for a caller that has gone, as Delete does.
func (w *watched) DeleteSnapshot(ctx context.Context, id string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return w.watch.Do("DeleteSnapshot", func() error { return w.Volumes.DeleteSnapshot(ctx, id) })
}

func (w *watched) Check(ctx context.Context, id string, size volume.Size) (problems []volume.Problem, err error) {
	err = w.watch.Do("Check", func() error {
		problems, err = w.Volumes.Check(ctx, id, size)
		return err
	})
	return append(problems, w.asked.problems[id]...), err
}

// failing fails a step, each time, before or after it is taken.
func failing(at string, after bool, err error) durable.Watch {
	return func(step string, taken bool) error {
		if step == at && taken == after {
			return err
		}
		return nil
	}
}
