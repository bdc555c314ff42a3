// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/utils/ptr"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// republish runs a pod with volumes of two drivers. Each time that the kubelet syncs the pod, it republishes only the
// volume of the driver that requests this: when the first volume has been published three times, the second has been
// published once.
func republish() harness.Case {
	return harness.Case{
		ID:           "republish",
		Text:         "publishes the volumes of a driver whose CSIDriver says requiresRepublish: true repeatedly while their pod runs, and others only once",
		Requirements: []string{"K8S-Q4"},
		Needs:        needs.OwnNodePlugin(),
		Run: func(ctx context.Context, s *harness.Scenario) {
			at := s.Zones(1)[0].Nodes[0]
			again := standin.CreateInline(ctx, s, "again", storagev1.CSIDriverSpec{RequiresRepublish: ptr.To(true)})
			once := standin.CreateInline(ctx, s, "once", storagev1.CSIDriverSpec{RequiresRepublish: ptr.To(false)})
			plugin := standin.StartNodePlugin(ctx, s, at, []*standin.StandIn{again, once})
			pod := pods.Create(ctx, s, workload.SleepingPod().OnNode(at.Hostname).
				WithInline("again", corev1.CSIVolumeSource{Driver: again.Driver.Name}).
				WithInline("once", corev1.CSIVolumeSource{Driver: once.Driver.Name}))
			pods.MustRun(ctx, s, pod)

			for _, least := range []int{2, 3} {
				growth.HurryKubelet(ctx, s, pod)
				if !s.PlatformMust(ctx, s.Target.Timeouts.Run, "K8S-Q4", "volume published again", func(ctx context.Context) error {
					return predicate.PublishedAgain(plugin.Published(ctx, pod, "again"), least)
				}) {
					return
				}
			}
			calls := plugin.Published(ctx, pod, "once")
			suite.Evidence(ctx, "NodePublishVolume", append(plugin.Published(ctx, pod, "again"), calls...))
			s.PlatformCheck(ctx, "K8S-Q4", predicate.PublishedOnce(calls))
			pods.MustGoOn(ctx, s, pod)
		},
	}
}
