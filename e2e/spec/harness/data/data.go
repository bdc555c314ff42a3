// SPDX-License-Identifier: Apache-2.0

// Package data writes to volumes that nodes have published, reads them, and checks their mounts.
package data

import (
	"context"
	"errors"
	"path"
	"strings"
	"syscall"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// longestText is the length in bytes of a text that is written to a volume.
const longestText = 64

// Write writes a text of at most 64 bytes to a volume that the node has published for writing: into a file of the
// volume, or to the beginning of the device. It skips the case if nodes do not show data, and ends it as an error if
// writing fails.
func Write(ctx context.Context, n *harness.Node, published *csi.NodePublishVolumeRequest, text string) {
	if err := TryWrite(ctx, n, published, text); err != nil {
		suite.CouldNotTell("writing to volume %s, which %s has published for writing at %s, failed: %v", published.GetVolumeId(), n, published.GetTargetPath(), err)
	}
}

// TryWrite is like Write, for a case that judges whether it can be done.
func TryWrite(ctx context.Context, n *harness.Node, published *csi.NodePublishVolumeRequest, text string) error {
	return WriteAt(ctx, n, published, 0, text)
}

// WriteAt is like TryWrite, from the given offset of the file or the device.
func WriteAt(ctx context.Context, n *harness.Node, published *csi.NodePublishVolumeRequest, offset int64, text string) error {
	harness.Meet(ctx, n.Driver, harness.Data())
	if !n.Exists(ctx, published.GetTargetPath()) {
		suite.Fail(Clause(published), "%s answered OK to NodePublishVolume of volume %s, and nothing is at target_path, %s", n, published.GetVolumeId(), published.GetTargetPath())
	}
	if published.GetVolumeCapability().GetBlock() != nil {
		MustBeNoDirectory(ctx, n, published)
	}
	return n.Driver.Target.Paths.Write(ctx, n.ID, File(published), offset, []byte(text))
}

// Clause returns the clause that says how a volume is at its target path: as a device, or as a directory.
func Clause(published *csi.NodePublishVolumeRequest) string {
	if published.GetVolumeCapability().GetBlock() != nil {
		return "NS-19"
	}
	return "NS-20"
}

// Read returns the text that Write wrote to the volume, wherever it was published then. It is empty if nothing was
// written.
func Read(ctx context.Context, n *harness.Node, published *csi.NodePublishVolumeRequest) string {
	return ReadAt(ctx, n, published, 0)
}

// ReadAt returns the text that WriteAt wrote at the offset. It is empty if nothing was written.
func ReadAt(ctx context.Context, n *harness.Node, published *csi.NodePublishVolumeRequest, offset int64) string {
	harness.Meet(ctx, n.Driver, harness.Data())
	text, err := TryRead(ctx, n, published, offset)
	if err != nil {
		suite.CouldNotTell("reading from volume %s, which %s has published at %s, failed: %v", published.GetVolumeId(), n, published.GetTargetPath(), err)
	}
	return text
}

// TryRead is like ReadAt, for a case that continues if reading fails.
func TryRead(ctx context.Context, n *harness.Node, published *csi.NodePublishVolumeRequest, offset int64) (string, error) {
	from, paths := File(published), n.Driver.Target.Paths
	if there, err := paths.Exists(ctx, n.ID, from); err != nil || !there {
		return "", err
	}
	data, err := paths.Read(ctx, n.ID, from, offset, longestText)
	return strings.TrimRight(string(data), "\x00"), err
}

// WriteTo publishes the volume on the node, or on another node that it is accessible from, writes the text, and
// unpublishes the volume, so that the text is stored.
func WriteTo(ctx context.Context, n *harness.Node, volume *csi.Volume, text string) {
	node := publication.For(n, volume)
	published := publication.Publish(ctx, node, volume)
	Write(ctx, node, published, text)
	publication.TakeAway(ctx, node, volume, published)
}

// ReadFrom publishes the volume on the node, or on another node that it is accessible from, reads the text that was written
// to it, and unpublishes it.
func ReadFrom(ctx context.Context, n *harness.Node, volume *csi.Volume) string {
	node := publication.For(n, volume)
	published := publication.Publish(ctx, node, volume)
	defer publication.TakeAway(ctx, node, volume, published)
	return Read(ctx, node, published)
}

// NeedKept ends the case as an error unless the volume still has the text that was written to it. That data survives
// unpublishing and publishing is checked by publish_keeps_data, not by cases that do something in between.
func NeedKept(ctx context.Context, n *harness.Node, volume *csi.Volume, text string) {
	if got := ReadFrom(ctx, n, volume); got != text {
		suite.CouldNotTell("%q was written to volume %s, which has %q when it is published again, though nothing has changed it: see publish_keeps_data", text, volume.GetVolumeId(), got)
	}
}

// ShowsData reports whether a case can write to volumes and read them, for a case that checks more then.
func ShowsData(d *harness.Driver) bool {
	return len(d.Nodes) > 0 && !d.Profile().FakeNodes && d.Target.Paths.Data() && !messages.ReadsOnly(d.Profile().Plain().Mode())
}

// Mounted reports whether a volume or a device is mounted at the path on the node, where that is known.
func Mounted(ctx context.Context, n *harness.Node, at string) (mounted, known bool) {
	mounted, known, err := n.Driver.Target.Paths.Mounted(ctx, n.ID, at)
	if err != nil {
		suite.CouldNotTell("cannot find out whether anything is mounted at %s of %s: %v", at, n, err)
	}
	return mounted, known
}

// HintAtFake returns the next line of a failure message if nothing is mounted where a volume was published: the line
// suggests a setting for nodes that are fakes. It is empty if something is mounted, or if that is unknown.
func HintAtFake(ctx context.Context, n *harness.Node, published *csi.NodePublishVolumeRequest) string {
	if mounted, known := Mounted(ctx, n, published.GetTargetPath()); mounted || !known {
		return ""
	}
	return "\nNothing is mounted at " + published.GetTargetPath() + ". If the nodes are fakes that mount nothing, set fakeNodes in the profile"
}

// IsDirectory reports whether a directory is at the path, as far as that can be seen.
func IsDirectory(ctx context.Context, n *harness.Node, at string) bool {
	_, err := n.Driver.Target.Paths.Read(ctx, n.ID, at, 0, 1)
	return errors.Is(err, syscall.EISDIR)
}

// MustBeNoDirectory fails the case if a directory is where a block volume was published, as far as that can be seen. A
// file may stand in for a device, as it does with an in-memory driver.
func MustBeNoDirectory(ctx context.Context, n *harness.Node, published *csi.NodePublishVolumeRequest) {
	suite.Must("NS-19", !IsDirectory(ctx, n, published.GetTargetPath()), "%s answered OK to NodePublishVolume of volume %s with the access type block, and a directory is at target_path, %s: the block device belongs there",
		n, published.GetVolumeId(), published.GetTargetPath())
}

// File returns the path of the file or the device of a volume that cases write to.
func File(published *csi.NodePublishVolumeRequest) string {
	if published.GetVolumeCapability().GetBlock() != nil {
		return published.GetTargetPath()
	}
	return path.Join(published.GetTargetPath(), "csi-topo")
}
