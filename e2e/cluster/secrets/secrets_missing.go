// SPDX-License-Identifier: Apache-2.0

package secrets

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/secrets"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// secretsMissing creates a claim without the secret that its class names: no volume is created, and the driver is not
// called. Once the secret exists, the volume is created; it can be deleted without the secret, which may be deleted before
// the volume.
func secretsMissing() harness.Case {
	return harness.Case{
		ID:           "secrets_missing",
		Text:         "asks for a volume only once the secret of its class exists, and deletes it without the secret",
		Requirements: []string{"K8S-L2"},
		Needs:        needs.All(needs.OneProvisioner(), needs.Recorder()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const name, key = "absent", "provisioner"
			secrets.Grant(ctx, s)
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.Immediate().Parameters(parametersWith(s, s.Target.AccessibleFrom(1), map[string]string{
				prefix + "provisioner-secret-name":      name,
				prefix + "provisioner-secret-namespace": "${pvc.namespace}",
			}))))
			mustBeRefused(ctx, s, "K8S-L2", claim, name)

			secret := secrets.Create(ctx, s, name, key)
			volume := claims.MustBind(ctx, s, claim)
			created, err := recorder.Created(ctx, s, claim)
			s.Need(err, "reading the recorded calls")
			for _, call := range created {
				s.PlatformCheck(ctx, "K8S-L2", predicate.CarriesSecret(call, key))
			}

			secrets.Delete(ctx, s, secret)
			claims.MustDelete(ctx, s, claim, volume)
			var deleted []trace.Call
			s.Until(ctx, s.Target.Timeouts.Delete, "DeleteVolume of volume "+volume.Name, func(ctx context.Context) error {
				calls, err := recorder.CallsFor(ctx, s, volume)
				if err != nil {
					return err
				}
				deleted = predicate.CallsOf(calls, "DeleteVolume")
				return predicate.Called(calls, "DeleteVolume")
			})
			for _, call := range deleted {
				s.PlatformCheck(ctx, "K8S-L2", predicate.CarriesSecret(call, ""))
			}
		},
	}
}
