// SPDX-License-Identifier: Apache-2.0

package provisioning

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// provisionOutsideAllowed selects a node that the class does not allow. The scheduler would not, so the case does it, like
// a scheduler that ignores allowedTopologies. Another claim of the class gets its volume, which shows that the provisioner
// would have acted.
func provisionOutsideAllowed() []harness.Case {
	const requirement = "K8S-B23"
	var cases []harness.Case
	for _, c := range []struct{ id, text, flag string }{
		{"provision_outside_allowed", "asks for no volume, and says so, for a selected node that the class does not allow, with strict topology", "--strict-topology=true"},
		{"provision_outside_allowed_any", "asks for no volume, and says so, for a selected node that the class does not allow, without strict topology", "--strict-topology=false"},
	} {
		cases = append(cases, harness.Case{
			ID: c.id, Text: c.text, Requirements: []string{requirement},
			Needs: needs.All(needs.Zones(2), needs.OwnProvisioner()),
			Run: func(ctx context.Context, s *harness.Scenario) {
				zones := s.Zones(2)
				allowed, other := zones[0], zones[1]
				driver := standin.Create(ctx, s, false)
				driver.RegisterIn(ctx, zones...)
				provisioner := driver.StartProvisioner(ctx, standin.Provisioning{Flags: []string{c.flag}})
				class := driver.CreateClassAs(ctx, workload.WaitForFirstConsumer().AllowedIn(driver.Segment(allowed.Name)))
				outside := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(*gi(1)))
				inside := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(*gi(1)))
				provisioner.Provide(ctx, outside, driver.Segment(other.Name))
				provisioner.Provide(ctx, inside, driver.Segment(allowed.Name))
				notAsked := func(ctx context.Context) error {
					calls, err := provisioner.Created(ctx, outside)
					if err != nil {
						return err
					}
					return predicate.NotAsked(calls)
				}

				claims.Select(ctx, s, outside, other.Nodes[0].Name)

				if !s.PlatformMust(ctx, s.Target.Timeouts.Bind, requirement, "provisioning of claim "+outside.Name+" refused", func(ctx context.Context) error {
					if err := notAsked(ctx); err != nil {
						return err
					}
					return predicate.EventSays(s.Events(), outside.UID, "ProvisioningFailed")
				}) {
					return
				}
				claims.Select(ctx, s, inside, allowed.Nodes[0].Name)
				claims.MustBind(ctx, s, inside)
				s.PlatformCheck(ctx, requirement, notAsked(ctx))
				s.Need(s.Reread(ctx, outside), "reading the claim")
				s.PlatformCheck(ctx, requirement, predicate.ClaimWithoutVolume(outside))
			},
		})
	}
	return cases
}
