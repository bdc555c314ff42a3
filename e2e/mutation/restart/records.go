// SPDX-License-Identifier: Apache-2.0

package restart

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// losingRecords returns drivers whose records, after a restart, are older than their answers.
func losingRecords() map[string]mutation.Expectation {
	const unwritten = 2 * time.Second
	return map[string]mutation.Expectation{
		"loses the last record": wrong((&history{}).driver(func(time.Time) bool { return true }, 1),
			mutation.Fails("restart_volume", "CV-02"), mutation.Fails("restart_snapshot", "CS-01 CS-03 LS-01"),
			mutation.Fails("restart_group_snapshot", "VGS-02 VGS-33"), mutation.Warns("restart_deleted", "DV-01")),
		"answers before its records are durable": wrong((&history{}).driver(func(at time.Time) bool { return time.Since(at) < unwritten }, all),
			mutation.Fails("restart_volumes_at_once", "CV-02")),
	}
}

// all is larger than any number of changes.
const all = 1 << 30

// history keeps the versions of the driver's records before each change, so that later changes can be lost.
type history struct {
	mu      sync.Mutex
	records string // the file of the driver
	before  []version
}

// version is the content of the file at a time.
type version struct {
	at   time.Time
	data []byte
}

// driver returns a driver that loses, when it is restarted, up to the given number of the last changes, if lost
// returns true for them.
func (h *history) driver(lost func(at time.Time) bool, most int) mutation.Driver {
	return mutation.Driver{
		Options: func(o *embedded.Options) { h.records = filepath.Join(o.Dir, "records.db") },
		Fault: mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
			if !changes(call.Request) {
				return call.Perform(ctx)
			}
			h.mu.Lock()
			defer h.mu.Unlock()
			data, err := os.ReadFile(h.records)
			if err != nil {
				return nil, err
			}
			h.before = append(h.before, version{time.Now(), data})
			return call.Perform(ctx)
		}),
		Restarting: func(ctx context.Context, process *mutation.Restartable) error {
			h.mu.Lock()
			defer h.mu.Unlock()
			if err := process.Stop(); err != nil {
				return err
			}
			first := len(h.before)
			for first > max(0, len(h.before)-most) && lost(h.before[first-1].at) {
				first--
			}
			if first < len(h.before) {
				if err := os.WriteFile(h.records, h.before[first].data, 0o600); err != nil {
					return err
				}
			}
			h.before = nil
			return process.Start(ctx)
		},
	}
}

// changes reports whether the call changes the records.
func changes(request proto.Message) bool {
	switch request.(type) {
	case *csi.CreateVolumeRequest, *csi.DeleteVolumeRequest, *csi.CreateSnapshotRequest, *csi.DeleteSnapshotRequest, *csi.CreateVolumeGroupSnapshotRequest, *csi.DeleteVolumeGroupSnapshotRequest,
		*csi.ControllerPublishVolumeRequest, *csi.ControllerUnpublishVolumeRequest, *csi.ControllerExpandVolumeRequest, *csi.ControllerModifyVolumeRequest:
		return true
	default:
		return false
	}
}

// reusingIDs returns drivers that restart the numbering of ids, from 1 or after their remaining objects.
func reusingIDs() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"two volumes get one id after a restart": wrong((&numbering{}).driver(func(n *numbering) []string { return n.given }),
			mutation.Fails("restart_new_ids", "VOL-04")),
		"a new volume gets the id of a deleted one after a restart": wrong((&numbering{}).driver(func(n *numbering) []string { return n.deleted }),
			mutation.Warns("restart_new_ids", "VOL-04")),
	}
}

// numbering reuses ids.
type numbering struct {
	mu             sync.Mutex
	given, deleted []string
	names          map[string]string // the id that the driver in front says, by the name
	real           map[string]string // the id of the driver behind
	again          []string          // the ids that the next new volumes get
}

func (n *numbering) driver(again func(*numbering) []string) mutation.Driver {
	n.names, n.real = map[string]string{}, map[string]string{}
	return mutation.Driver{
		Fault: mutation.On(n.create).And(mutation.On(n.remove)),
		Restarting: func(ctx context.Context, process *mutation.Restartable) error {
			if err := process.Stop(); err != nil {
				return err
			}
			n.mu.Lock()
			defer n.mu.Unlock()
			n.again = again(n)
			return process.Start(ctx)
		},
	}
}

func (n *numbering) create(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
	response, err := right.CreateVolume(ctx, r)
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	behind := response.GetVolume().GetVolumeId()
	if _, known := n.names[r.GetName()]; !known {
		n.names[r.GetName()] = behind
		if len(n.again) > 0 {
			n.names[r.GetName()], n.again = n.again[0], n.again[1:]
		}
		n.given = append(n.given, n.names[r.GetName()])
	}
	response.Volume.VolumeId = n.names[r.GetName()]
	n.real[response.GetVolume().GetVolumeId()] = behind
	return response, nil
}

func (n *numbering) remove(ctx context.Context, right mutation.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
	n.mu.Lock()
	id := r.GetVolumeId()
	if behind, known := n.real[id]; known {
		r.VolumeId = behind
	}
	n.deleted = append(n.deleted, id)
	n.mu.Unlock()
	return right.DeleteVolume(ctx, r)
}
