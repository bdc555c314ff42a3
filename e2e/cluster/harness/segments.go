// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"errors"
	"fmt"

	"github.com/csi-topo/csi-topo/e2e/report"
)

// Segments are the driver's segments with their nodes, those that take no pods too, and with what the driver says is
// available there. It is for what a report says of the cluster.
func Segments(ctx context.Context, t *Target) ([]report.Segment, error) {
	dialer, err := t.dialer()
	if err != nil {
		return nil, err
	}
	lines := newConnections(dialer)
	s := &Scenario{Target: t, kube: lines.Kube, lines: lines}
	segments, err := s.describeSegments(ctx)
	return segments, errors.Join(err, lines.close())
}

func (s *Scenario) describeSegments(ctx context.Context) ([]report.Segment, error) {
	if err := s.discoverZones(ctx); err != nil {
		return nil, fmt.Errorf("looking for the driver's segments: %w", err)
	}
	controllers, err := s.connect(ctx)
	var segments []report.Segment
	for _, zone := range s.all {
		segment := report.Segment{Name: zone.Name, Topology: zone.Segment, Nodes: zone.NodeNames()}
		if err == nil && len(controllers.byNode) > 0 {
			// A driver that does not say has none to show.
			if free, _, refused := controllers.room(ctx, s.AccessibleFrom(1), zone); refused == nil {
				segment.Bytes = &free
			}
		}
		segments = append(segments, segment)
	}
	return segments, err
}
