// SPDX-License-Identifier: Apache-2.0

package metrics

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/metrics"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// metricsOfSidecars reads the numbers of calls by their codes from the sidecars' metrics, which show a full zone as well as
// success.
func metricsOfSidecars() harness.Case {
	return harness.Case{
		ID:           "metrics_of_sidecars",
		Text:         "counts in the sidecars' metrics how calls end, by their codes",
		Requirements: []string{"K8S-K3"},
		Needs:        needs.All(needs.Zones(1), needs.OneProvisioner(), needs.Recorder()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			sidecars := metrics.Sidecars(ctx, s)
			suite.Evidence(ctx, "metrics served at", sidecars)
			wanted := []struct{ method, code string }{
				{csi.Controller_CreateVolume_FullMethodName, "ResourceExhausted"},
				{csi.Controller_CreateVolume_FullMethodName, "OK"},
			}
			if _, attaches := sidecars["csi-attacher"]; attaches && s.Driver.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
				wanted = append(wanted, struct{ method, code string }{csi.Controller_ControllerPublishVolume_FullMethodName, "OK"})
			}
			before := map[string]uint64{}
			for _, w := range wanted {
				count, err := metrics.Operations(ctx, s, sidecars, w.method, w.code)
				s.Need(err, "reading the sidecars' metrics")
				before[w.method+w.code] = count
			}

			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.WaitForFirstConsumer()))
			recorder.Inject(ctx, s, claim, trace.Rule{Code: "RESOURCE_EXHAUSTED", Message: "no room", Times: 1})
			pod := pods.Create(ctx, s, workload.PodWith(claim))
			recorder.MustBeAsked(ctx, s, claim, predicate.AskedUntilOK(1))
			pods.MustRun(ctx, s, pod)

			for _, w := range wanted {
				s.PlatformMust(ctx, s.Target.Timeouts.Call, "K8S-K3", "calls of "+w.method+" counted", func(ctx context.Context) error {
					count, err := metrics.Operations(ctx, s, sidecars, w.method, w.code)
					if err != nil || count > before[w.method+w.code] {
						return err
					}
					return &predicate.Mismatch{
						Subject: fmt.Sprintf("csi_sidecar_operations_seconds_count of %s with %s", w.method, w.code),
						Wanted:  fmt.Sprintf("more than %d, as one was just made", before[w.method+w.code]), Found: fmt.Sprint(count),
					}
				})
			}
		},
	}
}
