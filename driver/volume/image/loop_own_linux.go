// SPDX-License-Identifier: Apache-2.0

package image

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/moby/sys/mountinfo"
	"golang.org/x/sys/unix"

	"github.com/csi-topo/csi-topo/driver/volume/internal/mount"
)

// label returns the label of this node's loop devices for the volume, by which they are found even without the image: the
// node, as a hash because the room in the kernel is limited, and the volume.
func (m *Mounter) label(id string) string { return m.nodeLabel() + id }

func (m *Mounter) nodeLabel() string {
	return fmt.Sprintf("%.8x/", sha256.Sum256([]byte(m.nodeID)))
}

// labelOf returns the label of the loop device, empty when nothing is attached.
func labelOf(device *os.File) (string, error) {
	info, err := statusOf(device)
	if err != nil || info == nil {
		return "", err
	}
	return unix.ByteSliceToString(info.File_name[:]), nil
}

// ownDevice opens the loop device that this node attached for the volume and that
// stays until it is detached; nil if there is none. The caller closes it.
func (m *Mounter) ownDevice(id string) (*os.File, error) {
	attached, err := filepath.Glob("/sys/block/loop*/loop/backing_file")
	if err != nil {
		return nil, fmt.Errorf("listing loop devices: %w", err)
	}
	for _, file := range attached {
		name := filepath.Base(filepath.Dir(filepath.Dir(file)))
		device, err := openDevice(name, os.O_RDONLY)
		if isGone(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		info, err := statusOf(device)
		if err != nil {
			return nil, errors.Join(err, device.Close())
		}
		if info != nil && info.Flags&unix.LO_FLAGS_AUTOCLEAR == 0 && unix.ByteSliceToString(info.File_name[:]) == m.label(id) {
			return device, nil
		}
		if err := device.Close(); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// owns reports whether a mount at a path of the volume belongs to this node's loop device for it. A device without a
// label of this node had its image detached by hand, and still belongs to the volume: nothing else mounts one there.
func (m *Mounter) owns(id string) mount.Owner {
	return func(mounted *mountinfo.Info) (bool, error) {
		label, block, err := labelAt(mounted)
		return label == m.label(id) || block && !strings.HasPrefix(label, m.nodeLabel()), err
	}
}

// labelAt returns the label of the loop device whose file system is mounted, or
// which is itself mounted as a block device; empty for any other mount.
func labelAt(mounted *mountinfo.Info) (label string, block bool, err error) {
	name, block, found := loopOf(mounted)
	if !found {
		return "", false, nil
	}
	device, err := openDevice(name, os.O_RDONLY)
	if isGone(err) {
		return "", block, nil
	}
	if err != nil {
		return "", false, err
	}
	label, err = labelOf(device)
	return label, block, errors.Join(err, device.Close())
}

// isGone reports whether the kernel has removed a device since it was found.
func isGone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENXIO) || errors.Is(err, unix.ENODEV)
}

// loopOf returns the kernel name of the loop device whose file system is mounted,
// or which is itself mounted as a block device.
func loopOf(mounted *mountinfo.Info) (name string, block, found bool) {
	if name, err := deviceName(mounted.Major, mounted.Minor); err == nil && strings.HasPrefix(name, "loop") {
		return name, false, true
	}
	name = filepath.Base(mounted.Root)
	digits := strings.TrimPrefix(name, "loop")
	if digits == name || digits == "" || strings.Trim(digits, "0123456789") != "" {
		return "", false, false
	}
	return name, true, true
}
