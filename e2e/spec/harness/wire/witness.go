// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"context"
	"slices"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/connectivity"
)

// witness is a connection to an endpoint that no call uses. It ends when the process that is listening there
// ends.
type witness struct {
	Endpoint string
	Conn     *grpc.ClientConn
}

// WitnessesOf connects to each of the endpoints, once. An endpoint that accepts no connection in time has no
// witness.
func WitnessesOf(ctx context.Context, endpoints []string) []witness {
	const patience = 5 * time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var all []witness
	for i, endpoint := range endpoints {
		if slices.Contains(endpoints[:i], endpoint) {
			continue
		}
		conn, err := Dial(endpoint)
		if err != nil {
			continue
		}
		if !becomesReady(ctx, conn) {
			_ = conn.Close() // it says only that it is closed already
			continue
		}
		all = append(all, witness{endpoint, conn})
	}
	return all
}

func becomesReady(ctx context.Context, conn *grpc.ClientConn) bool {
	conn.Connect()
	for state := conn.GetState(); state != connectivity.Ready; state = conn.GetState() {
		if !conn.WaitForStateChange(ctx, state) {
			return false
		}
	}
	return true
}

// Ends waits until the connection has ended or ctx ends, and reports whether the connection has ended.
func (w witness) Ends(ctx context.Context) bool {
	return w.Conn.WaitForStateChange(ctx, connectivity.Ready)
}
