// SPDX-License-Identifier: Apache-2.0

package volume

import "github.com/csi-topo/csi-topo/driver/durable"

// MounterConfig is what a mounter knows of where it runs.
type MounterConfig struct {
	// NodeID is the node's id, which tells a mounter its own loop devices
	// where several nodes share one kernel.
	NodeID string
	// Watch is told of every step that outlives the process; nil does nothing.
	Watch durable.Watch
}
