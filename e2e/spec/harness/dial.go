// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// Dial returns a connection to a CSI endpoint such as unix:///csi/csi.sock. It connects with the first call: an endpoint
// where nobody listens shows then, as UNAVAILABLE.
func Dial(endpoint string) (*grpc.ClientConn, error) {
	conn, err := grpc.NewClient(endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithStatsHandler(sending{}))
	if err != nil {
		return nil, fmt.Errorf("CSI endpoint %q: %w", endpoint, err)
	}
	return conn, nil
}
