// SPDX-License-Identifier: Apache-2.0

package restart

import (
	"context"
	"sync"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// starting returns drivers that need a while after a restart before they serve calls.
func starting() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"says that it is ready before it is": wrong((&start{}).driver(&csi.ProbeResponse{Ready: wrapperspb.Bool(true)}, nil),
			mutation.Warns("restart_ready", "PR-04")),
		"says nothing of being ready before it is": wrong((&start{}).driver(&csi.ProbeResponse{}, nil),
			mutation.Warns("restart_ready", "PR-04")),
		"says that it is not ready after a restart until it is": wrong((&start{}).driver(&csi.ProbeResponse{Ready: wrapperspb.Bool(false)}, nil),
			mutation.Passes("restart_ready")),
		"says that it is not healthy after a restart until it is": wrong((&start{}).driver(nil, status.Error(codes.FailedPrecondition, "reading records")),
			mutation.Passes("restart_ready")),
	}
}

// start knows until when the driver is not ready.
type start struct {
	mu    sync.Mutex
	until time.Time
}

// driver returns a driver that refuses the calls of its controller for a while after each restart, and meanwhile answers
// Probe with probed or unhealthy.
func (s *start) driver(probed *csi.ProbeResponse, unhealthy error) mutation.Driver {
	const while = 300 * time.Millisecond
	return mutation.Driver{
		Fault: mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
			s.mu.Lock()
			starts := time.Now().Before(s.until)
			s.mu.Unlock()
			switch call.Request.(type) {
			case *csi.ProbeRequest:
				if starts {
					return probed, unhealthy
				}
			case *csi.ValidateVolumeCapabilitiesRequest:
				if starts {
					return nil, status.Error(codes.Unavailable, "the records are being read")
				}
			}
			return call.Perform(ctx)
		}),
		Restarting: func(ctx context.Context, process *mutation.Restartable) error {
			if err := process.Stop(); err != nil {
				return err
			}
			s.mu.Lock()
			s.until = time.Now().Add(while)
			s.mu.Unlock()
			return process.Start(ctx)
		},
	}
}
