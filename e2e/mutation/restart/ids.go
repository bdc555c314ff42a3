// SPDX-License-Identifier: Apache-2.0

package restart

import (
	"context"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// reusingIDs returns drivers that count from the beginning, or from what they still have, when they are
// started.
func reusingIDs() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"two volumes get one id after a restart": wrong((&numbering{}).driver(func(n *numbering) []string { return n.given }),
			mutation.Fails("restart_new_ids", "VOL-04")),
		"a new volume gets the id of a deleted one after a restart": wrong((&numbering{}).driver(func(n *numbering) []string { return n.deleted }),
			mutation.Warns("restart_new_ids", "VOL-04")),
	}
}

// numbering gives ids again.
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
