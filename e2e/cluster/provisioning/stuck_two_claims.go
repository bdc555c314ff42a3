// SPDX-License-Identifier: Apache-2.0

package provisioning

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// stuckTwoClaims creates a pod with two claims. The volume of the first is created in a zone that then has no room for the
// second. The pod cannot go anywhere else, though it prefers another zone with room, until there is room or the volume is
// deleted.
func stuckTwoClaims() []harness.Case {
	var cases []harness.Case
	for _, c := range []struct {
		id, text string
		recover  func(*stuck, context.Context) topology.Zone
	}{
		{"stuck_two_claims_room", "keeps a pod waiting whose second volume has no room next to the first, and runs it when there is room", (*stuck).growRoom},
		{"stuck_two_claims_deleted", "keeps a pod waiting whose second volume has no room next to the first, and runs it elsewhere when the first was deleted", (*stuck).startAnew},
	} {
		cases = append(cases, harness.Case{
			ID: c.id, Text: c.text, Requirements: []string{"K8S-E18", "K8S-E19"},
			Needs: needs.All(needs.Zones(2), needs.OwnProvisioner()),
			Run: func(ctx context.Context, s *harness.Scenario) {
				v := getStuck(ctx, s)
				zone := c.recover(v, ctx)
				suite.About([]string{"K8S-E19"}, func() {
					claims.MustBind(ctx, s, v.first)
					claims.MustBind(ctx, s, v.second)
					pods.MustBeScheduled(ctx, s, v.pod)
					s.Check(predicate.PodOn(v.pod, zone.NodeNames()))
				})
			},
		})
	}
	return cases
}

// stuck is a pod that cannot run, as the first of its claims has a volume in the tight zone.
type stuck struct {
	s             *harness.Scenario
	driver        *standin.StandIn
	provisioner   *standin.Provisioner
	tight, roomy  topology.Zone
	first, second *corev1.PersistentVolumeClaim
	pod           *corev1.Pod
	refusal       string
}

// getStuck creates the pod, and checks that it stays stuck: the second volume is only requested in the tight zone.
func getStuck(ctx context.Context, s *harness.Scenario) *stuck {
	const often = 4
	zones := s.Zones(2)
	v := &stuck{s: s, driver: standin.Create(ctx, s, false), tight: zones[0], roomy: zones[1]}
	v.driver.RegisterIn(ctx, zones...)
	v.provisioner = v.driver.StartProvisioner(ctx, standin.Provisioning{Flags: []string{"--strict-topology=true"}})
	v.first = claims.CreateAs(ctx, s, workload.ClaimOf(v.classIn(ctx, v.tight)).Size(*gi(1)))
	v.second = claims.CreateAs(ctx, s, workload.ClaimOf(v.driver.CreateClass(ctx)).Size(*gi(1)))
	v.provisioner.Provide(ctx, v.first, v.driver.Segment(v.tight.Name))
	v.refusal = v.provisioner.Rule(ctx, v.provisioner.Refuse(v.second, "RESOURCE_EXHAUSTED"))
	v.pod = pods.Create(ctx, s, workload.PodWith(v.first).And(v.second).InAny(v.tight.Segment, v.roomy.Segment).Preferring(v.roomy.Segment))

	claims.MustBind(ctx, s, v.first)
	// Calls that were in flight when the first volume was created may have been for any zone.
	before, err := v.provisioner.Created(ctx, v.second)
	s.Need(err, "reading the provisioner's calls")
	calls := v.provisioner.MustBeAsked(ctx, v.second, predicate.AnsweredAs("RESOURCE_EXHAUSTED", len(before)+often))
	s.PlatformCheck(ctx, "K8S-E18", predicate.EachAskedFor(calls[len(before)+1:], v.driver.Segment(v.tight.Name)))
	s.Need(s.Reread(ctx, v.pod), "reading the pod")
	s.PlatformCheck(ctx, "K8S-E18", predicate.PodWithoutNode(v.pod))
	return v
}

// classIn returns a class with volumes in the zone.
func (v *stuck) classIn(ctx context.Context, zone topology.Zone) *storagev1.StorageClass {
	return v.driver.CreateClassAs(ctx, workload.WaitForFirstConsumer().AllowedIn(v.driver.Segment(zone.Name)))
}

// growRoom makes room in the tight zone.
func (v *stuck) growRoom(ctx context.Context) topology.Zone {
	v.provisioner.Provide(ctx, v.second, v.driver.Segment(v.tight.Name))
	v.provisioner.End(ctx, v.refusal)
	return v.tight
}

// startAnew deletes the first claim and its volume, and creates a claim of the same name with a volume in the roomy zone.
func (v *stuck) startAnew(ctx context.Context) topology.Zone {
	v.provisioner.Deletes(ctx)
	claims.MustDelete(ctx, v.s, v.first, claims.VolumeOf(ctx, v.s, v.first))
	roomy := v.driver.Segment(v.roomy.Name)
	v.provisioner.ProvideIn(ctx, v.second, roomy)
	v.provisioner.End(ctx, v.refusal)
	v.provisioner.Rule(ctx, v.provisioner.Refuse(v.second, "RESOURCE_EXHAUSTED")) // still, where the other rule does not apply
	v.first = claims.CreateAs(ctx, v.s, workload.ClaimOf(v.classIn(ctx, v.roomy)).Size(*gi(1)).Named(v.first.Name))
	v.provisioner.Provide(ctx, v.first, roomy)
	return v.roomy
}
