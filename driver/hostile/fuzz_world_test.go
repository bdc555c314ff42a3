// SPDX-License-Identifier: Apache-2.0

package hostile

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/go-logr/logr"

	"github.com/csi-topo/csi-topo/driver/pool"
	"github.com/csi-topo/csi-topo/driver/record"
	"github.com/csi-topo/csi-topo/driver/service"
	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/memory"
)

// The ids of the fuzzed driver's volumes and snapshots, which are the same in every run: seeds contain them.
const (
	idleID      = "memory-01900000-0000-7000-8000-000000000001"
	publishedID = "memory-01900000-0000-7000-8000-000000000002"
	mountedID   = "memory-01900000-0000-7000-8000-000000000003"
	snapshotID  = "memory-01900000-0000-7000-8000-000000000004"
	imageID     = "image-01900000-0000-7000-8000-000000000005"
	groupID     = "group-01900000-0000-7000-8000-000000000009"
	memberID    = "memory-01900000-0000-7000-8000-00000000000a"
	dirID       = "dir-01900000-0000-7000-8000-000000000006"
	spreadID    = "dir-01900000-0000-7000-8000-000000000007" // in two segments, published on two nodes
	goldID      = "image-01900000-0000-7000-8000-000000000008"

	goldClass = "gold"
)

// fuzzWorld is a world whose volumes are all in memory, whatever their kind, and which is
// rebuilt in a fraction of a millisecond.
type fuzzWorld struct {
	*world
	records    []byte
	canaries   []string // their fingerprint
	guarded    []string // the paths of the canaries
	untouched  []glimpse
	known      fuzzState // state after the last call
	store      *record.Store
	memory     *memory.Volumes
	controller *service.Controller
}

// newFuzzWorld returns a world without a driver, which renew creates.
func newFuzzWorld(f *testing.F) *fuzzWorld {
	f.Helper()
	w := &fuzzWorld{world: &world{
		tree: newTrap(f, memoryDir()), kind: volume.InMemory, bytes: volumeBytes, segment: segments()[0], node: nodeID,
		idle: idleID, published: publishedID, mounted: mountedID, snapshot: snapshotID, group: groupID, member: memberID,
	}}
	path := w.tree.path("data/template.db")
	store, err := record.Open(path, nil)
	must(f, "open the records", err)
	for _, v := range fuzzVolumes() {
		must(f, "record a volume", store.Put(v))
	}
	must(f, "record a snapshot", store.PutSnapshot(fuzzSnapshot()))
	must(f, "record a group snapshot", store.PutGroup(fuzzGroup()))
	for _, p := range []record.Publication{
		{VolumeID: publishedID, NodeID: nodeID, AccessMode: "SINGLE_NODE_WRITER"},
		{VolumeID: mountedID, NodeID: nodeID, AccessMode: "SINGLE_NODE_WRITER"},
		{VolumeID: spreadID, NodeID: nodeID, AccessMode: "MULTI_NODE_MULTI_WRITER"},
		{VolumeID: spreadID, NodeID: "node-2", AccessMode: "MULTI_NODE_MULTI_WRITER"},
	} {
		must(f, "record a publication", store.Publish(p, 0))
	}
	must(f, "close the records", store.Close())
	w.records, err = os.ReadFile(path)
	must(f, "read the records", err)
	w.canaries, w.guarded = w.tree.fingerprint(f), w.tree.guarded(f)
	w.untouched = glimpses(f, w.guarded)
	f.Cleanup(func() {
		if w.store != nil {
			must(f, "close the records", w.store.Close())
		}
	})
	return w
}

func fuzzVolumes() []record.Volume {
	var all []record.Volume
	for id, name := range map[string]string{
		idleID: idleName, publishedID: publishedName, mountedID: mountedName, imageID: "image", dirID: "dir", spreadID: "spread", goldID: goldClass,
	} {
		v := record.Volume{ID: id, Name: name, State: record.Ready, Bytes: volumeBytes, Segments: segments()[:1]}
		switch id {
		case spreadID:
			v.Segments = segments()[:2]
		case goldID:
			v.Class, v.Allocated = goldClass, true
		}
		all = append(all, v)
	}
	return all
}

func fuzzSnapshot() record.Snapshot {
	return record.Snapshot{
		ID: snapshotID, Name: snapshotName, State: record.Ready, VolumeID: idleID, Bytes: volumeBytes,
		Segments: segments()[:1], Taken: time.Unix(1e9, 0).UTC(),
	}
}

func fuzzGroup() (record.Group, []record.Snapshot) {
	member := fuzzSnapshot()
	member.ID, member.Name, member.GroupID = memberID, "", groupID
	return record.Group{ID: groupID, Name: groupName, State: record.Ready, Snapshots: []string{memberID}, Taken: member.Taken}, []record.Snapshot{member}
}

// renew creates the driver in its initial state.
func (w *fuzzWorld) renew(t *testing.T) {
	t.Helper()
	if w.store != nil {
		must(t, "close the records", w.store.Close())
	}
	path := w.tree.path("data/records.db")
	must(t, "copy the records", os.WriteFile(path, w.records, 0o600))
	var err error
	w.store, err = record.Open(path, nil)
	must(t, "open the records", err)
	w.memory = memory.New()
	for _, v := range fuzzVolumes() {
		must(t, "make a volume", w.memory.Create(t.Context(), v.ID, volume.Size{Bytes: v.Bytes, Allocated: v.Allocated}, volume.Origin{}))
	}
	must(t, "make a snapshot", w.memory.CreateSnapshot(t.Context(), snapshotID, idleID))
	must(t, "make a snapshot of a group", w.memory.CreateSnapshot(t.Context(), memberID, idleID))
	ctx := logr.NewContext(t.Context(), logr.Discard())
	sizes := service.Sizes{UnitBytes: 1 << 20}
	w.controller, err = service.NewController(ctx, service.ControllerConfig{
		Inventory: inventory(),
		Pools: pool.New(pool.Capacity{Pools: []pool.Pool{
			{Class: goldClass, Matching: segments()[0], Bytes: 64 << 20},
			{Bytes: 1 << 30},
		}}),
		Store:             w.store,
		Volumes:           volume.Provisioners{volume.InMemory: w.memory, volume.Image: w.memory, volume.Dir: w.memory},
		Kinds:             []service.SupportedKind{{Kind: volume.InMemory}, {Kind: volume.Image, Sizes: sizes}, {Kind: volume.Dir, Sizes: sizes}},
		MaxVolumesPerNode: 4,
	})
	must(t, "start the controller", err)
	node, err := service.NewNode(ctx, service.NodeConfig{
		NodeID: nodeID, Segment: segments()[0], MaxVolumes: 4,
		Volumes: volume.Mounters{volume.InMemory: w.memory, volume.Image: w.memory, volume.Dir: w.memory},
	})
	must(t, "start the node", err)
	w.call = services{identity: service.NewIdentity("test"), controller: w.controller, groups: service.NewGroupController(w.controller), metadata: service.NewSnapshotMetadata(w.controller), node: node}.call
	paths, err := filepath.Glob(w.tree.path("node/*"))
	must(t, "list the paths", err)
	for _, path := range paths {
		must(t, "clear the paths", os.RemoveAll(path))
	}
	for _, dir := range []string{w.idleStaging(), w.publishedStaging(), w.mountedStaging(), w.tree.path("node/pods")} {
		must(t, "make a path", os.MkdirAll(dir, 0o750))
	}
	must(t, "stage", w.stage(ctx, publishedID, w.publishedStaging()))
	must(t, "stage", w.stage(ctx, mountedID, w.mountedStaging()))
	_, err = w.send(ctx, "NodePublishVolume", &csi.NodePublishVolumeRequest{
		VolumeId: mountedID, StagingTargetPath: w.mountedStaging(), TargetPath: w.mountedTarget(), VolumeCapability: w.capability(),
	})
	must(t, "publish", err)
	w.known = w.readState(t)
}

// fuzzState is the state that a call may change.
type fuzzState struct {
	Volumes        []record.Entry
	Snapshots      []record.Snapshot
	Groups         []string
	InMemory, Kept []string
	Usage          []pool.Usage
	Paths          []string
}

// readState reads the state.
func (w *fuzzWorld) readState(t *testing.T) fuzzState {
	t.Helper()
	var s fuzzState
	var err error
	s.Volumes, _, err = w.store.Page("", 0, func(record.Volume) bool { return true })
	must(t, "read the volumes", err)
	s.Snapshots, _, err = w.store.SnapshotPage("", 0, func(record.Snapshot) bool { return true })
	must(t, "read the snapshots", err)
	s.Groups, err = w.store.Groups()
	must(t, "read the groups", err)
	s.InMemory, s.Kept = w.memory.IDs(), w.memory.SnapshotIDs()
	slices.Sort(s.InMemory)
	slices.Sort(s.Kept)
	s.Usage = w.controller.Usage()
	for _, dir := range []string{"node", "node/pods"} {
		entries, err := os.ReadDir(w.tree.path(dir))
		if !errors.Is(err, fs.ErrNotExist) {
			must(t, "read the paths", err)
		}
		for _, entry := range entries {
			s.Paths = append(s.Paths, dir+"/"+entry.Name())
		}
	}
	return s
}

// String returns the state as JSON.
func (s fuzzState) String() string {
	text, err := json.Marshal(s)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func (s fuzzState) equal(other fuzzState) bool { return reflect.DeepEqual(s, other) }
