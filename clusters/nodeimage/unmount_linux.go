// SPDX-License-Identifier: Apache-2.0

package nodeimage

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/moby/sys/mountinfo"
	"golang.org/x/sys/unix"
)

// unmountBelow unmounts everything under root, deepest first, so that removing root can never remove files in a mount.
func unmountBelow(root string) error {
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	mounts, err := mountinfo.GetMounts(mountinfo.PrefixFilter(root))
	if err != nil {
		return fmt.Errorf("listing mounts below %s: %w", root, err)
	}
	slices.SortFunc(mounts, func(a, b *mountinfo.Info) int { return strings.Compare(b.Mountpoint, a.Mountpoint) })
	for _, mount := range mounts {
		if err := unix.Unmount(mount.Mountpoint, unix.MNT_DETACH); err != nil {
			return fmt.Errorf("unmounting %s: %w", mount.Mountpoint, err)
		}
	}
	return nil
}
