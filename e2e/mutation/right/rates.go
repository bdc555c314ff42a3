// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"
	"sync/atomic"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

func ratesLimited() []Driver {
	const says = "limits the rate of calls: any call is RESOURCE_EXHAUSTED now and then, the code of gRPC for quotas"
	return []Driver{
		{Name: "rate-limited", Is: says, Given: []Endpoints{All, Controller}, Long: true,
			Driver: mutation.Driver{Profile: exactDisks, Fault: rateLimited(12, 1)}},
		{Name: "rate-limited-cloud", Is: "does not report capacity, and " + says + ", several times in a row",
			Given:  []Endpoints{All, OneNode, Controller},
			Driver: mutation.Driver{Profile: disks, Fault: rateLimited(40, 3).Over(withoutCapacity())}},
	}
}

// rateLimited simulates a driver that answers a number of calls, and then refuses a number of calls
// because of the rate.
func rateLimited(within, inARow int64) mutation.Fault {
	var calls atomic.Int64
	return mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
		if calls.Add(1)%(within+inARow) >= within {
			return nil, status.Error(codes.ResourceExhausted, "rate exceeded")
		}
		return call.Perform(ctx)
	})
}
