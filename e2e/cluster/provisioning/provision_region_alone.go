// SPDX-License-Identifier: Apache-2.0

package provisioning

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// provisionRegionAlone registers the driver's nodes with region and zone, and allows only a region in the class. The pod
// prefers the other region.
func provisionRegionAlone() []harness.Case {
	const requirement = "K8S-A14"
	var cases []harness.Case
	for _, c := range []struct {
		id, text string
		built    func() *workload.Class
		flag     string
		waits    bool
	}{
		{"provision_region_alone", "puts pod and volume into the region that the class names without a zone, with strict topology", workload.WaitForFirstConsumer, "--strict-topology=true", true},
		{"provision_region_alone_any", "puts pod and volume into the region that the class names without a zone, without strict topology", workload.WaitForFirstConsumer, "--strict-topology=false", true},
		{"provision_region_alone_immediate", "asks for the region that the class names without a zone, when a claim binds immediately", workload.Immediate, "--strict-topology=true", false},
	} {
		cases = append(cases, harness.Case{
			ID: c.id, Text: c.text, Requirements: []string{requirement},
			Needs: needs.All(needs.Zones(2), needs.OwnProvisioner()),
			Run: func(ctx context.Context, s *harness.Scenario) {
				zones := s.Zones(2)
				liked, allowed := zones[0], zones[1]
				driver := standin.Create(ctx, s, false)
				region := predicate.Segment{driver.RegionKey(): "allowed"}
				segment := predicate.Segment{driver.RegionKey(): "allowed", driver.ZoneKey(): allowed.Name}
				driver.Register(ctx, segment, allowed.NodeNames()...)
				driver.Register(ctx, predicate.Segment{driver.RegionKey(): "liked", driver.ZoneKey(): liked.Name}, liked.NodeNames()...)
				provisioner := driver.StartProvisioner(ctx, standin.Provisioning{Flags: []string{c.flag}})
				claim := claims.CreateAs(ctx, s, workload.ClaimOf(driver.CreateClassAs(ctx, c.built().AllowedIn(region))).Size(*gi(1)))
				provisioner.Provide(ctx, claim, segment)
				if c.waits {
					pod := pods.Create(ctx, s, workload.PodWith(claim).InAny(liked.Segment, allowed.Segment).Preferring(liked.Segment))
					if !s.PlatformMust(ctx, s.Target.Timeouts.Schedule, requirement, "node selected for claim "+claim.Name, s.Look(claim, func() error {
						return predicate.ClaimSelects(claim, allowed.NodeNames())
					})) {
						return
					}
					pods.MustBeScheduled(ctx, s, pod)
				}

				asked := provisioner.Requirement(ctx, claim)

				s.PlatformCheck(ctx, requirement, predicate.AskedWithin("requisite", asked.GetRequisite(), region))
				s.PlatformCheck(ctx, requirement, predicate.AskedWithin("preferred", asked.GetPreferred(), region))
				claims.MustBind(ctx, s, claim)
			},
		})
	}
	return cases
}
