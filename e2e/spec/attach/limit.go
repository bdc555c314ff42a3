package attach

import (
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// most is how many volumes a case makes to reach the limit of a node.
const most = 64

// limited is the node with the lowest limit of volumes, whose segment has room for one more than that and the one that
// follows it. Without one the case is skipped.
func limited(under *harness.Driver) *harness.Node {
	var lowest *harness.Node
	for _, node := range under.Nodes {
		if node.MaxVolumes > 0 && (lowest == nil || node.MaxVolumes < lowest.MaxVolumes) {
			lowest = node
		}
	}
	if lowest == nil {
		verdict.Skip(verdict.ByEnvironment, "no node has a max_volumes_per_node")
	}
	if lowest.MaxVolumes > most {
		verdict.Skip(verdict.ByEnvironment, "the lowest max_volumes_per_node is %d, and the case makes %d volumes at most", lowest.MaxVolumes, most)
	}
	need := (lowest.MaxVolumes + 2) * under.Size()
	if available := under.Available(lowest.Segment); available < need {
		verdict.Skip(verdict.ByEnvironment, "%s has room for %d bytes, and the case needs %d", lowest.Segment, available, need)
	}
	return lowest
}
