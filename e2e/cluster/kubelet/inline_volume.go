// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"context"

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

// inlineVolume runs a pod with an inline volume: it is published when the pod starts, accepts the pod's data, and is
// unpublished with the pod; nothing is attached. Another pod also has a volume of a driver that only supports persistent
// ones, which is never published.
func inlineVolume() harness.Case {
	return harness.Case{
		ID:           "inline_volume",
		Text:         "publishes an inline volume for its pod, and unpublishes it with the pod, only if the driver's volumeLifecycleModes have Ephemeral",
		Requirements: []string{"K8S-Q2"},
		Needs:        needs.OwnNodePlugin(),
		Run: func(ctx context.Context, s *harness.Scenario) {
			at := s.Zones(1)[0].Nodes[0]
			able := standin.CreateInline(ctx, s, "able", storagev1.CSIDriverSpec{})
			unable := standin.CreateInline(ctx, s, "unable", storagev1.CSIDriverSpec{
				VolumeLifecycleModes: []storagev1.VolumeLifecycleMode{storagev1.VolumeLifecyclePersistent},
			})
			plugin := standin.StartNodePlugin(ctx, s, at, []*standin.StandIn{able, unable})
			pod := pods.Create(ctx, s, workload.SleepingPod().OnNode(at.Hostname).
				WithInline("able", corev1.CSIVolumeSource{Driver: able.Driver.Name}))
			pods.MustRun(ctx, s, pod)
			_, err := pods.Exec(ctx, s, pod, "/bin/sh", "-c", "echo "+s.Namespace+" > /able/token")
			s.Need(err, "writing to the inline volume")
			s.PlatformCheck(ctx, "K8S-Q2", predicate.SameData(pod.Name, plugin.Read(ctx, pod, "able", "token"), s.Namespace))
			pods.Remove(ctx, s, pod)
			s.PlatformMust(ctx, s.Target.Timeouts.Detach, "K8S-Q2", "inline volume unpublished", func(ctx context.Context) error {
				return predicate.TakenDown(plugin.Published(ctx, pod, "able"), plugin.Unpublished(ctx, pod, "able"))
			})

			both := pods.Create(ctx, s, workload.SleepingPod().OnNode(at.Hostname).
				WithInline("able", corev1.CSIVolumeSource{Driver: able.Driver.Name}).
				WithInline("unable", corev1.CSIVolumeSource{Driver: unable.Driver.Name}))
			s.PlatformMust(ctx, s.Target.Timeouts.Run, "K8S-Q2", "one inline volume published, and the other refused", func(ctx context.Context) error {
				if err := predicate.NotAsked(plugin.Published(ctx, both, "unable")); err != nil {
					return err
				}
				if err := predicate.PublishedAgain(plugin.Published(ctx, both, "able"), 1); err != nil {
					return err
				}
				// The kubelet has tried to publish both when it reports that it cannot mount one.
				return predicate.EventSays(s.Events(), both.UID, "FailedMount")
			})
			calls := plugin.Published(ctx, both, "unable")
			suite.Evidence(ctx, "NodePublishVolume of a driver without inline volumes", calls)
			s.PlatformCheck(ctx, "K8S-Q2", predicate.NotAsked(calls))
			s.Need(s.Reread(ctx, both), "reading the pod")
			s.PlatformCheck(ctx, "K8S-Q2", predicate.NotStarted(both))
		},
	}
}
