// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"path"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// longestText is how many bytes a text has that is written to a volume.
const longestText = 64

// Write writes a text of at most 64 bytes to a volume that the node has published for writing: into a file of the volume, or
// to the beginning of the device. Where nodes do not show data, the case is skipped; where writing fails, the case could not
// tell.
func (n *Node) Write(ctx context.Context, published *csi.NodePublishVolumeRequest, text string) {
	if err := n.TryWrite(ctx, published, text); err != nil {
		suite.CouldNotTell("writing to volume %s, which %s has published for writing at %s, failed: %v", published.GetVolumeId(), n, published.GetTargetPath(), err)
	}
}

// TryWrite is Write for a case that judges whether it can be done.
func (n *Node) TryWrite(ctx context.Context, published *csi.NodePublishVolumeRequest, text string) error {
	return n.WriteAt(ctx, published, 0, text)
}

// WriteAt is TryWrite from the offset of the file or the device on.
func (n *Node) WriteAt(ctx context.Context, published *csi.NodePublishVolumeRequest, offset int64, text string) error {
	n.driver.needRealNodes()
	n.driver.needData()
	if !n.Exists(ctx, published.GetTargetPath()) {
		clause := "NS-20"
		if published.GetVolumeCapability().GetBlock() != nil {
			clause = "NS-19"
		}
		suite.Fail(clause, "%s answered OK to NodePublishVolume of volume %s, and nothing is at target_path, %s", n, published.GetVolumeId(), published.GetTargetPath())
	}
	return n.driver.target.Paths.Write(ctx, n.ID, dataOf(published), offset, []byte(text))
}

// Read is what Write wrote to the volume, wherever it was published then; empty where nothing was written.
func (n *Node) Read(ctx context.Context, published *csi.NodePublishVolumeRequest) string {
	return n.ReadAt(ctx, published, 0)
}

// ReadAt is what WriteAt wrote at the offset; empty where nothing was written.
func (n *Node) ReadAt(ctx context.Context, published *csi.NodePublishVolumeRequest, offset int64) string {
	n.driver.needRealNodes()
	n.driver.needData()
	from := dataOf(published)
	if !n.Exists(ctx, from) {
		return ""
	}
	data, err := n.driver.target.Paths.Read(ctx, n.ID, from, offset, longestText)
	if err != nil {
		suite.CouldNotTell("reading from volume %s, which %s has published at %s, failed: %v", published.GetVolumeId(), n, published.GetTargetPath(), err)
	}
	return strings.TrimRight(string(data), "\x00")
}

// WriteTo publishes the volume on the node, or on one that it is accessible from, writes the text, and takes the volume away
// again, so that the text is stored.
func (n *Node) WriteTo(ctx context.Context, volume *csi.Volume, text string) {
	node := n.For(volume)
	published := node.Publish(ctx, volume)
	node.Write(ctx, published, text)
	node.TakeAway(ctx, volume, published)
}

// ReadFrom publishes the volume on the node, or on one that it is accessible from, reads what was written to it, and takes it
// away again.
func (n *Node) ReadFrom(ctx context.Context, volume *csi.Volume) string {
	node := n.For(volume)
	published := node.Publish(ctx, volume)
	defer node.TakeAway(ctx, volume, published)
	return node.Read(ctx, published)
}

// ShowsData reports whether a case can write to volumes and read them, for one that has more to show then.
func (d *Driver) ShowsData() bool {
	return len(d.Nodes) > 0 && !d.Profile().FakeNodes && d.target.Paths.Data() && !ReadsOnly(d.AccessMode())
}

// Mounted reports whether a volume or a device is mounted at the path on the node, where that is known.
func (n *Node) Mounted(ctx context.Context, at string) (mounted, known bool) {
	mounted, known, err := n.driver.target.Paths.Mounted(ctx, n.ID, at)
	if err != nil {
		suite.CouldNotTell("whether anything is mounted at %s of %s could not be found out: %v", at, n, err)
	}
	return mounted, known
}

// HintAtFake is what a failure adds when nothing is mounted where a volume was published: the next line of its message, which
// says what to do about nodes that are fakes. It is empty when something is, and where that is unknown.
func (n *Node) HintAtFake(ctx context.Context, published *csi.NodePublishVolumeRequest) string {
	if mounted, known := n.Mounted(ctx, published.GetTargetPath()); mounted || !known {
		return ""
	}
	return "\nNothing is mounted at " + published.GetTargetPath() + ". If the nodes are fakes that mount nothing, set fakeNodes in the profile"
}

// dataOf is the file or the device of a volume that cases write to.
func dataOf(published *csi.NodePublishVolumeRequest) string {
	if published.GetVolumeCapability().GetBlock() != nil {
		return published.GetTargetPath()
	}
	return path.Join(published.GetTargetPath(), "csi-topo")
}

func (d *Driver) needRealNodes() {
	if d.Profile().FakeNodes {
		suite.Skip(suite.ByProfile, "the profile says fakeNodes: the nodes mount nothing")
	}
}

func (d *Driver) needData() {
	if !d.target.Paths.Data() {
		suite.Skip(suite.ByProfile, "the profile's directories have no write and read, by which volumes are written to and read")
	}
	d.NeedWriter()
}
