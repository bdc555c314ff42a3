// SPDX-License-Identifier: Apache-2.0

// Package health reports whether the driver is healthy, by calling it over its own
// socket as an orchestrator would: once, for a probe that runs a command, or for every
// HTTP request to a server, which serves the driver's metrics too.
package health

import (
	"context"
	"errors"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
)

// Probe asks the driver at the endpoint ("unix:///…") whether it is ready, and returns nil if it is. It does not wait for
// a driver that has not started; ctx bounds the time that a driver may take to answer.
func Probe(ctx context.Context, endpoint string) error {
	connection, err := dial(endpoint)
	if err != nil {
		return err
	}
	defer func() { _ = connection.Close() }()
	return probe(ctx, csi.NewIdentityClient(connection))
}

func dial(endpoint string) (*grpc.ClientConn, error) {
	connection, err := grpc.NewClient(endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return nil, fmt.Errorf("dialling %s: %w", endpoint, err)
	}
	return connection, nil
}

// probe returns an error with the reason if the driver is not ready.
func probe(ctx context.Context, identity csi.IdentityClient) error {
	response, err := identity.Probe(ctx, &csi.ProbeRequest{})
	if err != nil {
		answer := status.Convert(err)
		return fmt.Errorf("the driver does not answer Probe: %s: %s", answer.Code(), answer.Message())
	}
	if ready := response.GetReady(); ready != nil && !ready.GetValue() {
		return errors.New("the driver says that it is not ready")
	}
	return nil
}
