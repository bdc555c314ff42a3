// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"github.com/csi-topo/csi-topo/e2e/cluster/attachment"
	"github.com/csi-topo/csi-topo/e2e/cluster/binding"
	"github.com/csi-topo/csi-topo/e2e/cluster/block"
	"github.com/csi-topo/csi-topo/e2e/cluster/capacity"
	"github.com/csi-topo/csi-topo/e2e/cluster/disruption"
	"github.com/csi-topo/csi-topo/e2e/cluster/expansion"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/kubelet"
	"github.com/csi-topo/csi-topo/e2e/cluster/life"
	"github.com/csi-topo/csi-topo/e2e/cluster/limits"
	"github.com/csi-topo/csi-topo/e2e/cluster/metrics"
	"github.com/csi-topo/csi-topo/e2e/cluster/modification"
	"github.com/csi-topo/csi-topo/e2e/cluster/provisioning"
	"github.com/csi-topo/csi-topo/e2e/cluster/scheduling"
	"github.com/csi-topo/csi-topo/e2e/cluster/secrets"
	"github.com/csi-topo/csi-topo/e2e/cluster/source"
	"github.com/csi-topo/csi-topo/e2e/cluster/spread"
	"github.com/csi-topo/csi-topo/e2e/cluster/topology"
)

// Areas returns all of the tier's cases, in the order of the report.
func Areas() []harness.Area {
	return labelled([]harness.Area{
		binding.Area(), provisioning.Area(), topology.Area(), capacity.Area(), scheduling.Area(), spread.Area(), expansion.Area(), attachment.Area(), life.Area(), kubelet.Area(), modification.Area(),
		block.Area(), source.Area(), secrets.Area(), metrics.Area(), limits.Area(), disruption.Area(),
	})
}
