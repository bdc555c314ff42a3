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
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// INVALID_ARGUMENT says that no repetition will help, and the provisioner tells so: drivers that mean a full zone by it are
// not asked elsewhere.
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
			if s.Within(ctx, s.Target.Timeouts.Bind, func(context.Context) error {
				return predicate.EventSays(s.Events(), claim.UID, "ProvisioningFailed", "infeasible")
			}) != nil {
				suite.Warn(ctx, "K8S-F6", "the provisioner says nothing of an infeasible volume: it treats INVALID_ARGUMENT as any other final error")
			}
		},
	}
}
