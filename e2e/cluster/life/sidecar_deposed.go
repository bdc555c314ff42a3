// SPDX-License-Identifier: Apache-2.0

package life

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// sidecarDeposed runs two pods of a sidecar, one of which leads: only the leader calls the driver, repeatedly, because the
// answer is UNAVAILABLE. When it is deleted, the other pod takes over.
func sidecarDeposed() []harness.Case {
	const requirement = "K8S-R3"
	var cases []harness.Case
	for _, c := range []struct {
		sidecar, method string
		needs           []harness.Need
		// ask creates work for the sidecar.
		ask func(ctx context.Context, s *harness.Scenario, driver *standin.StandIn, at topology.Node)
	}{
		{
			"attacher", "ControllerPublishVolume", nil,
			func(ctx context.Context, s *harness.Scenario, driver *standin.StandIn, at topology.Node) {
				_, volume := existing(ctx, s, driver)
				driver.CreateAttachment(ctx, volume.Name, at)
			},
		},
		{
			"resizer", "ControllerExpandVolume", nil,
			func(ctx context.Context, s *harness.Scenario, driver *standin.StandIn, _ topology.Node) {
				claim, _ := existing(ctx, s, driver)
				claims.MustBind(ctx, s, claim)
				s.Need(growth.Ask(ctx, s, claim, growth.Times(s, 2)), "asking for a larger volume")
			},
		},
		{
			"snapshotter", "CreateSnapshot", needs.Snapshots(),
			func(ctx context.Context, s *harness.Scenario, driver *standin.StandIn, _ topology.Node) {
				snapshots.Ask(ctx, s, driver.Driver.Name, "volume")
			},
		},
	} {
		cases = append(cases, harness.Case{
			ID:           "sidecar_deposed_" + c.sidecar,
			Text:         "calls the driver from one of two pods of csi-" + c.sidecar + " only, and from the other one when that pod is deleted",
			Requirements: []string{requirement},
			Needs:        needs.All(needs.Zones(1), needs.OwnProvisioner(), c.needs),
			Run: func(ctx context.Context, s *harness.Scenario) {
				zone := s.Zones(1)[0]
				driver := standin.CreateAttaching(ctx, s, "stand-in", true)
				driver.RegisterIn(ctx, zone)
				sidecars := driver.StartSidecars(ctx, "csi-"+c.sidecar, c.method)
				c.ask(ctx, s, driver, zone.Nodes[0])

				first := sidecars.MustActAlone(ctx, requirement)
				if first == "" {
					return
				}
				sidecars.Depose(ctx, first)
				sidecars.MustActAlone(ctx, requirement, first)
			},
		})
	}
	return cases
}

// existing creates a claim, and a PersistentVolume for it that no driver has created.
func existing(ctx context.Context, s *harness.Scenario, driver *standin.StandIn) (*corev1.PersistentVolumeClaim, *corev1.PersistentVolume) {
	class := driver.CreateClassAs(ctx, workload.Immediate())
	claim := claims.Create(ctx, s, class)
	return claim, claims.CreateVolume(ctx, s, workload.VolumeFor(claim, class).Size(s.Target.VolumeSize))
}
