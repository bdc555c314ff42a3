// SPDX-License-Identifier: Apache-2.0

package secrets

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// secretsUnknownParameter uses an unknown parameter with the sidecars' prefix, which is a mistake in the class: a misspelt
// name of a secret must neither reach the driver as a parameter, nor be ignored.
func secretsUnknownParameter() harness.Case {
	return harness.Case{
		ID:           "secrets_unknown_parameter",
		Text:         "refuses a class with an unknown parameter that has the sidecars' prefix, before it calls the driver",
		Requirements: []string{"K8S-L3"},
		Needs:        needs.All(needs.OneProvisioner(), needs.Recorder()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.Immediate().Parameters(parametersWith(s, s.Target.AccessibleFrom(1), map[string]string{
				prefix + "provisioner-secret-nam": "misspelt",
			}))))
			mustBeRefused(ctx, s, "K8S-L3", claim, "found unknown parameter key")
		},
	}
}

// mustBeRefused waits for an event of the provisioner, with this phrase, that it does not request the claim's volume.
func mustBeRefused(ctx context.Context, s *harness.Scenario, requirement string, claim *corev1.PersistentVolumeClaim, phrase string) {
	s.PlatformMust(ctx, s.Target.Timeouts.Bind, requirement, "claim "+claim.Name+" refused", s.Look(claim, func() error {
		created, err := recorder.Created(ctx, s, claim)
		if err != nil {
			return err
		}
		return predicate.RefusedBeforeDriver(claim, s.Events(), created, phrase)
	}))
	suite.Evidence(ctx, "refusal", predicate.EventLines(predicate.StorageWarnings(s.Events())))
}
