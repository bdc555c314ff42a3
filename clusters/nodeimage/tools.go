// SPDX-License-Identifier: Apache-2.0

package nodeimage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/csi-topo/csi-topo/clusters/cache"
)

// driverTools returns the programs that drivers run, by their paths in a Debian file system.
func driverTools() []string {
	return []string{
		"usr/bin/cp", "usr/bin/dd", "usr/bin/tar", "usr/bin/gzip", // for snapshots and clones
		"usr/bin/mount", "usr/bin/umount", "usr/bin/findmnt", "usr/bin/lsblk", "usr/sbin/losetup", "usr/bin/fallocate",
		"usr/sbin/blkid", "usr/sbin/blockdev", "usr/sbin/fsck",
		"usr/sbin/mkfs.xfs", "usr/sbin/xfs_growfs", "usr/sbin/xfs_io", "usr/sbin/xfs_repair",
		"usr/sbin/mkfs.ext4", "usr/sbin/resize2fs", "usr/sbin/dumpe2fs", "usr/sbin/e2fsck",
	}
}

const busybox = "usr/bin/busybox"

// Directories below a tools entry.
const (
	driverDir  = "driver"
	busyboxDir = "busybox"
)

// builtTools returns the tools from the node's Debian file system.
func (b *Builder) builtTools(ctx context.Context) (string, error) {
	rootfs, err := b.rootfs(ctx)
	if err != nil {
		return "", err
	}
	return b.tools(ctx, filepath.Base(filepath.Dir(rootfs)), func(ctx context.Context, log io.Writer, root string) error {
		return run(command(ctx, log, "tar", "-C", root, "-xf", rootfs, "./usr", "./bin", "./lib", "./lib64", "./sbin"))
	})
}

// pulledTools returns the tools from Debian's published image, with the packages added in a container.
func (b *Builder) pulledTools(ctx context.Context, debian string) (string, error) {
	return b.tools(ctx, cache.Key(debian), func(ctx context.Context, log io.Writer, root string) error {
		const install = "apt-get update -q && apt-get install -qy --no-install-recommends xfsprogs e2fsprogs mount busybox-static"
		container, err := output(b.docker(ctx, log, "create", "--label", "csi-topo=build", debian, "sh", "-c", install))
		if err != nil {
			return err
		}
		defer func() { _ = b.docker(context.WithoutCancel(ctx), log, "rm", "--force", container).Run() }()
		if err := run(b.docker(ctx, log, "start", "--attach", container)); err != nil {
			return err
		}
		return run(b.docker(ctx, log, "cp", container+":/usr", filepath.Join(root, "usr")))
	})
}

// tools returns a directory with the driver's tools and the workload's busybox, taken
// from the Debian file system that unpack puts into an empty directory.
func (b *Builder) tools(ctx context.Context, key string, unpack func(ctx context.Context, log io.Writer, root string) error) (string, error) {
	recipe, err := b.recipeKey()
	if err != nil {
		return "", err
	}
	return b.Cache.Entry(ctx, "tools", cache.Key(key, recipe), func(ctx context.Context, dir string) error {
		return b.Progress.Step(ctx, "collecting the driver's file system tools", func(ctx context.Context, log io.Writer) (err error) {
			root := filepath.Join(dir, "root")
			if err := os.Mkdir(root, 0o755); err != nil {
				return err
			}
			defer func() { err = errors.Join(err, os.RemoveAll(root)) }()
			if err := unpack(ctx, log, root); err != nil {
				return err
			}
			tools, err := closure(root, driverTools()...)
			if err != nil {
				return err
			}
			if err := writeAll(filepath.Join(dir, driverDir), tools); err != nil {
				return err
			}
			box, err := busyboxFiles(ctx, root)
			if err != nil {
				return err
			}
			return writeAll(filepath.Join(dir, busyboxDir), box)
		})
	})
}

// busyboxFiles returns the static busybox, with a link for each of its applets.
func busyboxFiles(ctx context.Context, root string) (map[string]file, error) {
	content, err := readIn(root, busybox)
	if err != nil {
		return nil, err
	}
	applets, err := output(command(ctx, io.Discard, filepath.Join(root, busybox), "--list"))
	if err != nil {
		return nil, err
	}
	files := map[string]file{"bin/busybox": {mode: 0o755, content: content}}
	for applet := range strings.FieldsSeq(applets) {
		if applet != "busybox" {
			files["bin/"+applet] = file{mode: 0o777, link: "busybox"}
		}
	}
	return files, nil
}

func writeAll(dir string, files map[string]file) error {
	for name, f := range files {
		at := filepath.Join(dir, name)
		if f.link == "" {
			if err := writeFile(at, f.content, f.mode); err != nil {
				return err
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return err
		}
		if err := os.Symlink(f.link, at); err != nil {
			return err
		}
	}
	return nil
}

// readAll reads the files that writeAll wrote.
func readAll(dir string) (map[string]file, error) {
	files := map[string]file{}
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		relative, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		if entry.Type()&fs.ModeSymlink != 0 {
			link, err := os.Readlink(name)
			files[relative] = file{mode: 0o777, link: link}
			return err
		}
		content, err := os.ReadFile(name)
		files[relative] = file{mode: 0o755, content: content}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", dir, err)
	}
	return files, nil
}
