// SPDX-License-Identifier: Apache-2.0

package provisioning

import (
	"context"
	"maps"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// provisionAsksForGhost allows a zone without nodes in an Immediate class: the provisioner requests all topologies that the
// class allows, without regard to nodes.
func provisionAsksForGhost() harness.Case {
	return harness.Case{
		ID:           "provision_asks_for_ghost",
		Text:         "asks for all that an Immediate class allows, also for a zone without nodes, with every value of several",
		Requirements: []string{"K8S-A8", "K8S-A9"},
		Needs:        needs.All(needs.Zones(1), needs.OneProvisioner(), needs.Recorder()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const nowhere = "csi-topo-nowhere"
			zone := s.Zones(1)[0]
			ghost := maps.Clone(zone.Segment)
			ghost[s.Target.ZoneKey] = nowhere
			values := map[string][]string{}
			for key, value := range zone.Segment {
				values[key] = []string{value}
			}
			values[s.Target.ZoneKey] = []string{nowhere, zone.Name}
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.Immediate().AllowedValues(values)))

			request, err := recorder.Request(recorder.MustBeAsked(ctx, s, claim, predicate.AskedOnce)[0], &csi.CreateVolumeRequest{})
			s.Need(err, "reading the provisioner's requests")

			asked := request.GetAccessibilityRequirements()
			segments := []workload.Segment{ghost, zone.Segment}
			slices.SortFunc(segments, predicate.CompareSegments)
			s.Check(predicate.Asked("requisite", asked.GetRequisite(), segments...))
			s.Check(predicate.Rotated(asked.GetRequisite(), asked.GetPreferred()))
		},
	}
}
