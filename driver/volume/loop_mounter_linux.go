// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"k8s.io/mount-utils"
	utilexec "k8s.io/utils/exec"

	"github.com/csi-topo/csi-topo/driver/durable"
)

// LoopMounter mounts images on loop devices of the node it runs on, and binds the
// devices themselves as raw block volumes. All it knows is what the kernel tells,
// in the mount table and of the loop devices, so that a restart loses nothing.
type LoopMounter struct {
	images *Images
	nodeID string
	watch  durable.Watch
	format *mount.SafeFormatAndMount
	resize *mount.ResizeFs
	run    utilexec.Interface
}

var _ Mounter = (*LoopMounter)(nil)

// NewLoopMounter returns a mounter for the images. It needs root, Linux 5.14, the
// loop driver and the programs blkid, fsck, mkfs.xfs and xfs_growfs, mkfs.ext4,
// e2fsck and resize2fs.
func NewLoopMounter(images *Images, config MounterConfig) *LoopMounter {
	run := utilexec.New()
	return &LoopMounter{
		images: images,
		nodeID: config.NodeID,
		watch:  config.Watch,
		format: mount.NewSafeFormatAndMount(unmounted{}, run),
		resize: mount.NewResizeFs(run),
		run:    run,
	}
}
