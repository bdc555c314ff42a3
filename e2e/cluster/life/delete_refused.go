// SPDX-License-Identifier: Apache-2.0

package life

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// deleteRefused makes DeleteVolume fail for a while. The provisioner must repeat it, and finds the volume's id in the
// PersistentVolume, which its finalizer keeps.
func deleteRefused() harness.Case {
	return harness.Case{
		ID:           "delete_refused",
		Text:         "repeats DeleteVolume with growing pauses until it succeeds, and keeps the PersistentVolume until then",
		Requirements: []string{"K8S-O7", "K8S-O8", "K8S-O12"},
		Needs:        needs.All(needs.Zones(1), needs.OwnProvisioner()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const pause, limit, failures = time.Second, time.Minute, 3
			zone := s.Zones(1)[0]
			driver := standin.Create(ctx, s, false)
			driver.RegisterIn(ctx, zone)
			provisioner := driver.StartProvisioner(ctx, standin.Provisioning{Flags: []string{"--retry-interval-start=" + pause.String(), "--retry-interval-max=" + limit.String()}})
			claim := claims.CreateAs(ctx, s, workload.ClaimOf(driver.CreateClass(ctx)).Size(s.Target.VolumeSize))
			provisioner.Provide(ctx, claim, driver.Segment(zone.Name))
			claims.Select(ctx, s, claim, zone.Nodes[0].Name)
			volume := claims.MustBind(ctx, s, claim)
			refused := provisioner.Rule(ctx, trace.Rule{Method: "DeleteVolume", Code: "INTERNAL", Message: "said by csi-topo"})
			provisioner.Deletes(ctx)

			claims.MustDeleteAlone(ctx, s, claim)
			deleted := func(judge func([]trace.Call) error) func(context.Context) error {
				return func(ctx context.Context) error {
					calls, err := provisioner.Deleted(ctx, claim)
					if err != nil {
						return err
					}
					return judge(calls)
				}
			}
			repeated := s.PlatformMust(ctx, s.Target.Timeouts.Delete, "K8S-O7", "DeleteVolume repeated", deleted(predicate.RepeatedAfterFailures(failures)))
			if stays(ctx, s, "K8S-O7", "PersistentVolume", volume) {
				s.PlatformCheck(ctx, "K8S-O12", predicate.KeptBy("PersistentVolume", volume, predicate.VolumeMade))
				s.PlatformCheck(ctx, "K8S-O7", predicate.VolumeInPhase(volume, corev1.VolumeReleased))
			}
			provisioner.End(ctx, refused)
			if !repeated {
				return
			}
			s.PlatformMust(ctx, s.Target.Timeouts.Delete, "K8S-O7", "DeleteVolume answered OK", deleted(predicate.RepeatedUntilOK))
			claims.MustGo(ctx, s, volume)
			calls, err := provisioner.Deleted(ctx, claim)
			s.Need(err, "reading the recorded calls")
			suite.Evidence(ctx, "DeleteVolume", calls)
			s.PlatformCheck(ctx, "K8S-O8", predicate.PausesDouble(calls, pause, limit))
		},
	}
}
