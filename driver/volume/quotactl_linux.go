// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"errors"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// What golang.org/x/sys does not have, from the kernel's linux/quota.h,
// linux/dqblk_xfs.h and linux/fs.h. The numbers of the ioctls are those of all
// architectures but Alpha, MIPS, PowerPC and SPARC.
const (
	projectQuota = 2 // PRJQUOTA

	setQuota      = 0x800008 // Q_SETQUOTA
	getQuotaState = 0x5805   // Q_XGETQSTAT

	blockLimitsValid  = 1      // QIF_BLIMITS
	projectsEnforced  = 1 << 5 // FS_QUOTA_PDQ_ENFD
	getAttributes     = 0x801c581f
	setAttributes     = 0x401c5820
	projectInherited  = 0x200 // FS_XFLAG_PROJINHERIT
	quotaBlockBytes   = 1024  // QIF_DQBLKSIZE
	quotaStateVersion = 1     // FS_QSTAT_VERSION
)

// quotaLimits is struct if_dqblk.
type quotaLimits struct {
	blocksHard, blocksSoft, space   uint64
	inodesHard, inodesSoft, inodes  uint64
	blocksGraceTime, inodeGraceTime uint64
	valid                           uint32
	_                               uint32
}

// quotaState is struct fs_quota_stat.
type quotaState struct {
	version int8
	flags   uint16
	_       int8
	// What is known of the files that quotas are kept in, in memory and of grace times.
	_ [75]byte
}

// fileAttributes is struct fsxattr.
type fileAttributes struct {
	flags, extentSize, extents, project, copyExtentSize uint32
	_                                                   [8]byte
}

func (a fileAttributes) inProject(project uint32) bool {
	return a.project == project && a.flags&projectInherited != 0
}

// limitsProjects tells whether the file system that has the directory enforces
// limits of projects.
func limitsProjects(dir *os.File) (bool, error) {
	state := quotaState{version: quotaStateVersion}
	err := quotactl(dir, getQuotaState, 0, unsafe.Pointer(&state))
	switch {
	case err == nil:
		return state.flags&projectsEnforced != 0, nil
	case errors.Is(err, errors.ErrUnsupported), errors.Is(err, unix.EINVAL), errors.Is(err, unix.ESRCH):
		return false, nil
	default:
		return false, fmt.Errorf("asking whether %s has project quotas: %w", dir.Name(), err)
	}
}

// setProjectLimit limits the project to the bytes; 0 is no limit.
func setProjectLimit(dir *os.File, project uint32, bytes int64) error {
	limits := quotaLimits{blocksHard: uint64(bytes+quotaBlockBytes-1) / quotaBlockBytes, valid: blockLimitsValid}
	if err := quotactl(dir, setQuota, project, unsafe.Pointer(&limits)); err != nil {
		return fmt.Errorf("setting the quota of project %d on the file system of %s: %w", project, dir.Name(), err)
	}
	return nil
}

// readAttributes reads the project, among others, of a file or directory.
func readAttributes(file *os.File) (fileAttributes, error) {
	var a fileAttributes
	if err := ioctl(file, getAttributes, unsafe.Pointer(&a)); err != nil {
		return a, fmt.Errorf("reading the project of %s: %w", file.Name(), err)
	}
	return a, nil
}

// setProject puts a file or directory into the project; a directory has what is
// made in it join too.
func setProject(file *os.File, project uint32) error {
	a, err := readAttributes(file)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		return err
	}
	a.project = project
	if info.IsDir() {
		a.flags |= projectInherited
	}
	if err := ioctl(file, setAttributes, unsafe.Pointer(&a)); err != nil {
		return fmt.Errorf("putting %s into project %d: %w", file.Name(), project, err)
	}
	return nil
}

func quotactl(dir *os.File, command int, project uint32, argument unsafe.Pointer) error {
	_, _, errno := unix.Syscall6(unix.SYS_QUOTACTL_FD, dir.Fd(), uintptr(command<<8|projectQuota), uintptr(project), uintptr(argument), 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

func ioctl(file *os.File, request uint, argument unsafe.Pointer) error {
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, file.Fd(), uintptr(request), uintptr(argument)); errno != 0 {
		return errno
	}
	return nil
}
