// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
)

var errNotReady = errors.New("ready is false in the answer of Probe")

// WaitUntilReady calls Probe at each of the endpoints, again and again as the sidecars do, until the plugin is ready
// there or the context ends. While a plugin is starting, its other calls may fail with any code. The error contains the
// last answer of an endpoint that is not ready; a case judges the other answers of Probe.
func WaitUntilReady(ctx context.Context, endpoints ...grpc.ClientConnInterface) error {
	const polling = 100 * time.Millisecond
	for _, endpoint := range endpoints {
		identity := csi.NewIdentityClient(endpoint)
		for {
			unready := readiness(identity.Probe(ctx, &csi.ProbeRequest{}))
			if unready == nil {
				break
			}
			if attempt.Pause(ctx, polling) != nil {
				return unready
			}
		}
	}
	return nil
}

// readiness returns an error if the answer of Probe says that the plugin is not ready, or not healthy.
func readiness(response *csi.ProbeResponse, err error) error {
	switch {
	case status.Code(err) == codes.FailedPrecondition:
		return fmt.Errorf("the answer of Probe is %s", describe.Status(err))
	case err == nil && response.GetReady() != nil && !response.GetReady().GetValue():
		return errNotReady
	default:
		return nil
	}
}
