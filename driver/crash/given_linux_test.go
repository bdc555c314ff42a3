// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/driver/volume"
)

// marker is the content of volumes that exist before a call.
const marker = "acknowledged"

// newVolume is a volume to create. By default, it is of kind image, thin, empty, and in one zone.
type newVolume struct {
	name      string
	kind      volume.Kind
	bytes     int64
	zones     int
	allocated bool
	// fromVolume and fromSnapshot are the names of its source.
	fromVolume, fromSnapshot string
}

// create sends CreateVolume.
func (v newVolume) create(ctx context.Context, l *life) (proto.Message, error) {
	r := &csi.CreateVolumeRequest{
		Name:               v.name,
		CapacityRange:      &csi.CapacityRange{RequiredBytes: v.bytes},
		VolumeCapabilities: []*csi.VolumeCapability{asMount("")},
		Parameters:         map[string]string{},
	}
	if v.kind != "" {
		r.Parameters["kind"] = string(v.kind)
	}
	if v.zones > 0 {
		r.Parameters["zones"] = strconv.Itoa(v.zones)
	}
	if v.allocated {
		r.MutableParameters = map[string]string{"allocation": "thick"}
	}
	switch {
	case v.fromVolume != "":
		r.VolumeContentSource = &csi.VolumeContentSource{Type: &csi.VolumeContentSource_Volume{
			Volume: &csi.VolumeContentSource_VolumeSource{VolumeId: l.id(v.fromVolume)},
		}}
	case v.fromSnapshot != "":
		r.VolumeContentSource = &csi.VolumeContentSource{Type: &csi.VolumeContentSource_Snapshot{
			Snapshot: &csi.VolumeContentSource_SnapshotSource{SnapshotId: l.id(v.fromSnapshot)},
		}}
	}
	return l.controller.CreateVolume(ctx, r)
}

// mustCreate creates the volume without a fault, and writes the marker into it.
func (v newVolume) mustCreate(l *life) {
	l.t.Helper()
	answer, err := l.send(v.create, fault{})
	must(l.t, err)
	id := answer.(*csi.CreateVolumeResponse).GetVolume().GetVolumeId()
	l.names[id] = v.name
	if v.kind == volume.Dir {
		must(l.t, os.WriteFile(filepath.Join(l.at.data(), "volumes", id+".dir", "data", "marker"), []byte(marker), 0o600))
		return
	}
	image, err := os.OpenFile(l.at.image(id), os.O_WRONLY, 0)
	must(l.t, err)
	defer image.Close()
	_, err = image.WriteString(marker)
	must(l.t, err)
}

// newSnapshot is a snapshot to take, of the volume with that name.
type newSnapshot struct {
	name, of string
	zones    int
}

// create sends CreateSnapshot.
func (s newSnapshot) create(ctx context.Context, l *life) (proto.Message, error) {
	r := &csi.CreateSnapshotRequest{Name: s.name, SourceVolumeId: l.id(s.of)}
	if s.zones > 0 {
		r.Parameters = map[string]string{"zones": strconv.Itoa(s.zones)}
	}
	return l.controller.CreateSnapshot(ctx, r)
}

// mustCreate takes the snapshot without a fault.
func (s newSnapshot) mustCreate(l *life) {
	l.t.Helper()
	answer, err := l.send(s.create, fault{})
	must(l.t, err)
	l.names[answer.(*csi.CreateSnapshotResponse).GetSnapshot().GetSnapshotId()] = s.name
}

// mustSend makes a call without a fault.
func mustSend(r request) func(*life) {
	return func(l *life) {
		l.t.Helper()
		_, err := l.send(r, fault{})
		must(l.t, err)
	}
}
