// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// publishedZero checks that a zone without room has an object that says so: without an object, the zone would seem not yet
// examined. The scheduler refuses a pod either way.
func publishedZero() harness.Case {
	return harness.Case{
		ID:           "published_zero",
		Text:         "publishes an object with a capacity of 0 for a zone without room",
		Requirements: []string{"K8S-D5"},
		Needs:        needs.All(needs.Zones(1), needs.OwnProvisioner()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			driver := standin.Create(ctx, s, true)
			driver.RegisterIn(ctx, zone)
			provisioner := driver.StartProvisioner(ctx, publishing(zone.Name, 0))
			class := driver.CreateClass(ctx)

			provisioner.MustPublish(ctx, class, zone.Name, 0)

			claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(*gi(1)))
			pods.MustBeUnschedulable(ctx, s, pods.Create(ctx, s, workload.PodWith(claim).In(driver.Segment(zone.Name))), predicate.NoStorage)
		},
	}
}

// publishing returns a provisioner that publishes capacity, with this room in one zone, and polls only if its flags make it
// do so.
func publishing(zone string, bytes int64, flags ...string) standin.Provisioning {
	return standin.Provisioning{
		Flags: append([]string{"--strict-topology=true", "--enable-capacity", "--capacity-ownerref-level=2", "--capacity-poll-interval=1h"}, flags...),
		Room:  map[string]int64{zone: bytes},
	}
}
