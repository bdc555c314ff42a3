// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"syscall"

	"github.com/csi-topo/csi-topo/driver/durable"
)

// limitProject makes a directory, with all that is and will be in it, a project of
// its file system, and limits that to the bytes. The project has the number of the
// directory's inode, which no other directory of the file system has. Where the
// file system limits no projects it does nothing.
//
// A limit holds against all who do not work at it. As with any project quota, the
// owner of a file may put it into another project by an ioctl; and ext4, unlike XFS,
// lets a process with CAP_SYS_RESOURCE exceed it.
func limitProject(ctx context.Context, watch durable.Watch, dir *os.Root, bytes int64) error {
	file, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer file.Close()
	if limits, err := limitsProjects(file); err != nil || !limits {
		return err
	}
	project, err := projectOf(file)
	if err != nil {
		return err
	}
	if err := watch.Do("quota: limit", func() error { return setProjectLimit(file, project, bytes) }); err != nil {
		return err
	}
	attributes, err := readAttributes(file)
	if err != nil {
		return err
	}
	// The directory joins the project last: when it has, all in it has.
	if attributes.inProject(project) {
		return nil
	}
	return watch.Do("quota: join", func() error { return joinProject(ctx, dir, project, 0) })
}

// unlimitProject takes the limit from a directory that is about to be removed,
// whose number another directory may then get.
func unlimitProject(watch durable.Watch, dir *os.Root) error {
	file, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer file.Close()
	if limits, err := limitsProjects(file); err != nil || !limits {
		return err
	}
	project, err := projectOf(file)
	if err != nil {
		return err
	}
	attributes, err := readAttributes(file)
	if err != nil || !attributes.inProject(project) {
		return err
	}
	return watch.Do("quota: clear", func() error { return setProjectLimit(file, project, 0) })
}

// projectOf returns the number of the project that a directory is for.
func projectOf(dir *os.File) (uint32, error) {
	info, err := dir.Stat()
	if err != nil {
		return 0, err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || stat.Ino > math.MaxUint32 {
		return 0, fmt.Errorf("%w: the inode of %s has a number of more than 32 bits, which is no project's: mount the data directory with the option inode32, and make the volume anew", ErrRefused, dir.Name())
	}
	return uint32(stat.Ino), nil
}

// joinProject puts all that is in a directory into the project, and then the
// directory itself, so that what is made in it joins too. Only files and
// directories have a project that can be set.
func joinProject(ctx context.Context, dir *os.Root, project uint32, depth int) error {
	if depth > maximumDepth {
		return fmt.Errorf("%w: %s is more than %d directories deep: it cannot be limited", ErrRefused, dir.Name(), maximumDepth)
	}
	file, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer file.Close()
	entries, err := file.ReadDir(-1)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := joinEntry(ctx, dir, entry.Name(), project, depth); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s/%s: %w", dir.Name(), entry.Name(), err)
		}
	}
	return setProject(file, project)
}

func joinEntry(ctx context.Context, dir *os.Root, name string, project uint32, depth int) error {
	info, err := dir.Lstat(name)
	if err != nil {
		return err
	}
	switch info.Mode().Type() {
	case fs.ModeDir:
		below, err := openDir(dir, name)
		if err != nil {
			return err
		}
		defer below.Close()
		return joinProject(ctx, below, project, depth+1)
	case 0:
		file, err := openSame(dir, name, info, os.O_RDONLY)
		if err != nil {
			return err
		}
		defer file.Close()
		return setProject(file, project)
	default:
		return nil
	}
}
