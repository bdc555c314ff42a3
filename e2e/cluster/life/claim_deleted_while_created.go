// SPDX-License-Identifier: Apache-2.0

package life

import (
	"context"
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

// claimDeletedWhileCreated deletes a claim before it is known whether its volume exists: the driver's answer is delayed, or
// was lost. The provisioner repeats the call until it knows, and then deletes the volume.
func claimDeletedWhileCreated() []harness.Case {
	var cases []harness.Case
	for _, c := range []struct {
		id, text string
		rule     trace.Rule
	}{
		{
			"claim_deleted_while_created", "deletes the volume of a claim that is deleted while CreateVolume is under way",
			trace.Rule{Hold: trace.Duration(time.Minute)},
		},
		{
			"claim_deleted_while_created_lost", "deletes the volume of a claim that is deleted after an answer to CreateVolume was lost",
			trace.Rule{Hold: trace.Duration(time.Minute), Code: "DEADLINE_EXCEEDED", Message: "the answer was lost", Forward: true},
		},
	} {
		cases = append(cases, harness.Case{
			ID: c.id, Text: c.text, Requirements: []string{"K8S-O4", "LV-01"},
			Needs: needs.All(needs.Zones(1), needs.OneProvisioner(), needs.Recorder()),
			Run: func(ctx context.Context, s *harness.Scenario) {
				claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.WaitForFirstConsumer()))
				recorder.DeleteLeftVolumes(s, claim)
				rule := recorder.Inject(ctx, s, claim, c.rule)
				claims.Select(ctx, s, claim, s.Zones(1)[0].Nodes[0].Name)
				rule.MustApply(ctx, 1)
				claims.MustDeleteAlone(ctx, s, claim)
				rule.End(ctx)
				recorder.LeavesNoVolume(ctx, s, "K8S-O4", claim)
			},
		})
	}
	return append(cases, claimDeletedAndProvisionerKilled(), claimDeletedWhileCreatedAgain())
}

// claimDeletedAndProvisionerKilled kills the provisioner, which alone knows of its request, before it gets the answer. If
// the claim is gone when the provisioner starts again, it does not repeat the call. Another claim is served first, which
// shows that the provisioner has started.
func claimDeletedAndProvisionerKilled() harness.Case {
	return harness.Case{
		ID:           "claim_deleted_while_created_killed",
		Text:         "deletes the volume of a claim that is deleted while CreateVolume is under way, even if the provisioner is killed",
		Requirements: []string{"K8S-O4"},
		Needs:        needs.All(needs.Zones(1), needs.OwnProvisioner()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			driver := standin.Create(ctx, s, false)
			driver.RegisterIn(ctx, zone)
			provisioner := driver.StartProvisioner(ctx, standin.Provisioning{})
			provisioner.Deletes(ctx)
			class := driver.CreateClassAs(ctx, workload.Immediate())
			create := func() *corev1.PersistentVolumeClaim {
				return claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(s.Target.VolumeSize))
			}
			lost := create()
			pending := provisioner.Rule(ctx, provisioner.Refuse(lost, "DEADLINE_EXCEEDED"))
			provisioner.MustBeAsked(ctx, lost, predicate.AnsweredAs("DEADLINE_EXCEEDED", 1))
			claims.MustDeleteAlone(ctx, s, lost)
			provisioner.Kill(ctx)
			provisioner.Provide(ctx, lost, driver.Segment(zone.Name))
			provisioner.End(ctx, pending)

			next := create()
			provisioner.Provide(ctx, next, driver.Segment(zone.Name))
			claims.MustDelete(ctx, s, next, claims.MustBind(ctx, s, next))

			calls, err := provisioner.Recorded(ctx)
			s.Need(err, "reading the recorded calls")
			suite.Evidence(ctx, "CreateVolume of "+lost.Name, recorder.CreatedFor(calls, lost))
			s.PlatformCheck(ctx, "K8S-O4", predicate.Volumes().LeavesNothing(calls, recorder.NameOf(lost)))
		},
	}
}
