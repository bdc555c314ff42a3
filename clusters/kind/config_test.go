// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/clusters/layout"
)

func zones(t *testing.T) *layout.Layout {
	t.Helper()
	l, err := layout.Load("zones")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestAnOrdinaryHostGetsAPlainConfiguration(t *testing.T) {
	got := config(zones(t), Host{}, false, "/shared")
	if len(got.ContainerdConfigPatches) != 0 || strings.Contains(strings.Join(got.KubeadmConfigPatches, ""), "failCgroupV1") {
		t.Errorf("want no way round anything, got %v and %v", got.KubeadmConfigPatches, got.ContainerdConfigPatches)
	}
	if got.Networking.DisableDefaultCNI || got.Networking.KubeProxyMode != "" {
		t.Errorf("want kind's own network, got %+v", got.Networking)
	}
}

func TestALimitedHostGetsTheWaysRound(t *testing.T) {
	got := config(zones(t), Host{CgroupV1: true, LacksSysResource: true}, true, "/shared")
	for name, patches := range map[string][]string{
		"failCgroupV1: false":           got.KubeadmConfigPatches,
		"stats_collect_period":          got.ContainerdConfigPatches,
		"restrict_oom_score_adj = true": got.ContainerdConfigPatches,
	} {
		if !strings.Contains(strings.Join(patches, "\n"), name) {
			t.Errorf("want a patch with %q, got %v", name, patches)
		}
	}
	if !got.Networking.DisableDefaultCNI || got.Networking.KubeProxyMode != "nftables" {
		t.Errorf("a built node has neither kind's network image nor iptables in kube-proxy's, got %+v", got.Networking)
	}
}

func TestEveryNodeHasItsPlaceAndTheSharedDirectory(t *testing.T) {
	got := config(zones(t), Host{}, false, "/shared").Nodes
	want := []string{"", "Z2", "Z2", "Z3", "Z4", "Z5"}
	if len(got) != len(want) {
		t.Fatalf("want %d nodes, got %d", len(want), len(got))
	}
	for i, node := range got {
		if node.Labels[ZoneLabel] != want[i] {
			t.Errorf("node %d: want zone %q, got %q", i, want[i], node.Labels[ZoneLabel])
		}
		if i > 0 && node.Labels[RegionLabel] != "R1" {
			t.Errorf("node %d: want region R1, got %q", i, node.Labels[RegionLabel])
		}
		if len(node.ExtraMounts) != 1 || node.ExtraMounts[0].HostPath != "/shared" || node.ExtraMounts[0].ContainerPath != SharedDir {
			t.Errorf("node %d: want /shared at %s, got %v", i, SharedDir, node.ExtraMounts)
		}
	}
}

func TestThePodNetworkIsValidJSON(t *testing.T) {
	var parsed struct {
		Plugins []struct {
			IPAM struct {
				Ranges [][]struct{ Subnet string }
			}
		}
	}
	if err := json.Unmarshal([]byte(podNetwork("10.244.3.0/24")), &parsed); err != nil {
		t.Fatal(err)
	}
	if got := parsed.Plugins[0].IPAM.Ranges[0][0].Subnet; got != "10.244.3.0/24" {
		t.Errorf("want the node's own range, got %q", got)
	}
}
