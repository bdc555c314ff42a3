// SPDX-License-Identifier: Apache-2.0

package provisioning

import (
	"context"
	"errors"
	"time"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// provisionExhausted fills all zones, which only the driver's answers reveal: the pod moves from zone to zone, at most a
// few times per second, and gets its volume once there is room. Without topology it cannot go anywhere, and its node stays
// selected.
func provisionExhausted() []harness.Case {
	const refused = 4
	var cases []harness.Case
	for _, c := range []struct {
		id, text, behaviour string
		topology            bool
	}{
		{"provision_exhausted", "asks again when every zone is full, a few times a second at most, until there is room", "K8S-F7", true},
		{"provision_exhausted_without_topology", "keeps the selected node when the driver has no room and no topology", "K8S-F2", false},
	} {
		cases = append(cases, harness.Case{
			ID: c.id, Text: c.text, Requirements: []string{c.behaviour},
			Needs: needs.All(needs.Zones(2), needs.OwnProvisioner()),
			Run: func(ctx context.Context, s *harness.Scenario) {
				const patience = 300 * time.Millisecond
				zones := s.Zones(2)
				driver := standin.Create(ctx, s, false)
				driver.RegisterIn(ctx, zones...)
				provisioner := driver.StartProvisioner(ctx, standin.Provisioning{Flags: []string{"--strict-topology=true"}, WithoutTopology: !c.topology})
				claim := claims.CreateAs(ctx, s, workload.ClaimOf(driver.CreateClass(ctx)).Size(*gi(1)))
				full := provisioner.Rule(ctx, provisioner.Refuse(claim, "RESOURCE_EXHAUSTED"))
				selected := claims.WatchSelectedNode(ctx, s, claim)
				pod := pods.Create(ctx, s, workload.PodWith(claim).InAny(driver.Segment(zones[0].Name), driver.Segment(zones[1].Name)))
				calls := provisioner.MustBeAsked(ctx, claim, func(calls []trace.Call) error {
					enough := predicate.AskedTimes(refused)(calls)
					if !c.topology {
						return enough
					}
					nodes, _ := selected.Seen()
					return errors.Join(predicate.TakenBack(nodes), enough)
				})
				s.Check(predicate.NotHurried(calls, patience))
				s.Need(s.Reread(ctx, claim), "reading the claim")
				s.Check(predicate.ClaimWithoutVolume(claim))

				if c.topology {
					provisioner.Provide(ctx, claim, driver.Segment(zones[0].Name), driver.Segment(zones[1].Name))
				} else {
					provisioner.Provide(ctx, claim)
				}
				provisioner.End(ctx, full)

				claims.MustBind(ctx, s, claim)
				pods.MustBeScheduled(ctx, s, pod)
				nodes, _ := selected.Seen()
				suite.Evidence(ctx, "selected nodes", nodes)
				if !c.topology {
					s.Check(predicate.SelectedOnce(nodes))
				}
			},
		})
	}
	return cases
}
