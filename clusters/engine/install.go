// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// installTimeout limits the two runs of apt-get: 100 MB of packages over a slow line.
const installTimeout = 10 * time.Minute

// aptGrace limits how long an interrupted apt-get may take to reach a consistent state.
const aptGrace = 30 * time.Second

// checkPrivate returns nil if a private daemon can be started, and otherwise an error of one sentence that names the
// problem and a command that solves it. answer is the error of the client's default engine.
func checkPrivate(h host, answer error) error {
	if !h.linux {
		return fmt.Errorf("no container engine answers (%w): start Docker Desktop, or run: brew install colima docker && colima start", answer)
	}
	if strings.Contains(answer.Error(), "permission denied") {
		return fmt.Errorf("this user may not use Docker (%w): run: sudo usermod -aG docker $USER, and log in again", answer)
	}
	if h.dockerd && h.root {
		return nil
	}
	if h.dockerd {
		return fmt.Errorf("the installed Docker is not running (%w): run: sudo systemctl start docker, or run this as root", answer)
	}
	if !h.distribution.debian() {
		return fmt.Errorf("no container engine answers (%w): install Docker: %s", answer, h.distribution.installCommand())
	}
	if !h.root {
		return fmt.Errorf("no container engine answers (%w): install Docker: %s, or run this as root, which does so", answer, h.distribution.installCommand())
	}
	return nil
}

// install installs the programs that a private daemon needs and the host lacks, and reports whether it installed any.
func install(ctx context.Context, out io.Writer, logPath string) (bool, error) {
	packages := missingPackages()
	if len(packages) == 0 && isInstalled("docker") {
		return false, nil
	}
	ctx, cancel := context.WithTimeout(ctx, installTimeout)
	defer cancel()
	log, err := os.Create(logPath)
	if err != nil {
		return false, fmt.Errorf("writing apt-get's log: %w", err)
	}
	defer func() { _ = log.Close() }()

	begun := time.Now()
	_, _ = fmt.Fprintln(out, "engine: no Docker answers; installing docker.io with apt-get")
	if err := aptGet(ctx, log, "update"); err != nil {
		return false, err
	}
	if err := aptInstall(ctx, log, packages...); err != nil {
		return false, err
	}
	// Newer releases have a separate package for the client, older ones include it with the daemon.
	if !isInstalled("docker") {
		if err := aptInstall(ctx, log, "docker-cli"); err != nil {
			return true, err
		}
	}
	_, _ = fmt.Fprintf(out, "engine: installed in %.0f s\n", time.Since(begun).Seconds())
	return true, nil
}

// missingPackages returns the packages whose commands this host lacks.
func missingPackages() []string {
	var packages []string
	for _, need := range []struct{ command, from string }{
		{"dockerd", "docker.io"},
		{"iptables", "iptables"},
	} {
		if !isInstalled(need.command) {
			packages = append(packages, need.from)
		}
	}
	return packages
}

func isInstalled(command string) bool {
	_, err := exec.LookPath(command)
	return err == nil
}

func aptInstall(ctx context.Context, log *os.File, packages ...string) error {
	return aptGet(ctx, log, append([]string{"install", "--yes", "--no-install-recommends"}, packages...)...)
}

func aptGet(ctx context.Context, log *os.File, args ...string) error {
	cmd := exec.CommandContext(ctx, "apt-get", append([]string{"-o", "DPkg::Lock::Timeout=120"}, args...)...)
	cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	cmd.Stdout, cmd.Stderr = log, log
	// If it were killed at once, it would leave packages half configured.
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = aptGrace
	err := cmd.Run()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("apt-get %s: %w: see %s", strings.Join(args, " "), err, log.Name())
	}
	return nil
}
