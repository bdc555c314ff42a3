// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// driverUpdated updates the node plugin of a driver without a gap: the new one starts before the old one is gone. A pod
// that starts meanwhile runs, with either of them. When the old one is gone, the new one publishes volumes of new pods, and
// unpublishes volumes that the old one has published, whose pods have kept running.
func driverUpdated() harness.Case {
	return harness.Case{
		ID:           "driver_updated",
		Text:         "serves volumes through one of a driver's two node plugins during an update, and through the later one when the earlier is gone",
		Requirements: []string{"K8S-Q8"},
		Needs:        needs.OwnNodePlugin(),
		Run: func(ctx context.Context, s *harness.Scenario) {
			at := s.Zones(1)[0].Nodes[0]
			driver := standin.CreateInline(ctx, s, "updated", storagev1.CSIDriverSpec{})
			create := func() *corev1.Pod {
				return pods.Create(ctx, s, workload.SleepingPod().OnNode(at.Hostname).
					WithInline("data", corev1.CSIVolumeSource{Driver: driver.Driver.Name}))
			}
			start := func() *corev1.Pod {
				pod := create()
				pods.MustRun(ctx, s, pod)
				return pod
			}
			earlier := standin.StartNodePlugin(ctx, s, at, []*standin.StandIn{driver})
			first := start()

			later := standin.Deploy(ctx, s, at, []*standin.StandIn{driver})
			second := start()
			suite.Evidence(ctx, "what the kubelet said of the later plugin beside the earlier", later.Notified(ctx))
			published := earlier.Published(ctx, first, "data")
			earlier.Remove(ctx)
			const longestPause = 122 * time.Second // of a kubelet that repeats a registration
			s.PlatformMust(ctx, longestPause+s.Target.Timeouts.Restart, "K8S-Q8", "later plugin registered", func(ctx context.Context) error {
				return predicate.RegistrationSaid(later.Notified(ctx), true)
			})
			pods.MustGoOn(ctx, s, first)
			pods.MustGoOn(ctx, s, second)

			third := create()
			if !s.PlatformMust(ctx, s.Target.Timeouts.Run, "K8S-Q8", "volume published by the later plugin", func(ctx context.Context) error {
				return predicate.PublishedAgain(later.Published(ctx, third, "data"), 1)
			}) {
				standin.StartNodePlugin(ctx, s, at, []*standin.StandIn{driver}) // it unpublishes the pods' volumes
				return
			}
			pods.MustRun(ctx, s, third)
			pods.Remove(ctx, s, first)
			s.PlatformCheck(ctx, "K8S-Q8", predicate.TakenDown(published, later.Unpublished(ctx, first, "data")))
		},
	}
}
