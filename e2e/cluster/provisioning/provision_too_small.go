// SPDX-License-Identifier: Apache-2.0

package provisioning

import (
	"context"
	"errors"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// An answer with a volume smaller than the claim is none: the provisioner deletes the volume, and asks again.
func provisionTooSmall() harness.Case {
	return harness.Case{
		ID:           "provision_too_small",
		Text:         "deletes a volume that is smaller than its claim, and asks for another",
		Requirements: []string{"K8S-F9"},
		Needs:        harness.Needs(harness.Zones(1), harness.OneProvisioner(), harness.Recorder()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			claim := s.CreateClaim(ctx, s.CreateClass(ctx, workload.WaitForFirstConsumer()))
			small := s.Inject(ctx, claim, trace.Rule{Patch: []byte(`{"volume": {"capacity_bytes": "4096"}}`)})
			s.CreatePod(ctx, workload.PodWith(claim).In(zone.Segment))
			var answered trace.Call
			s.MustBeAsked(ctx, claim, func(calls []trace.Call) (err error) {
				var found bool
				if answered, found = predicate.FirstOK(calls); !found {
					return errors.New("no volume was answered yet")
				}
				return nil
			})
			small.End(ctx)

			s.MustHaveDeleted(ctx, answered, claim)
			s.MustBind(ctx, claim)
		},
	}
}
