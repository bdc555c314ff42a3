// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
	"time"
)

const (
	// slowTimeout limits how long a running daemon may take to answer before it is considered hanging.
	slowTimeout = 30 * time.Second
	// startTimeout limits how long dockerd may take to start.
	startTimeout = time.Minute
	// pollEvery is the interval at which a wait checks its process.
	pollEvery = 200 * time.Millisecond
)

// start runs dockerd detached from this process and waits until it answers.
func (d *daemon) start(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	begun := time.Now()
	if err := d.recover(ctx); err != nil {
		return err
	}
	runtime := ""
	if inspectHost().lacksSysResource {
		built, err := buildRuntime(ctx, d.cache)
		if err != nil {
			return err
		}
		runtime = built
	}
	if err := d.writeConfig(d.configure(runtime)); err != nil {
		return err
	}
	if err := saveHost(ctx, d.origin()); err != nil {
		return err
	}
	ended, err := d.launch()
	if err != nil {
		return err
	}
	if err := d.awaitLive(ctx, ended); err != nil {
		return errors.Join(fmt.Errorf("starting a private dockerd: %w: see %s", err, d.log()), d.abandon(ctx))
	}
	_, _ = fmt.Fprintf(d.out, "engine: started a private dockerd in %.0f s: DOCKER_HOST=%s, log %s\n", time.Since(begun).Seconds(), d.host(), d.log())
	return nil
}

// launch starts dockerd in a separate session, so that it outlives this process and its terminal. When dockerd ends, the
// error, if any, is sent on the channel, which is then closed.
func (d *daemon) launch() (<-chan error, error) {
	log, err := os.Create(d.log())
	if err != nil {
		return nil, fmt.Errorf("writing the private engine's log: %w", err)
	}
	defer func() { _ = log.Close() }()
	// Without a context: it must outlive this process.
	cmd := exec.Command("dockerd", "--config-file", d.config())
	cmd.Dir = "/"
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting dockerd: %w", err)
	}
	ended := make(chan error, 1)
	go func() {
		ended <- cmd.Wait()
		close(ended)
	}()
	return ended, nil
}

func (d *daemon) awaitLive(ctx context.Context, ended <-chan error) error {
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	for !d.live(ctx) {
		select {
		case <-poll.C:
		case err := <-ended:
			return fmt.Errorf("it ended at once: %w: %s", err, d.lastLogLine())
		case <-ctx.Done():
			return fmt.Errorf("it does not answer on %s: %w", d.socket(), ctx.Err())
		}
	}
	return nil
}

// waitUntilLive waits until a running daemon answers, and reports whether it does: on a busy host that takes longer than
// a probe, and to restart the daemon would end every container on it.
func (d *daemon) waitUntilLive(ctx context.Context) bool {
	if len(processesOf("dockerd", d.run)) == 0 {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, slowTimeout)
	defer cancel()
	return d.awaitLive(ctx, nil) == nil
}

// lastLogLine returns the last line of the daemon's log.
func (d *daemon) lastLogLine() string {
	text, err := os.ReadFile(d.log())
	if err != nil {
		return ""
	}
	return lastLine(string(text))
}

// recover prepares the start of a new dockerd after one that hangs or was killed. It leaves running containers, and the
// directory that lists them, for the new one to adopt.
func (d *daemon) recover(ctx context.Context) error {
	if err := d.stopProcesses(ctx, "dockerd", "containerd"); err != nil {
		return err
	}
	// dockerd mistakes any process with that id, even a zombie, for its containerd.
	return remove(d.socket(), d.pidfile(), d.containerdPidfile())
}

// remove deletes files that may be absent.
func remove(paths ...string) error {
	for _, path := range paths {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("removing what the private engine left: %w", err)
		}
	}
	return nil
}

// abandon cleans up after a failed start, even if ctx has ended.
func (d *daemon) abandon(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	return errors.Join(d.sweep(ctx), restoreHost(ctx, d.origin()))
}
