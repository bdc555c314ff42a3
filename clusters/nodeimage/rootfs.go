// SPDX-License-Identifier: Apache-2.0

package nodeimage

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/csi-topo/csi-topo/clusters/cache"
)

// suite is the Debian release of the built images.
const suite = "bookworm"

// nodePackages returns the packages of kind's own base image, without those that only its network storage tests need, and
// in addition XFS, runc, the busybox of the workload image and the init that pauses in a pod.
func nodePackages() []string {
	return []string{
		"systemd", "dbus", "kmod", "conntrack", "iptables", "nftables", "iproute2", "ethtool", "ebtables", "socat", "netbase",
		"util-linux", "mount", "procps", "libseccomp2", "runc", "pigz",
		"e2fsprogs", "xfsprogs", "busybox-static", "catatonit",
		"bash", "ca-certificates", "curl", "jq",
	}
}

// rootfs returns an archive of a Debian file system with the node's packages.
func (b *Builder) rootfs(ctx context.Context) (string, error) {
	key := cache.Key(append([]string{suite, "usr-merged"}, nodePackages()...)...)
	dir, err := b.Cache.Entry(ctx, "rootfs", suite+"-"+key, func(ctx context.Context, dir string) error {
		return b.Progress.Step(ctx, "installing the node's Debian packages", func(ctx context.Context, log io.Writer) error {
			return b.debootstrap(ctx, log, dir)
		})
	})
	return filepath.Join(dir, "rootfs.tar"), err
}

func (b *Builder) debootstrap(ctx context.Context, log io.Writer, dir string) error {
	if err := needDebootstrap(ctx, log); err != nil {
		return err
	}
	root := filepath.Join(dir, "root")
	// An interrupted debootstrap leaves /proc mounted in its target.
	defer func() { _ = unmountBelow(root) }()
	if err := run(command(ctx, log, "debootstrap", "--variant=minbase",
		"--include="+strings.Join(nodePackages(), ","), suite, root)); err != nil {
		return err
	}
	for _, waste := range []string{"var/cache/apt/archives", "var/lib/apt/lists", "usr/share/doc", "usr/share/man", "usr/share/locale"} {
		if err := os.RemoveAll(filepath.Join(root, waste)); err != nil {
			return fmt.Errorf("removing what a node does not need: %w", err)
		}
	}
	if err := unmountBelow(root); err != nil {
		return err
	}
	if err := run(command(ctx, log, "tar", "-C", root, "--numeric-owner", "-cf", filepath.Join(dir, "rootfs.tar"), ".")); err != nil {
		return err
	}
	return os.RemoveAll(root)
}

// needDebootstrap installs debootstrap if possible: as root on Debian and Ubuntu.
func needDebootstrap(ctx context.Context, log io.Writer) error {
	if os.Geteuid() != 0 {
		return fmt.Errorf("building a node image needs root and this is user %d: run as root, or pull images with --images=pull", os.Geteuid())
	}
	if _, err := exec.LookPath("debootstrap"); err == nil {
		return nil
	}
	if _, err := exec.LookPath("apt-get"); err != nil {
		return fmt.Errorf("building a node image needs debootstrap, which is not installed: install it, or pull images with --images=pull")
	}
	if err := run(command(ctx, log, "apt-get", "update", "-q")); err != nil {
		return err
	}
	install := command(ctx, log, "apt-get", "install", "-qy", "--no-install-recommends", "debootstrap", "debian-archive-keyring")
	install.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	return run(install)
}
