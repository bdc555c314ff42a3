// SPDX-License-Identifier: Apache-2.0

package provisioning

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// provisionSelector creates a claim with a selector, which chooses among existing volumes and is never passed to a driver.
// A claim without a selector gets its volume, which shows that the provisioner serves the class.
func provisionSelector() harness.Case {
	return harness.Case{
		ID:           "provision_selector",
		Text:         "asks for no volume for a claim with a selector, and says why",
		Requirements: []string{"K8S-O3"},
		Needs:        needs.All(needs.OneProvisioner(), needs.Recorded(needs.Provisioner)),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const requirement = "K8S-O3"
			class := claims.CreateClass(ctx, s, workload.Immediate())
			selecting := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(s.Target.VolumeSize).Selecting("csi-topo/volume", s.Namespace))
			plain := claims.Create(ctx, s, class)
			notAsked := func(ctx context.Context) error {
				calls, err := recorder.Created(ctx, s, selecting)
				if err != nil {
					return err
				}
				return predicate.NotAsked(calls)
			}

			if !s.PlatformMust(ctx, s.Target.Timeouts.Bind, requirement, "provisioning of claim "+selecting.Name+" refused", func(ctx context.Context) error {
				if err := notAsked(ctx); err != nil {
					return err
				}
				return predicate.EventSays(s.Events(), selecting.UID, "ProvisioningFailed", "elector") // or Selector
			}) {
				return
			}
			claims.MustBind(ctx, s, plain)
			recorder.MustBeAsked(ctx, s, plain, predicate.AskedOnce)
			s.PlatformCheck(ctx, requirement, notAsked(ctx))
			s.Need(s.Reread(ctx, selecting), "reading the claim")
			s.PlatformCheck(ctx, requirement, predicate.ClaimWithoutVolume(selecting))
		},
	}
}
