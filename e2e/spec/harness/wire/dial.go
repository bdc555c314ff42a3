// SPDX-License-Identifier: Apache-2.0

// Package wire connects to the endpoints of a driver, and records what is sent to them.
package wire

import (
	"fmt"
	"time"

	"google.golang.org/grpc"
	backoffs "google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials/insecure"
)

const (
	// UsualAnswer is how many bytes an answer has at most that gRPC takes where nobody says otherwise, as in the sidecars.
	UsualAnswer = 4 << 20
	// LargestAnswer is how many bytes the suite takes: it knows what was made by an answer that is too large for others.
	LargestAnswer = 4 * UsualAnswer
)

// Dial returns a connection to a CSI endpoint such as unix:///csi/csi.sock. It connects with the first call: an endpoint
// where nobody listens shows then, as UNAVAILABLE. It connects again soon after a driver was started again.
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
