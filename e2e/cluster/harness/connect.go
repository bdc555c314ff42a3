// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"maps"
	"slices"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness/connections"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/plugins"
)

// Connect asks the controller, any of its pods or, where each has volumes of its own, all of them, for its capabilities. Where
// nobody says where it is, nothing is asked of it.
func Connect(ctx context.Context, t *Target, lines *connections.Shared) (*plugins.All, error) {
	connected := &plugins.All{ByNode: map[string]*plugins.Plugin{}, PerNode: t.ControllerPerNode}
	if t.Controller == nil {
		return connected, nil
	}
	sockets, err := t.SocketsOf(ctx, t.Controller)
	if err != nil {
		return nil, err
	}
	for _, node := range slices.Sorted(maps.Keys(sockets)) {
		if connected.ByNode[node], err = plugins.Connect(ctx, lines, sockets[node], t.Timeouts.Connect, t.Timeouts.Call); err != nil {
			return nil, err
		}
		if !connected.PerNode {
			break
		}
	}
	return connected, nil
}

// Reconnect connects to the driver's controllers again: one may have run in a pod that is gone.
func Reconnect(ctx context.Context, s *Scenario) {
	connected, err := Connect(ctx, s.Target, s.Lines)
	s.Need(err, "connecting to the driver again")
	s.Driver = connected
}
