// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"
	"sync"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// faultsAtOnce returns drivers that are wrong if calls arrive concurrently.
func faultsAtOnce() map[string]Sequence {
	return map[string]Sequence{
		"a name is two snapshots for two calls at the same time": {
			mutation.Meanwhile[*csi.CreateSnapshotRequest](mutation.Asking(func(r *csi.CreateSnapshotRequest) { r.Name += "-2" })), "CS-03", 2,
		},
		"a growth beside another call is lost": {losesGrowths(), "CAP-07 CE-13", 4},
	}
}

func losesGrowths() mutation.Fault {
	pending := &pending{}
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerExpandVolumeRequest) (*csi.ControllerExpandVolumeResponse, error) {
		second := pending.begin()
		defer pending.end()
		response, err := right.ControllerExpandVolume(ctx, r)
		if second && err == nil {
			response.CapacityBytes += unit
		}
		return response, err
	}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ValidateVolumeCapabilitiesRequest) (*csi.ValidateVolumeCapabilitiesResponse, error) {
		pending.begin()
		defer pending.end()
		return right.ValidateVolumeCapabilities(ctx, r)
	}))
}

// pending counts the calls that have not been answered. Each waits a little for another one.
type pending struct {
	mu    sync.Mutex
	calls int
	more  chan struct{}
}

// begin reports whether the call arrived while another one was pending.
func (p *pending) begin() (second bool) {
	const little = 20 * time.Millisecond
	p.mu.Lock()
	p.calls++
	if p.calls > 1 {
		if p.more != nil {
			close(p.more)
			p.more = nil
		}
		p.mu.Unlock()
		return true
	}
	more := make(chan struct{})
	p.more = more
	p.mu.Unlock()
	select {
	case <-more:
	case <-time.After(little):
	}
	return false
}

func (p *pending) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls--
	p.more = nil
}
