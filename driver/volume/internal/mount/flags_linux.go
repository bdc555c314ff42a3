// SPDX-License-Identifier: Apache-2.0

package mount

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/csi-topo/csi-topo/driver/volume"
)

// Flags are mount options, split into the options of one mount, which the kernel keeps for each mount of a file system,
// and the options of the file system.
type Flags struct {
	// set holds the attributes to set, and among all attributes that the options set or clear.
	set, among uint64
	fileSystem []fileSystemFlag
}

// fileSystemFlag is one option of the file system, with its position in the request,
// beginning at 1; 0 for an option that the driver adds.
type fileSystemFlag struct {
	key, value string
	hasValue   bool
	position   int
}

// mountAttribute is the effect of an option on one mount.
type mountAttribute struct{ set, among uint64 }

func mountAttributeOf(flag string) (mountAttribute, bool) {
	const accessTime = unix.MOUNT_ATTR__ATIME
	attribute, known := map[string]mountAttribute{
		"defaults":    {},
		"ro":          {unix.MOUNT_ATTR_RDONLY, unix.MOUNT_ATTR_RDONLY},
		"rw":          {0, unix.MOUNT_ATTR_RDONLY},
		"nosuid":      {unix.MOUNT_ATTR_NOSUID, unix.MOUNT_ATTR_NOSUID},
		"suid":        {0, unix.MOUNT_ATTR_NOSUID},
		"nodev":       {unix.MOUNT_ATTR_NODEV, unix.MOUNT_ATTR_NODEV},
		"dev":         {0, unix.MOUNT_ATTR_NODEV},
		"noexec":      {unix.MOUNT_ATTR_NOEXEC, unix.MOUNT_ATTR_NOEXEC},
		"exec":        {0, unix.MOUNT_ATTR_NOEXEC},
		"nosymfollow": {unix.MOUNT_ATTR_NOSYMFOLLOW, unix.MOUNT_ATTR_NOSYMFOLLOW},
		"symfollow":   {0, unix.MOUNT_ATTR_NOSYMFOLLOW},
		"nodiratime":  {unix.MOUNT_ATTR_NODIRATIME, unix.MOUNT_ATTR_NODIRATIME},
		"diratime":    {0, unix.MOUNT_ATTR_NODIRATIME},
		"relatime":    {unix.MOUNT_ATTR_RELATIME, accessTime},
		"noatime":     {unix.MOUNT_ATTR_NOATIME, accessTime},
		"strictatime": {unix.MOUNT_ATTR_STRICTATIME, accessTime},
	}[flag]
	return attribute, known
}

// ParseFlags splits the options; volume.ErrInvalid if two contradict each other. Options may be secret (CSI spec,
// MountVolume.mount_flags), so errors do not name them.
func ParseFlags(options []string, readOnly bool) (Flags, error) {
	var f Flags
	if readOnly {
		f.set, f.among = unix.MOUNT_ATTR_RDONLY, unix.MOUNT_ATTR_RDONLY
	}
	for n, option := range options {
		for _, flag := range splitOption(option) {
			attribute, known := mountAttributeOf(flag)
			if !known {
				key, value, found := strings.Cut(flag, "=")
				f.fileSystem = append(f.fileSystem, fileSystemFlag{key: key, value: strings.Trim(value, `"`), hasValue: found, position: n + 1})
				continue
			}
			if both := f.among & attribute.among; f.set&both != attribute.set&both {
				return Flags{}, fmt.Errorf("%w: mount flag %d of %d contradicts one before it, or the access mode: ask for one of the two", volume.ErrInvalid, n+1, len(options))
			}
			f.set |= attribute.set
			f.among |= attribute.among
		}
	}
	return f, nil
}

// With adds an option of the file system that the caller did not ask for.
func (f Flags) With(key string) Flags {
	f.fileSystem = append(slices.Clone(f.fileSystem), fileSystemFlag{key: key})
	return f
}

// OfFileSystem returns the position, from 1, of the first requested option of the file system rather than of one mount; 0
// for none.
func (f Flags) OfFileSystem() int {
	for _, flag := range f.fileSystem {
		if flag.position > 0 {
			return flag.position
		}
	}
	return 0
}

// asked reports whether the caller requested any options.
func (f Flags) asked() bool {
	return f.among != 0 || f.OfFileSystem() > 0
}

// ReadOnly reports whether the options request a mount without write access.
func (f Flags) ReadOnly() bool { return f.set&unix.MOUNT_ATTR_RDONLY != 0 }

// splitOption splits options that were given as one, at the commas outside quotes: the label of a context contains commas
// too.
func splitOption(option string) []string {
	quoted := false
	return strings.FieldsFunc(option, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return r == ',' && !quoted
	})
}
