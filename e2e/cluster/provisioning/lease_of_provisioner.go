// SPDX-License-Identifier: Apache-2.0

package provisioning

import (
	"context"
	"time"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// leaseOfProvisioner reads the Lease that a working provisioner holds as the leader: in its own namespace, or in the
// namespace of its flag. Others may take the lead once the Lease has expired.
func leaseOfProvisioner() []harness.Case {
	const duration, renewals = 10 * time.Second, 4
	var cases []harness.Case
	for _, c := range []struct {
		id, text  string
		elsewhere bool
	}{
		{"lease_of_provisioner", "holds a Lease in the namespace of the provisioner, of the duration of its flags, and renews it before it runs out", false},
		{"lease_of_provisioner_elsewhere", "holds the Lease of the provisioner in the namespace of --leader-election-namespace", true},
	} {
		cases = append(cases, harness.Case{
			ID: c.id, Text: c.text, Requirements: []string{"K8S-R1", "K8S-R2"},
			Needs: needs.All(needs.Zones(1), needs.OwnProvisioner()),
			Run: func(ctx context.Context, s *harness.Scenario) {
				zone := s.Zones(1)[0]
				driver := standin.Create(ctx, s, false)
				driver.RegisterIn(ctx, zone)
				flags := []string{
					"--leader-election", "--leader-election-lease-duration=" + duration.String(), "--leader-election-renew-deadline=8s", "--leader-election-retry-period=1s",
				}
				if c.elsewhere {
					flags = append(flags, "--leader-election-namespace="+s.Namespace)
				}
				provisioner := driver.StartProvisioner(ctx, standin.Provisioning{Flags: flags})
				claim := claims.CreateAs(ctx, s, workload.ClaimOf(driver.CreateClass(ctx)).Size(*gi(1)))
				provisioner.Provide(ctx, claim, driver.Segment(zone.Name))
				claims.Select(ctx, s, claim, zone.Nodes[0].Name)
				claims.MustBind(ctx, s, claim)

				namespace := provisioner.Namespace()
				if c.elsewhere {
					namespace = s.Namespace
				}
				held, err := provisioner.Leases(ctx)
				s.Need(err, "looking for the provisioner's Lease")
				s.PlatformCheck(ctx, "K8S-R2", predicate.LeaseIn(held, namespace))
				if len(held) != 1 {
					return
				}
				lease := &held[0]
				s.PlatformCheck(ctx, "K8S-R1", predicate.LeaseLasts(lease, duration))
				var renewed []time.Time
				s.PlatformMust(ctx, s.Target.Timeouts.Notice, "K8S-R1", "Lease renewed", s.Look(lease, func() error {
					if at := lease.Spec.RenewTime; at != nil && (len(renewed) == 0 || !at.Time.Equal(renewed[len(renewed)-1])) {
						renewed = append(renewed, at.Time)
					}
					return predicate.RenewedInTime(renewed, renewals, duration)
				}))
				suite.Evidence(ctx, "times of renewal", renewed)
			},
		})
	}
	return cases
}
