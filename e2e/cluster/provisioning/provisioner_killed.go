// SPDX-License-Identifier: Apache-2.0

package provisioning

import (
	"context"
	"fmt"
	"time"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// The provisioner dies when the driver has created the volume, and again when it has deleted it, before the cluster knows of
// either. It starts again, or another takes the lead, and asks for the same once more, and there is one volume, and then none.
func provisionerKilled() []harness.Case {
	const requirement = "K8S-F4"
	var cases []harness.Case
	for _, c := range []struct {
		id, text string
		how      harness.Provisioning
		end      func(context.Context, *harness.Provisioner)
	}{
		{
			"provisioner_killed", "creates one volume, and deletes it, though the provisioner is killed before it knows the driver's answer",
			harness.Provisioning{}, func(ctx context.Context, p *harness.Provisioner) {
				p.MustAskAlone(ctx, requirement)
				p.Kill(ctx)
			},
		},
		{
			"provisioner_killed_leader", "creates one volume, and deletes it, though the provisioner that leads is deleted before it knows the driver's answer",
			// A lease is not given back: the next to lead waits until it has run out.
			harness.Provisioning{Replicas: 2, Flags: []string{
				"--leader-election", "--leader-election-lease-duration=10s", "--leader-election-renew-deadline=8s", "--leader-election-retry-period=1s",
			}},
			func(ctx context.Context, p *harness.Provisioner) { p.Depose(ctx, requirement) },
		},
	} {
		cases = append(cases, harness.Case{
			ID: c.id, Text: c.text, Requirements: []string{requirement},
			Needs: harness.Needs(harness.Zones(1), harness.OwnProvisioner()),
			Run: func(ctx context.Context, s *harness.Scenario) {
				zone := s.Zones(1)[0]
				driver := s.CreateStandIn(ctx, false)
				driver.RegisterIn(ctx, zone)
				provisioner := driver.StartProvisioner(ctx, c.how)
				claim := s.CreateClaimAs(ctx, workload.ClaimOf(driver.CreateClassAs(ctx, workload.Immediate())).Size(*gi(1)))
				create := provisioner.Volume(claim, driver.Segment(zone.Name))
				dieDuring(ctx, s, provisioner, create, c.end)

				provisioner.MustBeAsked(ctx, claim, predicate.AnsweredAs("OK", 1)) // of a pod that is new, too
				volume := s.MustBind(ctx, claim)
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
				s.MustGo(ctx, volume)
			},
		})
	}
	return cases
}

// dieDuring ends the provisioner while the driver's answer to a call is on its way.
func dieDuring(ctx context.Context, s *harness.Scenario, provisioner *harness.Provisioner, rule trace.Rule, end func(context.Context, *harness.Provisioner)) {
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
