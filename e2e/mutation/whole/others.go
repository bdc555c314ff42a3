// SPDX-License-Identifier: Apache-2.0

package whole

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

func deletesOthers() mutation.Driver {
	var theirs atomic.Value
	var asked atomic.Int64
	return mutation.Driver{
		Running: func(_ *embedded.Driver, target *harness.Target) { theirs.Store(createdBefore(target)) },
		Fault: mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
			var err error
			if asked.Add(1) == inFirstCase {
				_, err = right.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: theirs.Load().(string)})
			}
			if err != nil {
				return nil, err
			}
			return right.DeleteVolume(ctx, r)
		}),
	}
}

// inFirstCase is the number of the call that the first case makes: one before it shows whether capacity is exact.
const inFirstCase = 2

func createsUnasked() mutation.Driver {
	var asked atomic.Int64
	return mutation.Driver{
		Fault: mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
			var err error
			if asked.Add(1) == inFirstCase {
				_, err = right.CreateVolume(ctx, another(r))
			}
			if err != nil {
				return nil, err
			}
			return right.CreateVolume(ctx, r)
		}),
	}
}

func createsSnapshotUnasked() mutation.Fault {
	var once sync.Once
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateSnapshotRequest) (*csi.CreateSnapshotResponse, error) {
		var err error
		once.Do(func() {
			_, err = right.CreateSnapshot(ctx, &csi.CreateSnapshotRequest{Name: "unasked", SourceVolumeId: r.GetSourceVolumeId(), Parameters: r.GetParameters()})
		})
		if err != nil {
			return nil, err
		}
		return right.CreateSnapshot(ctx, r)
	})
}

func another(r *csi.CreateVolumeRequest) *csi.CreateVolumeRequest {
	return &csi.CreateVolumeRequest{
		Name: "unasked", VolumeCapabilities: r.GetVolumeCapabilities(), Parameters: r.GetParameters(), AccessibilityRequirements: r.GetAccessibilityRequirements(),
	}
}

// createdBefore creates a volume before the run, and returns its id.
func createdBefore(target *harness.Target) string {
	const patience = 10 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	made, err := csi.NewControllerClient(target.Controller).CreateVolume(ctx, &csi.CreateVolumeRequest{
		Name: "pvc-of-somebody-else",
		VolumeCapabilities: []*csi.VolumeCapability{{
			AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{}},
			AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER},
		}},
	})
	if err != nil {
		panic("creating a volume of somebody else: " + status.Convert(err).Message())
	}
	return made.GetVolume().GetVolumeId()
}
