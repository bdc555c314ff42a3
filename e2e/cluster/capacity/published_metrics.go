// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
)

// publishedMetrics reads from the provisioner's metrics the numbers of objects that it needs, has, and is about to delete.
func publishedMetrics() harness.Case {
	return harness.Case{
		ID:           "published_metrics",
		Text:         "reports in its metrics how many CSIStorageCapacity objects it wants and has",
		Requirements: []string{"K8S-D17"},
		Needs:        needs.All(needs.Zones(2), needs.OwnProvisioner()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const port = 8081
			zones := s.Zones(2)
			driver := standin.Create(ctx, s, true)
			driver.RegisterIn(ctx, zones...)
			how := publishing(zones[0].Name, gi(10).Value(), "--http-endpoint=:8081")
			how.Room[zones[1].Name] = gi(10).Value()
			provisioner := driver.StartProvisioner(ctx, how)
			tells := func(objects float64) {
				s.Until(ctx, s.Target.Timeouts.Capacity, "metrics of CSIStorageCapacity objects", func(ctx context.Context) error {
					scraped, err := provisioner.Scrape(ctx, port)
					if err != nil {
						return err
					}
					return predicate.Gauges(scraped, map[string]float64{
						"csistoragecapacities_desired_goal":    objects,
						"csistoragecapacities_desired_current": objects,
						"csistoragecapacities_obsolete":        0,
					})
				})
			}
			tells(0)
			class := driver.CreateClass(ctx)
			tells(float64(len(zones)))
			s.Need(s.Resources().Delete(ctx, class), "deleting the class")
			tells(0)
		},
	}
}
