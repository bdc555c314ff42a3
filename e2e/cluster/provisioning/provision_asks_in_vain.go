// SPDX-License-Identifier: Apache-2.0

package provisioning

import (
	"context"

	corev1 "k8s.io/api/core/v1"

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

// provisionAsksInVain answers INVALID_ARGUMENT, which means that retries are useless: csi-provisioner repeats the call far
// later than after INTERNAL. With a driver that returns it for a full zone, pods wait for minutes.
func provisionAsksInVain() harness.Case {
	return harness.Case{
		ID:           "provision_asks_in_vain",
		Text:         "repeats a CreateVolume that fails with INVALID_ARGUMENT far more slowly than one that fails with INTERNAL",
		Requirements: []string{"K8S-F6"},
		Needs:        needs.All(needs.OneProvisioner(), needs.Recorded(needs.Provisioner)),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const repeated = 4 // after pauses of 1, 2 and 4 seconds
			class := claims.CreateClass(ctx, s, workload.WaitForFirstConsumer())
			refused := func(code string) *corev1.PersistentVolumeClaim {
				claim := claims.Create(ctx, s, class)
				recorder.Inject(ctx, s, claim, trace.Rule{Code: code, Message: "said by csi-topo"})
				pods.Create(ctx, s, workload.PodWith(claim))
				return claim
			}
			infeasible := refused("INVALID_ARGUMENT")
			recorder.MustBeAsked(ctx, s, infeasible, predicate.AskedOnce)

			usual := recorder.MustBeAsked(ctx, s, refused("INTERNAL"), predicate.AskedTimes(repeated))
			slow, err := recorder.Created(ctx, s, infeasible)
			s.Need(err, "reading the recorded calls")
			suite.Evidence(ctx, "calls that are INVALID_ARGUMENT", slow)
			s.PlatformCheck(ctx, "K8S-F6", predicate.RepeatedSlowly(slow, usual))
		},
	}
}
