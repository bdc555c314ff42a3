// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// copyAttributes gives a file or directory the owner, the extended attributes, the
// mode and the times of another; each may undo the one before.
func copyAttributes(to, from *os.File, info fs.FileInfo) error {
	mode := modeOf(info)
	if err := own(info, func(uid, gid int) error { return unix.Fchown(int(to.Fd()), uid, gid) }); errors.Is(err, fs.ErrPermission) {
		mode &^= unix.S_ISUID | unix.S_ISGID // of another owner, they would be another's rights
	} else if err != nil {
		return fmt.Errorf("giving %s its owner: %w", to.Name(), err)
	}
	if err := copyExtendedAttributes(to, from); err != nil {
		return err
	}
	if err := unix.Fchmod(int(to.Fd()), mode); err != nil {
		return fmt.Errorf("giving %s its mode: %w", to.Name(), err)
	}
	if err := unix.UtimesNanoAt(int(to.Fd()), "", timesOf(info), unix.AT_EMPTY_PATH); err != nil {
		return fmt.Errorf("giving %s its times: %w", to.Name(), err)
	}
	return nil
}

// copyNameAttributes gives what has the name, and no link's target, its owner and times.
func copyNameAttributes(dir *os.File, name string, info fs.FileInfo) error {
	err := own(info, func(uid, gid int) error {
		return unix.Fchownat(int(dir.Fd()), name, uid, gid, unix.AT_SYMLINK_NOFOLLOW)
	})
	if err != nil && !errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("giving %s/%s its owner: %w", dir.Name(), name, err)
	}
	if err := unix.UtimesNanoAt(int(dir.Fd()), name, timesOf(info), unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return fmt.Errorf("giving %s/%s its times: %w", dir.Name(), name, err)
	}
	return nil
}

func own(info fs.FileInfo, chown func(uid, gid int) error) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	return chown(int(stat.Uid), int(stat.Gid))
}

// modeOf returns all twelve bits of the mode.
func modeOf(info fs.FileInfo) uint32 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return stat.Mode & 0o7777
	}
	return uint32(info.Mode().Perm())
}

// timesOf returns the time of the last change as that of the last access too.
func timesOf(info fs.FileInfo) []unix.Timespec {
	changed := unix.NsecToTimespec(info.ModTime().UnixNano())
	return []unix.Timespec{changed, changed}
}

// copyExtendedAttributes copies those of users, and the others (labels, lists of
// access rights, capabilities) as far as this process and the file system let it.
func copyExtendedAttributes(to, from *os.File) error {
	names, err := extendedAttribute(func(into []byte) (int, error) { return unix.Flistxattr(int(from.Fd()), into) })
	if errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("listing the extended attributes of %s: %w", from.Name(), err)
	}
	for name := range bytes.SplitSeq(bytes.TrimSuffix(names, []byte{0}), []byte{0}) {
		name := string(name)
		if name == "" {
			continue
		}
		value, err := extendedAttribute(func(into []byte) (int, error) { return unix.Fgetxattr(int(from.Fd()), name, into) })
		if err == nil {
			err = unix.Fsetxattr(int(to.Fd()), name, value, 0)
		}
		if err != nil && (strings.HasPrefix(name, "user.") || !errors.Is(err, fs.ErrPermission) && !errors.Is(err, errors.ErrUnsupported)) {
			return fmt.Errorf("copying the extended attribute %s of %s: %w", name, from.Name(), err)
		}
	}
	return nil
}

// extendedAttribute reads what is of unknown length and may grow meanwhile.
func extendedAttribute(read func(into []byte) (int, error)) ([]byte, error) {
	for {
		size, err := read(nil)
		if err != nil || size == 0 {
			return nil, err
		}
		into := make([]byte, size)
		size, err = read(into)
		if errors.Is(err, unix.ERANGE) {
			continue
		}
		if err != nil {
			return nil, err
		}
		return into[:size], nil
	}
}
