// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/utils/ptr"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// infoOfPod runs a pod with volumes of two drivers on one node: one asks for information on the pod, and the other does
// not. Both get the attributes of their volumes.
func infoOfPod() harness.Case {
	return harness.Case{
		ID:           "info_of_pod",
		Text:         "tells a driver whose CSIDriver says podInfoOnMount: true which pod a volume is published for, and no other driver",
		Requirements: []string{"K8S-Q1"},
		Needs:        needs.OwnNodePlugin(),
		Run: func(ctx context.Context, s *harness.Scenario) {
			at := s.Zones(1)[0].Nodes[0]
			told := standin.CreateInline(ctx, s, "told", storagev1.CSIDriverSpec{PodInfoOnMount: ptr.To(true)})
			untold := standin.CreateInline(ctx, s, "untold", storagev1.CSIDriverSpec{PodInfoOnMount: ptr.To(false)})
			plugin := standin.StartNodePlugin(ctx, s, at, []*standin.StandIn{told, untold})
			attributes := map[string]string{"flavour": "plain"}

			pod := pods.Create(ctx, s, workload.SleepingPod().OnNode(at.Hostname).
				WithInline("told", corev1.CSIVolumeSource{Driver: told.Driver.Name, VolumeAttributes: attributes}).
				WithInline("untold", corev1.CSIVolumeSource{Driver: untold.Driver.Name, VolumeAttributes: attributes}))
			pods.MustRun(ctx, s, pod)

			calls := plugin.Published(ctx, pod, "told")
			suite.Evidence(ctx, "NodePublishVolume", calls)
			s.PlatformCheck(ctx, "K8S-Q1", predicate.Context(calls,
				predicate.PodInfo(pod.Namespace, pod.Name, string(pod.UID), pod.Spec.ServiceAccountName, true, attributes)))
			s.PlatformCheck(ctx, "K8S-Q1", predicate.Context(plugin.Published(ctx, pod, "untold"), attributes))
		},
	}
}
