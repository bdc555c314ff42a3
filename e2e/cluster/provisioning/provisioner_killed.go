// SPDX-License-Identifier: Apache-2.0

package provisioning

import (
	"context"
	"fmt"
	"time"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// provisionerKilled kills the provisioner when the driver has created the volume, and again when it has deleted it, before
// the cluster knows of either. It restarts, or another takes the lead, and repeats the request: there is one volume, and
// then none.
func provisionerKilled() []harness.Case {
	const requirement = "K8S-F4"
	var cases []harness.Case
	for _, c := range []struct {
		id, text string
		how      standin.Provisioning
		end      func(context.Context, *standin.Provisioner)
	}{
		{
			"provisioner_killed", "creates one volume, and deletes it, even if the provisioner is killed before it knows the driver's answer",
			standin.Provisioning{}, func(ctx context.Context, p *standin.Provisioner) {
				p.MustAskAlone(ctx, requirement)
				p.Kill(ctx)
			},
		},
		{
			"provisioner_killed_leader", "creates one volume, and deletes it, even if the provisioner that leads is deleted before it knows the driver's answer",
			// A lease is not released: the next leader waits until it has expired.
			standin.Provisioning{Replicas: 2, Flags: []string{
				"--leader-election", "--leader-election-lease-duration=10s", "--leader-election-renew-deadline=8s", "--leader-election-retry-period=1s",
			}},
			func(ctx context.Context, p *standin.Provisioner) { p.Depose(ctx, requirement) },
		},
	} {
		cases = append(cases, harness.Case{
			ID: c.id, Text: c.text, Requirements: []string{requirement},
			Needs: needs.All(needs.Zones(1), needs.OwnProvisioner()),
			Run: func(ctx context.Context, s *harness.Scenario) {
				zone := s.Zones(1)[0]
				driver := standin.Create(ctx, s, false)
				driver.RegisterIn(ctx, zone)
				provisioner := driver.StartProvisioner(ctx, c.how)
				claim := claims.CreateAs(ctx, s, workload.ClaimOf(driver.CreateClassAs(ctx, workload.Immediate())).Size(*gi(1)))
				create := provisioner.Volume(claim, driver.Segment(zone.Name))
				dieDuring(ctx, s, provisioner, create, c.end)

				provisioner.MustBeAsked(ctx, claim, predicate.AnsweredAs("OK", 1)) // also of a new pod
				volume := claims.MustBind(ctx, s, claim)
				s.Check(predicate.AskedAlike(provisioner.MustBeAsked(ctx, claim, predicate.AskedTimes(1))))

				s.Need(s.Resources().Delete(ctx, claim), "deleting the claim")
				remove := trace.Rule{Method: "DeleteVolume", Match: []byte(fmt.Sprintf(`{"volume_id":%q}`, harness.HandleOf(volume))), Answer: []byte(`{}`)}
				dieDuring(ctx, s, provisioner, remove, c.end)
				s.Until(ctx, s.Target.Timeouts.Delete, "DeleteVolume answered again", func(ctx context.Context) error {
					calls, err := provisioner.Deleted(ctx, claim)
					if err != nil {
						return err
					}
					return predicate.AnsweredAs("OK", 1)(calls)
				})
				claims.MustGo(ctx, s, volume)
			},
		})
	}
	return cases
}

// dieDuring ends the provisioner while a call to the driver is in flight.
func dieDuring(ctx context.Context, s *harness.Scenario, provisioner *standin.Provisioner, rule trace.Rule, end func(context.Context, *standin.Provisioner)) {
	held := rule
	held.Delay, held.Times = trace.Duration(time.Minute), 1
	holding := provisioner.Rule(ctx, held)
	s.Until(ctx, s.Target.Timeouts.Bind, rule.Method+" answered", func(ctx context.Context) error {
		used, err := provisioner.Used(ctx, holding)
		if err == nil && used == 0 {
			err = fmt.Errorf("%s was not called", rule.Method)
		}
		return err
	})
	end(ctx, provisioner)
	provisioner.Rule(ctx, rule)
	provisioner.End(ctx, holding)
}
