// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/moby/sys/mountinfo"
)

// stopTimeout limits how long all of a daemon's processes may take to end.
const stopTimeout = time.Minute

// termTimeout limits how long a process may take to end after SIGTERM before it is killed.
const termTimeout = 20 * time.Second

// stop ends the daemon, which must answer, and undoes its changes to the host.
func (d *daemon) stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, stopTimeout)
	defer cancel()
	if err := d.removeNetworks(ctx); err != nil {
		return err
	}
	if err := errors.Join(d.sweep(ctx), restoreHost(ctx, d.origin())); err != nil {
		return fmt.Errorf("stopping the private engine: %w (its log: %s)", err, d.log())
	}
	_, _ = fmt.Fprintln(d.out, "engine: stopped the private dockerd")
	return nil
}

// removeNetworks removes the networks with their bridges and firewall rules, which would remain after dockerd has ended.
// The removal of a container may return before its network releases it, and prune skips such a network silently.
func (d *daemon) removeNetworks(ctx context.Context) error {
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	for {
		if _, err := d.client().run(ctx, "network", "prune", "--force"); err != nil {
			return fmt.Errorf("removing the private engine's networks: %w", err)
		}
		left, err := d.client().lines(ctx, "network", "ls", "--quiet", "--filter", "type=custom")
		if err != nil {
			return fmt.Errorf("listing the private engine's networks: %w", err)
		}
		if len(left) == 0 {
			return nil
		}
		select {
		case <-poll.C:
		case <-ctx.Done():
			return fmt.Errorf("removing the private engine's networks, %s is still in use: %w", strings.Join(left, ", "), ctx.Err())
		}
	}
}

// removeContainers removes the containers and their volumes, and stops the daemon. It restarts a daemon that was killed,
// because only the daemon knows its containers.
func (d *daemon) removeContainers(ctx context.Context) error {
	if !d.live(ctx) {
		if err := d.start(ctx); err != nil {
			return err
		}
	}
	containers, err := d.client().lines(ctx, "ps", "--all", "--quiet")
	if err != nil {
		return fmt.Errorf("listing the private engine's containers: %w", err)
	}
	if len(containers) > 0 {
		_, _ = fmt.Fprintf(d.out, "engine: removing %d containers\n", len(containers))
		if _, err := d.client().run(ctx, append([]string{"rm", "--force", "--volumes"}, containers...)...); err != nil {
			return fmt.Errorf("removing the private engine's containers: %w", err)
		}
	}
	return d.stop(ctx)
}

// purge deletes the images. The daemon must not be running.
func (d *daemon) purge() error {
	if err := os.RemoveAll(d.cache); err != nil {
		return fmt.Errorf("removing the private engine's images: %w", err)
	}
	return nil
}

// sweep ends every process of the daemon, and removes its mounts and files except the
// cache.
func (d *daemon) sweep(ctx context.Context) error {
	if err := d.stopProcesses(ctx, "dockerd", "containerd", "containerd-shim-runc-v2"); err != nil {
		return err
	}
	if err := d.unmount(ctx); err != nil {
		return err
	}
	if err := os.RemoveAll(d.execRoot()); err != nil {
		return fmt.Errorf("removing what the private engine left: %w", err)
	}
	return remove(d.socket(), d.pidfile(), d.config(), d.key())
}

// stopProcesses stops the daemon's processes of these programs, in this order.
func (d *daemon) stopProcesses(ctx context.Context, programs ...string) error {
	for _, name := range programs {
		for _, pid := range processesOf(name, d.run) {
			if err := terminate(ctx, pid, name, d.run); err != nil {
				return err
			}
		}
	}
	return nil
}

// terminate sends SIGTERM to a process, and later SIGKILL if necessary, and returns when it has ended.
func terminate(ctx context.Context, pid int, name, dir string) error {
	grace := time.NewTimer(termTimeout)
	defer grace.Stop()
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	send := func(signal syscall.Signal) error {
		if err := syscall.Kill(pid, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
			return fmt.Errorf("ending %s, process %d: %w", name, pid, err)
		}
		return nil
	}
	if err := send(syscall.SIGTERM); err != nil {
		return err
	}
	for isProcessOf(pid, name, dir) {
		select {
		case <-poll.C:
		case <-grace.C:
			if err := send(syscall.SIGKILL); err != nil {
				return err
			}
		case <-ctx.Done():
			return fmt.Errorf("waiting for %s, process %d, to end: %w", name, pid, ctx.Err())
		}
	}
	return nil
}

// unmount unmounts everything below the daemon's directories, innermost first.
func (d *daemon) unmount(ctx context.Context) error {
	mounts, err := mountinfo.GetMounts(func(m *mountinfo.Info) (skip, stop bool) {
		return !below(m.Mountpoint, d.execRoot()) && !below(m.Mountpoint, d.dataRoot()), false
	})
	if err != nil {
		return fmt.Errorf("listing mounts: %w", err)
	}
	for i := len(mounts) - 1; i >= 0; i-- {
		if out, err := exec.CommandContext(ctx, "umount", "--lazy", mounts[i].Mountpoint).CombinedOutput(); err != nil {
			return fmt.Errorf("unmounting %s: %w: %s", mounts[i].Mountpoint, err, strings.TrimSpace(string(out)))
		}
	}
	return nil
}

func below(path, dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }
