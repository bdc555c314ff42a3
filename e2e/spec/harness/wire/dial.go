// SPDX-License-Identifier: Apache-2.0

// Package wire connects to the endpoints of a driver, and records the calls to them.
package wire

import (
	"fmt"
	"time"

	"google.golang.org/grpc"
	backoffs "google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials/insecure"
)

const (
	// UsualAnswer is gRPC's default limit for the size of an answer in bytes, which the sidecars use.
	UsualAnswer = 4 << 20
	// LargestAnswer is the limit that the suite sets, in bytes: it must read the ids even in an answer that is too large for
	// others.
	LargestAnswer = 4 * UsualAnswer
)

// Dial returns a connection to a CSI endpoint such as unix:///csi/csi.sock. It connects with the first call: if nothing
// is listening, that call fails with UNAVAILABLE. It reconnects soon after a driver was restarted.
func Dial(endpoint string) (*grpc.ClientConn, error) {
	const first, longest, timeout = 50 * time.Millisecond, time.Second, 20 * time.Second
	soon := backoffs.DefaultConfig
	soon.BaseDelay, soon.MaxDelay = first, longest
	conn, err := grpc.NewClient(endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithStatsHandler(sending{}),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(LargestAnswer)),
		grpc.WithConnectParams(grpc.ConnectParams{Backoff: soon, MinConnectTimeout: timeout}))
	if err != nil {
		return nil, fmt.Errorf("CSI endpoint %q: %w", endpoint, err)
	}
	return conn, nil
}
