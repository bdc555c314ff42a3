// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Nodes needs the given number of node endpoints. If it matters, NodeGetInfo must say which node each of them is: for a
// driver that attaches volumes, the case about that clause checks this, and other cases end as errors. Without
// attaching and topology, all nodes are alike.
func Nodes(endpoints int) []Need {
	return Needs(NodeEndpoints(endpoints), need("", suite.ByCapability, func(d *Driver) string {
		if why := unidentified(d); why != "" && d.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
			suite.CouldNotTell("%s (NI-01), so that the case does not know which node it is", why)
		}
		if !d.ClaimsPlugin(csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS) {
			return ""
		}
		return mayBeUnidentified(d)
	}))
}

// NodeInfo is like Nodes, for a case that looks at the answer of NodeGetInfo.
func NodeInfo(endpoints int) []Need {
	return Needs(Nodes(endpoints), need("node-info", suite.ByCapability, mayBeUnidentified))
}

// NodeEndpoints needs the given number of node endpoints, whether or not they say which node they are.
func NodeEndpoints(endpoints int) []Need {
	return Needs(Attaches(1), need(fmt.Sprintf("node-endpoints=%d", endpoints), suite.ByEnvironment, func(d *Driver) string {
		return unless(len(d.Nodes) >= endpoints, "node endpoints given: %d, and the case needs %d", len(d.Nodes), endpoints)
	}))
}

// unidentified describes a node that does not say which node it is. It is empty if each does.
func unidentified(d *Driver) string {
	if i := slices.IndexFunc(d.Nodes, func(node *Node) bool { return node.unknown }); i >= 0 {
		return fmt.Sprintf("NodeGetInfo of %s is UNIMPLEMENTED", d.Nodes[i])
	}
	return ""
}

func mayBeUnidentified(d *Driver) string {
	why := unidentified(d)
	return unless(why == "", "%s, as it may be without PUBLISH_UNPUBLISH_VOLUME", why)
}

// RealNodes needs nodes that mount volumes, unlike fakes.
func RealNodes() []Need {
	return need("real-nodes", suite.ByProfile, func(d *Driver) string {
		return unless(!d.Profile().FakeNodes, "the profile says fakeNodes: the nodes mount nothing")
	})
}

// Data needs nodes on which the case can write to volumes and read them.
func Data() []Need {
	return Needs(RealNodes(), need("data", suite.ByProfile, func(d *Driver) string {
		return unless(d.Target.Paths.Data(), "the profile's directories do not set write and read, which the case needs to write to volumes and read them")
	}), Writer())
}

// Writer needs volumes that can be written to.
func Writer() []Need {
	return need("", suite.ByProfile, func(d *Driver) string {
		mode := d.Profile().Plain().Mode()
		return unless(!messages.ReadsOnly(mode), "the case needs a volume that is written to, and the profile says that volumes have %s", mode)
	})
}
