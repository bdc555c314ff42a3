// SPDX-License-Identifier: Apache-2.0

package secrets

import (
	"context"
	"path"
	"slices"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// secretsReachCalls shows that each call carries exactly the secret that the class names for it: the class has six, with
// names that depend on the claim and the volume. The driver may not need them, but must accept them.
func secretsReachCalls() harness.Case {
	return harness.Case{
		ID:           "secrets_reach_calls",
		Text:         "carries with each call the secret that the class names for it, by a template, and no other",
		Requirements: []string{"K8S-L1", "CU-12", "SEC-04"},
		Needs:        needs.All(needs.Zones(1), needs.OneProvisioner(), needs.Recorder(), needs.RecorderOnNodes()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			at, claim := s.Zones(1)[0].Nodes[0], claimWith(ctx, s, uses())
			volume := mount(ctx, s, claim, at)
			for _, u := range uses() {
				if u.ref != nil {
					s.PlatformCheck(ctx, "K8S-L1", predicate.SecretRef("secret of volume "+volume.Name+" for "+u.parameter, u.ref(volume.Spec.CSI), claim.Namespace, u.name(claim)))
				}
			}
			claims.MustDelete(ctx, s, claim, volume)

			created, err := recorder.Created(ctx, s, claim)
			s.Need(err, "reading the recorded calls")
			controller, err := recorder.CallsFor(ctx, s, volume)
			s.Need(err, "reading the recorded calls")
			node, err := recorder.On(ctx, s, at).Calls(ctx, volume)
			s.Need(err, "reading the calls recorded on node %s", at.Name)
			carry(ctx, s, slices.Concat(created, controller, node))
		},
	}
}

// carry warns unless each of the calls has carried its secret.
func carry(ctx context.Context, s *harness.Scenario, calls []trace.Call) {
	seen := map[string]int{}
	for _, u := range uses() {
		for _, method := range u.methods {
			for _, call := range predicate.CallsOf(calls, method) {
				seen[path.Base(call.Method)]++
				s.PlatformCheck(ctx, "K8S-L1", predicate.CarriesSecret(call, u.parameter))
				s.PlatformCheck(ctx, "K8S-L1", predicate.WithoutSecretParameters(call))
			}
		}
	}
	suite.Evidence(ctx, "calls that carry a secret", seen)
	for _, always := range []string{"CreateVolume", "NodePublishVolume", "DeleteVolume"} {
		s.Need(predicate.Called(calls, always), "looking for a call that every volume needs")
	}
}
