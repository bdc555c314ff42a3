// SPDX-License-Identifier: Apache-2.0

package image

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// openDevice opens the block device of the given kernel name, such as "loop12". If the device has no file in /dev, it
// makes one: a container's /dev has the devices that existed when it started, while the kernel adds more on demand.
func openDevice(name string, mode int) (*os.File, error) {
	path := filepath.Join("/dev", name)
	device, err := os.OpenFile(path, mode, 0)
	if err == nil {
		return device, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("opening the device: %w", err)
	}
	number, err := deviceNumber(name)
	if err != nil {
		return nil, err
	}
	if err := unix.Mknod(path, unix.S_IFBLK|0o600, int(number)); err != nil && !errors.Is(err, unix.EEXIST) {
		return nil, fmt.Errorf("making the device file %s: %w", path, err)
	}
	if device, err = os.OpenFile(path, mode, 0); err != nil {
		return nil, fmt.Errorf("opening the device: %w", err)
	}
	return device, nil
}

// deviceNumber reads the number of the block device with the given kernel name from sysfs.
func deviceNumber(name string) (uint64, error) {
	path := filepath.Join("/sys/block", name, "dev")
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, fmt.Errorf("looking up the number of device %s: %w", name, err)
	}
	var major, minor uint32
	if _, err := fmt.Sscanf(string(text), "%d:%d", &major, &minor); err != nil {
		return 0, fmt.Errorf("reading the number of device %s, %q in %s: %w", name, text, path, err)
	}
	return unix.Mkdev(major, minor), nil
}

// deviceName reads the kernel name of the block device with the given number from sysfs.
func deviceName(major, minor int) (string, error) {
	link, err := os.Readlink(fmt.Sprintf("/sys/dev/block/%d:%d", major, minor))
	if err != nil {
		return "", fmt.Errorf("looking up the name of device %d:%d: %w", major, minor, err)
	}
	return filepath.Base(link), nil
}
