// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"maps"
	"slices"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness/connections"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/plugins"
)

// Connect asks the driver's controller for its capabilities: any one of its pods or, if each node has its own controller,
// all of them. It makes no call if the target has no socket of the controller.
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

// Reconnect connects to the driver's controllers again: a controller may have run in a pod that is gone.
func Reconnect(ctx context.Context, s *Scenario) {
	connected, err := Connect(ctx, s.Target, s.Lines)
	s.Need(err, "connecting to the driver again")
	s.Driver = connected
}
