// SPDX-License-Identifier: Apache-2.0

package life

import (
	"context"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// claimDeletedWhileCreatedAgain changes a claim while CreateVolume is in flight, so that the provisioner syncs it again at
// once: it may repeat CreateVolume before it has seen the PersistentVolume that it has just saved. The claim and the volume
// are deleted while that call is in flight, and it recreates the volume. The PersistentVolume is kept until then. Several
// claims are used, so that at least one gets into that state.
func claimDeletedWhileCreatedAgain() harness.Case {
	return harness.Case{
		ID:           "claim_deleted_while_created_again",
		Text:         "deletes the volume of a claim that is deleted while CreateVolume is repeated",
		Requirements: []string{"K8S-O4"},
		Needs:        needs.All(needs.Zones(1), needs.OwnProvisioner()),
		Long:         true,
		Run: func(ctx context.Context, s *harness.Scenario) {
			const several = 12
			zone := s.Zones(1)[0]
			driver := standin.Create(ctx, s, false)
			driver.RegisterIn(ctx, zone)
			// The calls are held for longer than the provisioner waits in other cases.
			provisioner := driver.StartProvisioner(ctx, standin.Provisioning{Flags: []string{"--timeout=2m"}})
			provisioner.Deletes(ctx)
			class := driver.CreateClass(ctx)
			var all []*repeated
			for range several {
				r := &repeated{s: s, provisioner: provisioner, claim: claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(s.Target.VolumeSize))}
				held := provisioner.Volume(r.claim, driver.Segment(zone.Name))
				held.Delay, held.Times = trace.Duration(2*time.Minute), 1
				r.first, r.second = provisioner.Rule(ctx, held), provisioner.Rule(ctx, held)
				provisioner.Provide(ctx, r.claim, driver.Segment(zone.Name))
				claims.Select(ctx, s, r.claim, zone.Nodes[0].Name)
				all = append(all, r)
			}
			for _, r := range all {
				r.mustBeAsked(ctx)
				claims.Touch(ctx, s, r.claim)
			}
			for _, r := range all {
				provisioner.End(ctx, r.first)
				r.volume = claims.MustBind(ctx, s, r.claim)
			}
			again := slices.DeleteFunc(all, func(r *repeated) bool { return !r.isAskedAgain(ctx) })
			suite.Evidence(ctx, "claims for which CreateVolume was repeated", fmt.Sprintf("%d of %d", len(again), several))
			for _, r := range again {
				r.deleteMeanwhile(ctx)
			}

			next := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(s.Target.VolumeSize))
			provisioner.Provide(ctx, next, driver.Segment(zone.Name))
			claims.Select(ctx, s, next, zone.Nodes[0].Name)
			claims.MustDelete(ctx, s, next, claims.MustBind(ctx, s, next))
			calls, err := provisioner.Recorded(ctx)
			s.Need(err, "reading the recorded calls")
			for _, r := range again {
				s.PlatformCheck(ctx, "K8S-O4", predicate.Volumes().LeavesNothing(calls, recorder.NameOf(r.claim)))
			}
		},
	}
}

// repeated is a claim for which CreateVolume may be repeated.
type repeated struct {
	s           *harness.Scenario
	provisioner *standin.Provisioner
	claim       *corev1.PersistentVolumeClaim
	volume      *corev1.PersistentVolume
	// first and second are the rules that hold the calls.
	first, second string
}

// mustBeAsked waits for the first call to be in flight.
func (r *repeated) mustBeAsked(ctx context.Context) {
	r.s.Until(ctx, r.s.Target.Timeouts.Bind, "CreateVolume for claim "+r.claim.Name, func(ctx context.Context) error {
		used, err := r.provisioner.Used(ctx, r.first)
		if err == nil && used == 0 {
			err = fmt.Errorf("CreateVolume was not called for claim %s", r.claim.Name)
		}
		return err
	})
}

// isAskedAgain reports whether a second call is in flight.
func (r *repeated) isAskedAgain(ctx context.Context) bool {
	used, err := r.provisioner.Used(ctx, r.second)
	r.s.Need(err, "reading the calls in flight")
	return used > 0
}

// deleteMeanwhile deletes the claim and its volume while the second call is in flight, and then lets the call be answered.
// The PersistentVolume is kept until the provisioner has saved the answer.
func (r *repeated) deleteMeanwhile(ctx context.Context) {
	s := r.s
	keep := func(ctx context.Context, finalizers ...string) error {
		return s.Patch(ctx, r.volume, map[string]any{"metadata": map[string]any{"finalizers": finalizers}})
	}
	s.Need(s.Reread(ctx, r.volume), "reading a PersistentVolume")
	s.OnCleanUp(func(ctx context.Context) error {
		err := keep(ctx)
		if harness.Gone(err, "") == nil {
			return nil
		}
		return err
	})
	s.Need(keep(ctx, append(slices.Clone(r.volume.Finalizers), "csi-topo/kept")...), "keeping PersistentVolume %s", r.volume.Name)
	claims.MustDeleteAlone(ctx, s, r.claim)
	s.Until(ctx, s.Target.Timeouts.Delete, "DeleteVolume for claim "+r.claim.Name, func(ctx context.Context) error {
		calls, err := r.provisioner.Deleted(ctx, r.claim)
		if err != nil {
			return err
		}
		return predicate.AnsweredAs("OK", 1)(calls)
	})
	r.provisioner.End(ctx, r.second)
	r.provisioner.MustBeAsked(ctx, r.claim, predicate.AnsweredAs("OK", 2))
	s.Until(ctx, s.Target.Timeouts.Delete, "PersistentVolume "+r.volume.Name+" let go by its provisioner", s.Look(r.volume, func() error {
		return predicate.LetGoBy("PersistentVolume", r.volume, predicate.VolumeMade)
	}))
	s.Need(keep(ctx), "no longer keeping PersistentVolume %s", r.volume.Name)
	claims.MustGo(ctx, s, r.volume)
}
