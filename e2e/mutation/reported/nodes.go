// SPDX-License-Identifier: Apache-2.0

package reported

import (
	"context"
	"sync"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// ofNodes returns drivers that are wrong about what is attached to a node.
func ofNodes() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"max_volumes_per_node is less by what is attached when the node plugin is started": mutation.ExpectWide(countingAtStart(),
			mutation.Warns("restart_attached", "NI-05")).Seen("aws-ebs-csi-driver issues 1163, 1808, 2796"),
		"says that a volume is detached before it is": mutation.Wide(detachingLate(), mutation.Fails("detach_then_other_node", "CU-10")).Seen("deckhouse sds-replicated-volume issue 655"),
	}
}

// countingAtStart makes a driver whose nodes take what is attached when they are started from their limit.
func countingAtStart() mutation.Driver {
	const restart = 30 * time.Second
	var mu sync.Mutex
	attached, atStart := map[string]map[string]bool{}, map[string]int64{}
	note := func(node, volume string, is bool) {
		mu.Lock()
		defer mu.Unlock()
		if attached[node] == nil {
			attached[node] = map[string]bool{}
		}
		delete(attached[node], volume)
		if is {
			attached[node][volume] = true
		}
	}
	return mutation.Driver{
		Target: func(t *harness.Target) { t.Timeouts.Restart = restart },
		Fault: mutation.Answering(func(r *csi.ControllerPublishVolumeRequest, _ *csi.ControllerPublishVolumeResponse) {
			note(r.GetNodeId(), r.GetVolumeId(), true)
		}).And(mutation.Answering(func(r *csi.ControllerUnpublishVolumeRequest, _ *csi.ControllerUnpublishVolumeResponse) {
			note(r.GetNodeId(), r.GetVolumeId(), false)
		})).And(mutation.Answering(func(_ *csi.NodeGetInfoRequest, response *csi.NodeGetInfoResponse) {
			mu.Lock()
			defer mu.Unlock()
			response.MaxVolumesPerNode -= atStart[response.GetNodeId()]
		})),
		Restarting: func(ctx context.Context, process *mutation.Restartable) error {
			if err := process.Stop(); err != nil {
				return err
			}
			mu.Lock()
			for node, volumes := range attached {
				atStart[node] = int64(len(volumes))
			}
			mu.Unlock()
			return process.Start(ctx)
		},
	}
}

// detachingLate makes a driver that detaches some time after it has answered.
func detachingLate() mutation.Fault {
	const after = 300 * time.Millisecond
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerUnpublishVolumeRequest) (*csi.ControllerUnpublishVolumeResponse, error) {
		later := context.WithoutCancel(ctx)
		time.AfterFunc(after, func() { _, _ = right.ControllerUnpublishVolume(later, r) })
		return &csi.ControllerUnpublishVolumeResponse{}, nil
	})
}
