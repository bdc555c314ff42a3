// SPDX-License-Identifier: Apache-2.0

package expansion

import (
	"context"
	"time"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// growthStates delays each of the driver's two steps in the growth of a volume: meanwhile, the claim and the
// PersistentVolume show which steps are done.
func growthStates() harness.Case {
	return harness.Case{
		ID:           "growth_states",
		Text:         "shows the progress of a growth in the claim's conditions and sizes: while the controller works on it, while the node does, and at the end",
		Requirements: []string{"K8S-H4", "K8S-H11"},
		Needs:        needs.All(needs.RecorderOnNodes(), needsController()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.WaitForFirstConsumer()))
			pod := pods.Create(ctx, s, workload.PodWith(claim))
			pods.MustRun(ctx, s, pod)
			nodeplugin := recorder.On(ctx, s, s.NodeOf(pod))
			volume := claims.VolumeOf(ctx, s, claim)
			before := data.FileSystemSize(ctx, s, pod)
			old, wanted := claim.Status.Capacity.Storage().DeepCopy(), growth.Times(s, 2)
			held := trace.Duration(s.Target.Timeouts.Case)
			atController := recorder.InjectOn(ctx, s, volume, trace.Rule{Method: "ControllerExpandVolume", Delay: held})
			onNode := nodeplugin.InjectOn(ctx, volume, trace.Rule{Method: "NodeExpandVolume", Delay: held})
			states := func(requirement, when string, limit time.Duration, judge func() error) {
				s.PlatformMust(ctx, limit, requirement, "claim "+claim.Name+" and its volume "+when, s.Look(claim, func() error {
					if err := s.Reread(ctx, volume); err != nil {
						return err
					}
					return judge()
				}))
				suite.Evidence(ctx, "claim "+when, claim.Status)
			}

			s.Need(growth.Ask(ctx, s, claim, wanted), "asking for a larger volume")
			states("K8S-H11", "while the controller works on it", s.Target.Timeouts.Expand, func() error {
				return predicate.GrowsAtController(claim, volume, old, wanted)
			})
			atController.End(ctx)
			growth.MustReachVolume(ctx, s, claim, wanted)
			if s.Need(s.Reread(ctx, claim), "reading the claim"); predicate.NeedsNode(claim) {
				growth.HurryKubelet(ctx, s, pod)
				states("K8S-H11", "while the node works on it", s.Target.Timeouts.Expand, func() error {
					return predicate.GrowsOnNode(claim, volume, old, wanted)
				})
			}
			onNode.End(ctx)
			growth.MustFinish(ctx, s, pod, claim, before, wanted)
			states("K8S-H4", "at the end", s.Target.Timeouts.Expand, func() error {
				return predicate.HasGrown(claim, volume, wanted)
			})
		},
	}
}
