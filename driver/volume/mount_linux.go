package volume

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/moby/sys/mountinfo"
	"k8s.io/mount-utils"
	utilexec "k8s.io/utils/exec"
)

// LoopMounter mounts images on loop devices of the node it runs on. All it knows
// is what the node's mount table says, so that a restart loses nothing.
type LoopMounter struct {
	images *Images
	mount  *mount.SafeFormatAndMount
	resize *mount.ResizeFs
}

var _ Mounter = (*LoopMounter)(nil)

// NewLoopMounter returns a mounter for the images. It needs root, the loop driver
// and the programs mount, umount, blkid, mkfs.xfs or mkfs.ext4, and xfs_growfs or resize2fs.
func NewLoopMounter(images *Images) *LoopMounter {
	run := utilexec.New()
	return &LoopMounter{
		images: images,
		mount:  mount.NewSafeFormatAndMount(mount.NewWithoutSystemd(""), run),
		resize: mount.NewResizeFs(run),
	}
}

// mountedAt returns what is mounted at the path itself, nil for nothing; of
// several mounts on top of each other the one that is seen.
func mountedAt(path string) (*mountinfo.Info, error) {
	parent, err := filepath.EvalSymlinks(filepath.Dir(filepath.Clean(path)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("resolving %s: %w", path, err)
	}
	resolved := filepath.Join(parent, filepath.Base(path))
	mounts, err := mountinfo.GetMounts(func(m *mountinfo.Info) (skip, stop bool) { return m.Mountpoint != resolved, false })
	if err != nil {
		return nil, fmt.Errorf("reading the mount table for %s: %w", path, err)
	}
	if len(mounts) == 0 {
		return nil, nil
	}
	return mounts[len(mounts)-1], nil
}

// volumeAt returns the mount of the volume at the path and its open loop device,
// which the caller closes; ErrNotFound unless this volume is mounted there.
func (m *LoopMounter) volumeAt(id, path string) (*mountinfo.Info, *os.File, error) {
	image, err := m.images.stat(id)
	if err != nil {
		return nil, nil, err
	}
	found, err := mountedAt(path)
	if err != nil {
		return nil, nil, err
	}
	if found == nil {
		return nil, nil, fmt.Errorf("%w: volume %q is not mounted at %s, nothing is", ErrNotFound, id, path)
	}
	name, err := deviceName(found.Major, found.Minor)
	if err != nil || !strings.HasPrefix(name, "loop") {
		return nil, nil, fmt.Errorf("%w: volume %q is not mounted at %s, but %s (%s) is", ErrNotFound, id, path, found.Source, found.FSType)
	}
	device, err := openDevice(name, os.O_RDONLY)
	if err != nil {
		return nil, nil, err
	}
	ours, err := backs(device, image)
	if err != nil {
		return nil, nil, errors.Join(err, device.Close())
	}
	if !ours {
		return nil, nil, errors.Join(fmt.Errorf("%w: volume %q is not mounted at %s, but another image on %s is", ErrNotFound, id, path, device.Name()), device.Close())
	}
	return found, device, nil
}

// isReadOnly tells whether the mount itself, whatever its file system, is read-only.
func isReadOnly(m *mountinfo.Info) bool {
	return slices.Contains(strings.Split(m.Options, ","), "ro")
}

// unmountAll unmounts the path, as often as something is mounted on it.
func (m *LoopMounter) unmountAll(path string) (unmounted bool, err error) {
	for {
		found, err := mountedAt(path)
		if err != nil || found == nil {
			return unmounted, err
		}
		if err := m.mount.Unmount(path); err != nil {
			return unmounted, fmt.Errorf("unmounting %s: %w", path, err)
		}
		unmounted = true
	}
}
