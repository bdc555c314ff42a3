// SPDX-License-Identifier: Apache-2.0

package provisioning

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// provisionNodeGone deletes a node, which will not come back, while a claim waits for its volume there: the provisioner
// removes the selected node, and the pod is scheduled again. The provisioner starts late on purpose, so that the node is
// gone when it first sees the claim.
func provisionNodeGone() harness.Case {
	return harness.Case{
		ID:           "provision_node_gone",
		Text:         "schedules a pod again whose selected node was deleted before its volume was created",
		Requirements: []string{"K8S-B13", "K8S-F8"},
		Needs:        needs.All(needs.Zones(1), needs.OwnProvisioner()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			driver := standin.Create(ctx, s, false)
			driver.RegisterIn(ctx, zone)
			segment := driver.Segment("gone")
			node, taints := driver.CreateNode(ctx, segment)
			claim := claims.CreateAs(ctx, s, workload.ClaimOf(driver.CreateClass(ctx)).Size(*gi(1)))
			selected := claims.WatchSelectedNode(ctx, s, claim)
			built := workload.PodWith(claim).InAny(segment, driver.Segment(zone.Name)).Preferring(segment)
			for _, taint := range taints {
				built.Tolerating(taint)
			}
			pod := pods.Create(ctx, s, built)
			gone := topology.Zone{Nodes: []topology.Node{node}}
			claims.MustSelect(ctx, s, claim, gone)
			driver.DeleteNode(ctx, node)

			provisioner := driver.StartProvisioner(ctx, standin.Provisioning{Flags: []string{"--strict-topology=true"}})
			provisioner.Provide(ctx, claim, driver.Segment(zone.Name))

			claims.MustSelectAs(ctx, s, claim, selected, func(nodes []string) error { return predicate.Rescheduled(nodes, gone.NodeNames()) })
			// If the scheduler is fast, csi-provisioner replaces the claim with the new node in its cache by its own
			// earlier update without a node, and does nothing until the claim changes again, or for 15 minutes
			// (sig-storage-lib-external-provisioner v13.0.0 controller.go:1403).
			claims.Touch(ctx, s, claim)
			claims.MustBind(ctx, s, claim)
			pods.MustBeScheduled(ctx, s, pod)
			s.Check(predicate.PodOn(pod, zone.NodeNames()))
			s.Check(predicate.Asked("requisite", provisioner.Requirement(ctx, claim).GetRequisite(), driver.Segment(zone.Name)))
		},
	}
}
