// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/utils/ptr"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// fsGroup runs a pod with an fsGroup and volumes of drivers with each fsGroupPolicy: the kubelet changes the group
// according to the policy, and does not pass it to the driver. Then the driver claims VOLUME_MOUNT_GROUP, and another pod
// starts: the driver gets the group, and the kubelet changes nothing.
func fsGroup() harness.Case {
	return harness.Case{
		ID:           "fs_group",
		Text:         "gives volumes to a pod's fsGroup as the fsGroupPolicy of their driver says, or passes it to a driver that claims VOLUME_MOUNT_GROUP",
		Requirements: []string{"K8S-Q3"},
		Needs:        needs.OwnNodePlugin(),
		Run: func(ctx context.Context, s *harness.Scenario) {
			at := s.Zones(1)[0].Nodes[0]
			policy := func(name string, of storagev1.FSGroupPolicy) *standin.StandIn {
				return standin.CreateInline(ctx, s, name, storagev1.CSIDriverSpec{FSGroupPolicy: ptr.To(of)})
			}
			file, none := policy("file", storagev1.FileFSGroupPolicy), policy("none", storagev1.NoneFSGroupPolicy)
			typed := policy("typed", storagev1.ReadWriteOnceWithFSTypeFSGroupPolicy)
			plugin := standin.StartNodePlugin(ctx, s, at, []*standin.StandIn{file, none, typed})
			const group, root = 4242, 0
			start := func() *corev1.Pod {
				pod := pods.Create(ctx, s, workload.SleepingPod().OnNode(at.Hostname).FSGroup(group).
					WithInline("file", corev1.CSIVolumeSource{Driver: file.Driver.Name}).
					WithInline("none", corev1.CSIVolumeSource{Driver: none.Driver.Name, FSType: ptr.To("ext4")}).
					WithInline("typed", corev1.CSIVolumeSource{Driver: typed.Driver.Name, FSType: ptr.To("ext4")}).
					WithInline("untyped", corev1.CSIVolumeSource{Driver: typed.Driver.Name}))
				pods.MustRun(ctx, s, pod)
				return pod
			}
			check := func(pod *corev1.Pod, told string, groups map[string]int64) {
				found := map[string]int64{}
				for volume, wanted := range groups {
					found[volume] = data.GroupOf(ctx, s, pod, "/"+volume)
					s.PlatformCheck(ctx, "K8S-Q3", predicate.BelongsTo(pod.Name, volume, found[volume], wanted))
					s.PlatformCheck(ctx, "K8S-Q3", predicate.MountGroup(plugin.Published(ctx, pod, volume), told))
				}
				suite.Evidence(ctx, "groups of the volumes of pod "+pod.Name, found)
			}

			check(start(), "", map[string]int64{"file": group, "none": root, "typed": group, "untyped": root})

			plugin.Claim(ctx, csi.NodeServiceCapability_RPC_VOLUME_MOUNT_GROUP)
			check(start(), fmt.Sprint(group), map[string]int64{"file": root, "none": root, "typed": root, "untyped": root})
		},
	}
}
