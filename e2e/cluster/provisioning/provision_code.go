// SPDX-License-Identifier: Apache-2.0

package provisioning

import (
	"context"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// provisionCode shows the provisioner's reaction to each code: some leave open whether the volume is being created, some
// are final, and only RESOURCE_EXHAUSTED makes it schedule the pod again. The case answers the call twice with the code,
// and then the driver does.
func provisionCode() []harness.Case {
	const refused = 2
	var cases []harness.Case
	for _, c := range []struct {
		code      string
		behaviour string
	}{
		{"DEADLINE_EXCEEDED", "K8S-F4"},
		{"UNAVAILABLE", "K8S-F4"},
		{"ABORTED", "K8S-F4"},
		{"INTERNAL", "K8S-F5"},
		{"OUT_OF_RANGE", "K8S-F5"},
	} {
		cases = append(cases, harness.Case{
			ID:           "provision_code_" + strings.ToLower(c.code),
			Text:         "keeps the selected node and asks again when CreateVolume returns " + c.code + ", until there is one volume",
			Requirements: []string{c.behaviour},
			Needs:        needs.All(needs.Zones(1), needs.Recorder()),
			Run: func(ctx context.Context, s *harness.Scenario) {
				zone := s.Zones(1)[0]
				claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.WaitForFirstConsumer()))
				recorder.Inject(ctx, s, claim, trace.Rule{Code: c.code, Message: "said by csi-topo", Times: refused})
				selected := claims.WatchSelectedNode(ctx, s, claim)
				pods.Create(ctx, s, workload.PodWith(claim).In(zone.Segment))

				calls := recorder.MustBeAsked(ctx, s, claim, predicate.AskedUntilOK(refused))
				if own := predicate.Refused(calls); len(own) > 0 {
					suite.CouldNotTell("the driver itself refused the volume with %s, after which the provisioner may do something else", own[0].Code)
				}
				claims.MustBind(ctx, s, claim)
				s.Check(predicate.AskedAlike(calls))
				nodes, _ := selected.Seen()
				suite.Evidence(ctx, "selected nodes", nodes)
				s.Check(predicate.SelectedOnce(nodes))
			},
		})
	}
	return cases
}
