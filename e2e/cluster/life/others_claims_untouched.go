// SPDX-License-Identifier: Apache-2.0

package life

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// othersClaimsUntouched creates objects of another driver, which does not run, in addition to the driver's: a claim without
// a volume, a volume to grow and to attach, and one to delete. Later actions of the sidecars for the driver show that they
// have seen the other objects, too.
func othersClaimsUntouched() harness.Case {
	return harness.Case{
		ID:           "others_claims_untouched",
		Text:         "leaves claims, volumes and attachments of another driver alone, and says whose the driver's own are",
		Requirements: []string{"K8S-O1", "K8S-O15", "K8S-O16", "K8S-O17", "K8S-O22"},
		Needs:        needs.All(needs.Zones(1), needs.OneProvisioner(), needs.Recorder()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			other := standin.CreateAttaching(ctx, s, "other", true)
			theirs := foreign{s: s, driver: other, class: other.CreateClassAs(ctx, workload.Immediate())}
			theirs.create(ctx)
			theirs.attachment = other.CreateAttachment(ctx, theirs.growing.volume.Name, zone.Nodes[0])

			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.Immediate()))
			volume := claims.MustBind(ctx, s, claim)
			for _, annotation := range predicate.Provisioners() {
				s.PlatformCheck(ctx, "K8S-O22", predicate.Says("PersistentVolumeClaim", claim, annotation, s.Target.Driver))
			}
			s.PlatformCheck(ctx, "K8S-O16", predicate.Says("PersistentVolume", volume, predicate.ProvisionedBy, s.Target.Driver))
			s.PlatformCheck(ctx, "K8S-O1", predicate.NamedAfter(volume, claim))
			calls, err := recorder.Calls(ctx, s)
			s.Need(err, "reading the recorded calls")
			s.PlatformCheck(ctx, "K8S-O1", predicate.CreatedAs(calls, harness.HandleOf(volume), volume.Name))
			if s.Driver.Claims(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME) {
				s.Need(growth.Ask(ctx, s, claim, growth.Times(s, 2)), "asking for a larger volume")
				growth.MustReachVolume(ctx, s, claim, growth.Times(s, 2))
			}
			pod := pods.Create(ctx, s, workload.PodWith(claim))
			pods.MustRun(ctx, s, pod)
			pods.Remove(ctx, s, pod)
			claims.MustDelete(ctx, s, claim, volume)

			theirs.mustBeUntouched(ctx)
		},
	}
}

// foreign are the objects of another driver.
type foreign struct {
	s          *harness.Scenario
	driver     *standin.StandIn
	class      *storagev1.StorageClass
	waiting    *corev1.PersistentVolumeClaim
	growing    bound
	released   bound
	attachment *storagev1.VolumeAttachment
}

// bound is a claim with its volume.
type bound struct {
	claim  *corev1.PersistentVolumeClaim
	volume *corev1.PersistentVolume
}

// create creates the claims and volumes, and waits until the cluster has bound or released them.
func (f *foreign) create(ctx context.Context) {
	s := f.s
	size := s.Target.VolumeSize
	claim := func() *corev1.PersistentVolumeClaim {
		return claims.CreateAs(ctx, s, workload.ClaimOf(f.class).Size(size))
	}
	with := func(claim *corev1.PersistentVolumeClaim) bound {
		volume := claims.CreateVolume(ctx, s, workload.VolumeFor(claim, f.class).Size(size).Deleted().Annotated(predicate.ProvisionedBy, f.driver.Driver.Name))
		s.Until(ctx, s.Target.Timeouts.Bind, "claim "+claim.Name+" bound", s.Look(claim, func() error { return predicate.ClaimBound(claim) }))
		return bound{claim, volume}
	}
	f.waiting, f.growing, f.released = claim(), with(claim()), with(claim())
	s.Need(growth.Ask(ctx, s, f.growing.claim, growth.Times(s, 2)), "asking for a larger volume of another driver")
	claims.MustDeleteAlone(ctx, s, f.released.claim)
	released(ctx, s, f.released.volume)
}

// mustBeUntouched checks that the objects are as they were created, and that no call was made for them.
func (f *foreign) mustBeUntouched(ctx context.Context) {
	s := f.s
	calls, err := recorder.Calls(ctx, s)
	s.Need(err, "reading the recorded calls")
	s.Need(s.Reread(ctx, f.waiting), "reading a claim of another driver")
	s.PlatformCheck(ctx, "K8S-O17", predicate.ClaimWithoutVolume(f.waiting))
	s.PlatformCheck(ctx, "K8S-O17", predicate.NotAsked(recorder.CreatedFor(calls, f.waiting)))
	for _, annotation := range predicate.Provisioners() {
		s.PlatformCheck(ctx, "K8S-O22", predicate.Says("PersistentVolumeClaim", f.waiting, annotation, f.driver.Driver.Name))
	}
	for _, at := range []struct {
		requirement string
		bound
	}{{"K8S-O15", f.growing}, {"K8S-O16", f.released}} {
		if stays(ctx, s, at.requirement, "PersistentVolume", at.volume) {
			s.PlatformCheck(ctx, at.requirement, predicate.LetGoBy("PersistentVolume", at.volume, predicate.VolumeMade, predicate.AttacherOf(s.Target.Driver)))
		}
		s.PlatformCheck(ctx, at.requirement, predicate.NotAsked(predicate.CallsFor(calls, harness.HandleOf(at.volume))))
	}
	s.Need(s.Reread(ctx, f.growing.claim), "reading a claim of another driver")
	s.PlatformCheck(ctx, "K8S-O15", predicate.Ungrown(f.growing.claim))
	if stays(ctx, s, "K8S-O15", "VolumeAttachment", f.attachment) {
		s.PlatformCheck(ctx, "K8S-O15", predicate.Unattached(f.attachment))
	}
}
