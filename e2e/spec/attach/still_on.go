package attach

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// whereabouts tell whether a volume that is on a node stays there: by published_node_ids of the calls that have the
// node while the volume is on it for certain; where none has, by DeleteVolume, which refuses a volume in use. That
// these calls are right is for the cases on them to judge: what a call that is wrong beforehand says afterwards is no
// evidence.
type whereabouts struct {
	under  *harness.Driver
	volume *csi.Volume
	node   *harness.Node
	calls  []string // that say so; none where DeleteVolume does
}

// on finds out what tells that the volume, which has been published to the node, is there. The case is skipped where
// nothing does.
func on(ctx context.Context, under *harness.Driver, volume *csi.Volume, node *harness.Node) whereabouts {
	w := whereabouts{under: under, volume: volume, node: node}
	under.Settled(ctx, func() bool {
		w.calls = nil
		said := under.PublishedNodes(ctx, volume.GetVolumeId())
		for call, nodes := range said {
			if slices.Contains(nodes, node.ID) {
				w.calls = append(w.calls, call)
			}
		}
		return len(w.calls) == len(said)
	})
	if len(w.calls) == 0 && remove(ctx, under, volume) == nil {
		verdict.Skip(verdict.ByCapability, "no call says which nodes a volume is published to, as LIST_VOLUMES_PUBLISHED_NODES would claim, "+
			"and DeleteVolume deletes one that is in use: nothing can show that volume %s stays on %s", volume.GetVolumeId(), node)
	}
	return w
}

// unchanged says that the volume is still on the node. why is what was done, with its clause.
func (w whereabouts) unchanged(ctx context.Context, why string) {
	ginkgo.GinkgoHelper()
	if len(w.calls) == 0 {
		gomega.Expect(remove(ctx, w.under, w.volume)).NotTo(gomega.Succeed(),
			"%s: it is in use on %s still, and DeleteVolume, which refused to delete it while it was there, now deletes it", why, w.node)
		return
	}
	said := w.under.PublishedNodes(ctx, w.volume.GetVolumeId())
	for _, call := range w.calls {
		nodes, answered := said[call]
		if !answered {
			verdict.CouldNotTell("%s, which told where volume %s is, does not any more", call, w.volume.GetVolumeId())
		}
		gomega.Expect(nodes).To(gomega.ContainElement(w.node.ID), "%s: it is on %s still, and %s does not have it there any more", why, w.node, call)
	}
}
