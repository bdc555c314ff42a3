// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"
	"fmt"
	"time"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
)

// publishedAfterError makes GetCapacity fail, which reveals nothing about the room: the published objects stay, and the
// call is repeated until it succeeds.
func publishedAfterError() harness.Case {
	return harness.Case{
		ID:           "published_after_error",
		Text:         "keeps what it published when GetCapacity fails, and asks again until it answers",
		Requirements: []string{"K8S-D11"},
		Needs:        needs.All(needs.Zones(1), needs.OwnProvisioner()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const (
				interval = 3 * time.Second
				failures = 3
			)
			zone := s.Zones(1)[0]
			driver := standin.Create(ctx, s, true)
			driver.RegisterIn(ctx, zone)
			provisioner := driver.StartProvisioner(ctx, publishing(zone.Name, gi(10).Value(), "--capacity-poll-interval="+interval.String()))
			class := driver.CreateClass(ctx)
			provisioner.MustPublish(ctx, class, zone.Name, gi(10).Value())

			provisioner.FailCapacity(ctx, zone.Name, "INTERNAL")
			s.Until(ctx, s.Target.Timeouts.Capacity, "GetCapacity failing", func(ctx context.Context) error {
				calls, err := provisioner.Recorded(ctx)
				if err != nil {
					return err
				}
				failed := 0
				for _, call := range predicate.CapacityCalls(calls, driver.Segment(zone.Name)) {
					if call.Code == "INTERNAL" {
						failed++
					}
				}
				if failed < failures {
					return fmt.Errorf("it failed %d times, want %d", failed, failures)
				}
				return nil
			})
			provisioner.MustPublish(ctx, class, zone.Name, gi(10).Value())

			provisioner.Say(ctx, zone.Name, gi(7).Value())
			provisioner.MustPublish(ctx, class, zone.Name, gi(7).Value())
		},
	}
}
