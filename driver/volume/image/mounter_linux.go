// SPDX-License-Identifier: Apache-2.0

package image

import (
	mountutils "k8s.io/mount-utils"
	utilexec "k8s.io/utils/exec"

	"github.com/csi-topo/csi-topo/driver/durable"
	"github.com/csi-topo/csi-topo/driver/volume"
)

// Mounter mounts images on loop devices of the node it runs on, and bind-mounts the devices themselves as raw block
// volumes. Its whole state is in the kernel's mount table and loop devices, so that a restart loses nothing.
type Mounter struct {
	images *Provisioner
	nodeID string
	watch  durable.Watch
	format *mountutils.SafeFormatAndMount
	resize *mountutils.ResizeFs
	run    utilexec.Interface
}

var _ volume.Mounter = (*Mounter)(nil)

// NewMounter returns a mounter for the images in the data directory. It needs root, Linux 5.14, the
// loop driver and the programs blkid, fsck, mkfs.xfs and xfs_growfs, mkfs.ext4,
// e2fsck and resize2fs.
func NewMounter(config volume.MounterConfig) *Mounter {
	run := utilexec.New()
	return &Mounter{
		images: at(config.DataDir, config.Watch),
		nodeID: config.NodeID,
		watch:  config.Watch,
		format: mountutils.NewSafeFormatAndMount(unmounted{}, run),
		resize: mountutils.NewResizeFs(run),
		run:    run,
	}
}
