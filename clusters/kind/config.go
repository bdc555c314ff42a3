// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kind/pkg/apis/config/v1alpha4"

	"github.com/csi-topo/csi-topo/clusters/layout"
)

// Node labels for the location of a node.
const (
	RegionLabel = "topology.kubernetes.io/region"
	ZoneLabel   = "topology.kubernetes.io/zone"
)

// SharedDir is the directory that every node of a cluster shares with the host.
const SharedDir = "/var/lib/hostpath-topo"

// Host describes properties of the host that the configuration of a cluster depends on. On an ordinary host, all are
// false.
type Host struct {
	// CgroupV1 reports whether the host has control groups of version 1. Since 1.35, a kubelet needs an option to start with
	// them.
	CgroupV1 bool
	// LacksSysResource reports whether CAP_SYS_RESOURCE is missing, so that a pod's OOM score cannot be lowered.
	LacksSysResource bool
}

// config returns kind's configuration of a cluster.
func config(l *layout.Layout, host Host, built bool, sharedDir string) *v1alpha4.Cluster {
	mount := []v1alpha4.Mount{{HostPath: sharedDir, ContainerPath: SharedDir}}
	cluster := &v1alpha4.Cluster{
		TypeMeta: v1alpha4.TypeMeta{APIVersion: "kind.x-k8s.io/v1alpha4", Kind: "Cluster"},
		Nodes:    []v1alpha4.Node{{Role: v1alpha4.ControlPlaneRole, ExtraMounts: mount}},
	}
	for _, node := range l.Nodes() {
		cluster.Nodes = append(cluster.Nodes, v1alpha4.Node{
			Role:        v1alpha4.WorkerRole,
			Labels:      map[string]string{RegionLabel: node.Region, ZoneLabel: node.Zone},
			ExtraMounts: mount,
		})
	}
	cluster.KubeadmConfigPatches = []string{kubeletPatch}
	Adapt(cluster, host, built)
	return cluster
}

// Adapt adds the settings to a configuration that the host needs, and that a node built by package nodeimage needs.
func Adapt(cluster *v1alpha4.Cluster, host Host, built bool) {
	if built {
		// A built node has no image of kind's network; ConnectPods gives it a network. Its kube-proxy image has nft but no
		// iptables.
		cluster.Networking.DisableDefaultCNI = true
		cluster.Networking.KubeProxyMode = "nftables"
		// By default, containerd reads the resource usage of each container every second. It is not used here, and takes a
		// fifth of a core on six idle nodes.
		cluster.ContainerdConfigPatches = append(cluster.ContainerdConfigPatches,
			"[plugins.\"io.containerd.cri.v1.runtime\"]\n  stats_collect_period = \"5m\"\n")
	}
	if host.CgroupV1 {
		cluster.KubeadmConfigPatches = append(cluster.KubeadmConfigPatches, kubeletConfiguration+"failCgroupV1: false\n")
	}
	if host.LacksSysResource {
		cluster.ContainerdConfigPatches = append(cluster.ContainerdConfigPatches,
			"[plugins.\"io.containerd.grpc.v1.cri\"]\n  restrict_oom_score_adj = true\n")
	}
}

// kubeletPatch makes a kubelet check every second whether its status has changed, and report it only then, or after five
// minutes. The volumes in use are part of the status, and mounting and detaching wait for that report, which would take
// long with the default of ten seconds. The kubelet also requests the statistics of volumes every few seconds instead of
// minutes, for the cases that wait for its metrics, and serves its log, which is kept when a case fails.
const kubeletPatch = kubeletConfiguration + "nodeStatusUpdateFrequency: 1s\nnodeStatusReportFrequency: 5m\nvolumeStatsAggPeriod: 5s\n" +
	"enableSystemLogQuery: true\nfeatureGates: {NodeLogQuery: true}\n" // the gate is on since 1.36

const kubeletConfiguration = "kind: KubeletConfiguration\napiVersion: kubelet.config.k8s.io/v1beta1\n"

// podNetwork returns the CNI configuration of one node of a built image: a
// point-to-point link per pod, with addresses from the range that the control plane
// gave the node.
func podNetwork(podCIDR string) string {
	return fmt.Sprintf(strings.TrimSpace(`
{
  "cniVersion": "0.3.1",
  "name": "csi-topo",
  "plugins": [
    {
      "type": "ptp",
      "ipMasq": true,
      "ipam": {"type": "host-local", "ranges": [[{"subnet": %q}]], "routes": [{"dst": "0.0.0.0/0"}]}
    },
    {"type": "portmap", "capabilities": {"portMappings": true}}
  ]
}
`)+"\n", podCIDR)
}
