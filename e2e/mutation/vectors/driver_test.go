// SPDX-License-Identifier: Apache-2.0

package vectors_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
	"github.com/csi-topo/csi-topo/vectors"
)

const (
	// prefix is the prefix of the reference driver's topology keys.
	prefix       = "topology.hostpath.topo.csi/"
	segmentBytes = 64 << 20
	volumeBytes  = 16 << 20
)

// fleet contains reference drivers by their segments, and by which segments are full. All wrong drivers share them, because the
// faults are in front of these drivers.
type fleet struct {
	// owner is the test at whose end the drivers stop, including drivers that a subtest starts.
	owner   *testing.T
	file    vectors.File
	drivers map[string]*driver
}

// driver is a reference driver.
type driver struct {
	conn grpc.ClientConnInterface
	// source is a volume that has its data in all segments that are not full; empty if all are.
	source string
	// kept are the ids of the volumes that are never removed.
	kept []string
}

func newFleet(t *testing.T) *fleet {
	t.Helper()
	file, err := vectors.Load(prefix)
	if err != nil {
		t.Fatal(err)
	}
	return &fleet{t, file, map[string]*driver{}}
}

// driver returns the driver for the vector, and starts it if it does not run yet. The driver stops at the end of the owner.
func (f *fleet) driver(t *testing.T, v vectors.Vector) *driver {
	t.Helper()
	room := map[string]int64{}
	for _, name := range v.Segments {
		switch {
		case !slices.Contains(v.Full, name):
			room[name] = segmentBytes
		case slices.Contains(v.Existing, name):
			room[name] = volumeBytes // which the volume of the same name takes
		}
	}
	key := fmt.Sprint(v.Segments, room)
	if f.drivers[key] == nil {
		d := &driver{conn: f.start(t, v.Segments)}
		if err := f.fill(t.Context(), d, v.Segments, room); err != nil {
			t.Fatal(err)
		}
		f.drivers[key] = d
	}
	return f.drivers[key]
}

// start starts a driver with these segments.
func (f *fleet) start(t *testing.T, names []string) grpc.ClientConnInterface {
	t.Helper()
	dir, err := os.MkdirTemp("", "vectors") // the paths of sockets must be short
	if err != nil {
		t.Fatal(err)
	}
	options := embedded.Options{BytesPerSegment: segmentBytes, Dir: dir}
	for _, segment := range f.file.Named(names) {
		options.Segments = append(options.Segments, topology.Segment(segment))
	}
	driver, err := embedded.Start(f.owner.Context(), options)
	if err != nil {
		t.Fatal(errors.Join(err, os.RemoveAll(dir)))
	}
	conn, err := wire.Dial(driver.Controller)
	if err != nil {
		t.Fatal(errors.Join(err, driver.Stop(), os.RemoveAll(dir)))
	}
	f.owner.Cleanup(func() {
		if err := errors.Join(conn.Close(), driver.Stop(), os.RemoveAll(dir)); err != nil {
			f.owner.Error(err)
		}
	})
	return conn
}

// fill sets the room of a driver's segments, and creates the volume that snapshots are taken of.
func (f *fleet) fill(ctx context.Context, d *driver, segments []string, room map[string]int64) error {
	create := func(request *csi.CreateVolumeRequest) (string, error) {
		response, err := csi.NewControllerClient(d.conn).CreateVolume(ctx, request)
		if err != nil {
			return "", fmt.Errorf("creating the volume %s: %w", request.GetName(), err)
		}
		id := response.GetVolume().GetVolumeId()
		d.kept = append(d.kept, id)
		return id, nil
	}
	var reach []string
	for _, name := range segments {
		if room[name] == segmentBytes {
			reach = append(reach, name)
			continue
		}
		if _, err := create(creation("full-"+name, segmentBytes-room[name], 1, f.exactly([]string{name}))); err != nil {
			return err
		}
	}
	if len(reach) == 0 {
		return nil
	}
	var err error
	d.source, err = create(creation("source", volumeBytes, len(reach), f.exactly(reach)))
	return err
}

// topologies returns the topologies with these names, as messages.
func (f *fleet) topologies(names []string) []*csi.Topology {
	var found []*csi.Topology
	for _, segments := range f.file.Named(names) {
		found = append(found, &csi.Topology{Segments: segments})
	}
	return found
}

// required returns the accessibility_requirements of the vector.
func (f *fleet) required(v vectors.Vector) *csi.TopologyRequirement {
	if v.Requirement == nil {
		return nil
	}
	return &csi.TopologyRequirement{Requisite: f.topologies(v.Requirement.Requisite), Preferred: f.topologies(v.Requirement.Preferred)}
}

// exactly returns accessibility_requirements that name these topologies.
func (f *fleet) exactly(names []string) *csi.TopologyRequirement {
	return &csi.TopologyRequirement{Requisite: f.topologies(names)}
}

// creation returns a request for a volume that is accessible from x topologies.
func creation(name string, bytes int64, x int, required *csi.TopologyRequirement) *csi.CreateVolumeRequest {
	return &csi.CreateVolumeRequest{
		Name:          name,
		CapacityRange: &csi.CapacityRange{RequiredBytes: bytes},
		VolumeCapabilities: []*csi.VolumeCapability{{
			AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{}},
			AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER},
		}},
		Parameters:                parameters(x),
		AccessibilityRequirements: required,
	}
}

// parameters ask for what is accessible from x topologies.
func parameters(x int) map[string]string { return map[string]string{"zones": strconv.Itoa(x)} }

// empty removes the volumes and snapshots that are not kept.
func (d *driver) empty(ctx context.Context) error {
	controller := csi.NewControllerClient(d.conn)
	snapshots, err := controller.ListSnapshots(ctx, &csi.ListSnapshotsRequest{})
	if err != nil {
		return fmt.Errorf("listing snapshots: %w", err)
	}
	for _, entry := range snapshots.GetEntries() {
		if _, err := controller.DeleteSnapshot(ctx, &csi.DeleteSnapshotRequest{SnapshotId: entry.GetSnapshot().GetSnapshotId()}); err != nil {
			return fmt.Errorf("deleting a snapshot: %w", err)
		}
	}
	volumes, err := controller.ListVolumes(ctx, &csi.ListVolumesRequest{})
	if err != nil {
		return fmt.Errorf("listing volumes: %w", err)
	}
	for _, entry := range volumes.GetEntries() {
		if slices.Contains(d.kept, entry.GetVolume().GetVolumeId()) {
			continue
		}
		if _, err := controller.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: entry.GetVolume().GetVolumeId()}); err != nil {
			return fmt.Errorf("deleting a volume: %w", err)
		}
	}
	return nil
}
