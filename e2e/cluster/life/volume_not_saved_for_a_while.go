// SPDX-License-Identifier: Apache-2.0

package life

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/admission"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// volumeNotSavedForAWhile makes the API server refuse the PersistentVolumes of two volumes for a while. One of the claims
// is deleted meanwhile. The provisioner's metrics count its attempts.
func volumeNotSavedForAWhile() harness.Case {
	return harness.Case{
		ID:           "volume_not_saved_for_a_while",
		Text:         "saves a PersistentVolume once the API server accepts it, deletes no volume meanwhile, and afterwards deletes one whose claim is gone",
		Requirements: []string{"K8S-O10", "K8S-O11"},
		Needs:        needs.All(needs.Zones(1), needs.OwnProvisioner()),
		Long:         true,
		Run: func(ctx context.Context, s *harness.Scenario) {
			// Pauses double from 5 ms on: this number takes 10 seconds.
			const port, triesOfEach = 8081, 11
			zone := s.Zones(1)[0]
			driver := standin.Create(ctx, s, false)
			driver.RegisterIn(ctx, zone)
			provisioner := driver.StartProvisioner(ctx, standin.Provisioning{Flags: []string{"--http-endpoint=:8081"}})
			provisioner.Deletes(ctx)
			class := driver.CreateClassAs(ctx, workload.Immediate())
			create := func() *corev1.PersistentVolumeClaim {
				return claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(s.Target.VolumeSize))
			}
			kept, lost := create(), create()
			refusal := admission.RefuseVolumes(ctx, s, workload.VolumeFor(kept, class).Size(s.Target.VolumeSize))
			for _, claim := range []*corev1.PersistentVolumeClaim{kept, lost} {
				provisioner.Provide(ctx, claim, driver.Segment(zone.Name))
				provisioner.MustBeAsked(ctx, claim, predicate.AnsweredAs("OK", 1))
			}
			claims.MustDeleteAlone(ctx, s, lost)
			s.Until(ctx, s.Target.Timeouts.Bind, "PersistentVolumes refused again and again", func(ctx context.Context) error {
				scraped, err := provisioner.Scrape(ctx, port)
				if err != nil {
					return err
				}
				return predicate.Counted(scraped, "workqueue_retries_total", map[string]string{"name": "unsavedpvs"}, 2*triesOfEach)
			})
			mustBeLeft := func(requirement string, claim *corev1.PersistentVolumeClaim) {
				calls, err := provisioner.Deleted(ctx, claim)
				s.Need(err, "reading the recorded calls")
				s.PlatformCheck(ctx, requirement, predicate.NotAsked(calls))
			}
			mustBeLeft("K8S-O10", kept)
			mustBeLeft("K8S-O11", lost)

			refusal.End(ctx)
			s.PlatformMust(ctx, s.Target.Timeouts.Bind, "K8S-O10", "PersistentVolume saved", func(ctx context.Context) error {
				if err := s.Reread(ctx, kept); err != nil {
					return err
				}
				calls, err := provisioner.Deleted(ctx, kept)
				if err != nil {
					return err
				}
				return predicate.SavedLater(kept, calls)
			})
			s.PlatformMust(ctx, s.Target.Timeouts.Delete, "K8S-O11", "volume of a claim that is gone deleted", func(ctx context.Context) error {
				calls, err := provisioner.Recorded(ctx)
				if err != nil {
					return err
				}
				return predicate.Volumes().LeavesNothing(calls, recorder.NameOf(lost))
			})
		},
	}
}
