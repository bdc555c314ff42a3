// SPDX-License-Identifier: Apache-2.0

// Package survey asks a driver and its cluster for the facts in a report.
package survey

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/connections"
	"github.com/csi-topo/csi-topo/e2e/report"
)

// AskController calls ask with a connection to the driver's controller, which it closes afterwards. It is for the report.
func AskController(ctx context.Context, t *harness.Target, ask func(grpc.ClientConnInterface)) error {
	dialer, err := t.Dialer()
	if err != nil {
		return err
	}
	lines := connections.New(dialer)
	controller, err := harness.Connect(ctx, t, lines)
	if err == nil && len(controller.ByNode) > 0 {
		ask(controller.First().Conn)
	}
	return errors.Join(err, lines.Close())
}

// Segments returns the driver's segments with their nodes, including segments whose nodes accept no pods, and with the
// capacity that the driver reports there. It is for the report.
func Segments(ctx context.Context, t *harness.Target) ([]report.Segment, error) {
	dialer, err := t.Dialer()
	if err != nil {
		return nil, err
	}
	lines := connections.New(dialer)
	segments, err := describeSegments(ctx, t, lines)
	return segments, errors.Join(err, lines.Close())
}

func describeSegments(ctx context.Context, t *harness.Target, lines *connections.Shared) ([]report.Segment, error) {
	zones, _, err := harness.DiscoverZones(ctx, t)
	if err != nil {
		return nil, fmt.Errorf("looking for the driver's segments: %w", err)
	}
	controllers, err := harness.Connect(ctx, t, lines)
	var segments []report.Segment
	for _, zone := range zones {
		segment := report.Segment{Name: zone.Name, Topology: zone.Segment, Nodes: zone.NodeNames()}
		if err == nil && len(controllers.ByNode) > 0 {
			// A driver that does not answer has no capacity to show.
			if free, _, refused := controllers.Room(ctx, t.AccessibleFrom(1), zone); refused == nil {
				segment.Bytes = &free
			}
		}
		segments = append(segments, segment)
	}
	return segments, err
}
