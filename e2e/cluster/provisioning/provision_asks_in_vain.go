// SPDX-License-Identifier: Apache-2.0

package provisioning

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// INVALID_ARGUMENT says that no repetition will help, and csi-provisioner says so in an event: a driver that means a full zone
// by it is not asked elsewhere. Nothing but the text of that event shows it: without it, the case can only end in an error.
func provisionAsksInVain() harness.Case {
	return harness.Case{
		ID:           "provision_asks_in_vain",
		Text:         "says that a volume is infeasible when CreateVolume is INVALID_ARGUMENT",
		Requirements: []string{"K8S-F6"},
		Needs:        needs.All(needs.OneProvisioner(), needs.Recorder()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.WaitForFirstConsumer()))
			recorder.Inject(ctx, s, claim, trace.Rule{Code: "INVALID_ARGUMENT", Message: "said by csi-topo"})
			pods.Create(ctx, s, workload.PodWith(claim))

			recorder.MustBeAsked(ctx, s, claim, predicate.AskedOnce)
			s.Until(ctx, s.Target.Timeouts.Bind, "event of an infeasible volume about claim "+claim.Name, func(context.Context) error {
				return predicate.EventSays(s.Events(), claim.UID, "ProvisioningFailed", "infeasible")
			})
		},
	}
}
