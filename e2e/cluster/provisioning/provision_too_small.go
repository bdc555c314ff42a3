// SPDX-License-Identifier: Apache-2.0

package provisioning

import (
	"context"
	"errors"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// provisionTooSmall answers with a volume smaller than the claim: the provisioner deletes the volume, and repeats the
// request.
func provisionTooSmall() harness.Case {
	return harness.Case{
		ID:           "provision_too_small",
		Text:         "deletes a volume that is smaller than its claim, and asks for another",
		Requirements: []string{"K8S-F9"},
		Needs:        needs.All(needs.Zones(1), needs.OneProvisioner(), needs.Recorder()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.WaitForFirstConsumer()))
			small := recorder.Inject(ctx, s, claim, trace.Rule{Patch: []byte(`{"volume": {"capacity_bytes": "4096"}}`)})
			pods.Create(ctx, s, workload.PodWith(claim).In(zone.Segment))
			var answered trace.Call
			recorder.MustBeAsked(ctx, s, claim, func(calls []trace.Call) (err error) {
				var found bool
				if answered, found = predicate.FirstOK(calls); !found {
					return errors.New("no volume was returned yet")
				}
				return nil
			})
			small.End(ctx)

			recorder.MustHaveDeleted(ctx, s, answered, claim)
			claims.MustBind(ctx, s, claim)
		},
	}
}
