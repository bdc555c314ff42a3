// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// lockTimeout limits how long another process may take to start or stop the daemon.
const lockTimeout = installTimeout + slowTimeout + startTimeout + stopTimeout

// daemon is the private dockerd with its files on this host, running or not. Persistent files are below cache, all others
// below run.
type daemon struct {
	out   io.Writer
	cache string
	run   string
}

func newDaemon(o Options) *daemon {
	d := &daemon{out: o.Out, cache: filepath.Join(o.CacheDir, "engine"), run: o.RunDir}
	// A daemon that another user started keeps its data in that user's cache.
	var running configuration
	if text, err := os.ReadFile(d.config()); err == nil && json.Unmarshal(text, &running) == nil && running.DataRoot != "" {
		d.cache = filepath.Dir(running.DataRoot)
	}
	return d
}

func (d *daemon) socket() string     { return filepath.Join(d.run, "docker.sock") }
func (d *daemon) host() string       { return "unix://" + d.socket() }
func (d *daemon) client() client     { return client{host: d.host()} }
func (d *daemon) config() string     { return filepath.Join(d.run, "daemon.json") }
func (d *daemon) pidfile() string    { return filepath.Join(d.run, "dockerd.pid") }
func (d *daemon) key() string        { return filepath.Join(d.run, "key.json") }
func (d *daemon) execRoot() string   { return filepath.Join(d.run, "exec") }
func (d *daemon) origin() string     { return filepath.Join(d.run, "host.json") }
func (d *daemon) dataRoot() string   { return filepath.Join(d.cache, "data") }
func (d *daemon) log() string        { return filepath.Join(d.cache, "dockerd.log") }
func (d *daemon) installLog() string { return filepath.Join(d.cache, "install.log") }

// containerdPidfile returns the file where dockerd keeps the process id of the
// containerd it starts.
func (d *daemon) containerdPidfile() string {
	return filepath.Join(d.execRoot(), "containerd", "containerd.pid")
}

// live reports whether the daemon answers.
func (d *daemon) live(ctx context.Context) bool {
	if _, err := os.Stat(d.socket()); err != nil {
		return false
	}
	_, err := d.client().version(ctx)
	return err == nil
}

// leftSomething reports whether a daemon runs, or one that was killed left containers.
func (d *daemon) leftSomething() bool {
	for _, path := range []string{d.pidfile(), d.socket(), d.origin()} {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return true // or this user may not see it
		}
	}
	containers, err := os.ReadDir(filepath.Join(d.dataRoot(), "containers"))
	return err == nil && len(containers) > 0
}

// lockLifecycle lets only one process at a time install, start or stop the daemon.
func (d *daemon) lockLifecycle(ctx context.Context) (*lock, error) {
	for _, dir := range []string{d.run, d.cache} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("making the engine's directory: %w", err)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, lockTimeout)
	defer cancel()
	return lockFile(ctx, filepath.Join(d.run, "lifecycle.lock"), true)
}

// lockUse registers this process as a user. The lifecycle must be locked.
func (d *daemon) lockUse(ctx context.Context) (*lock, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return lockFile(ctx, filepath.Join(d.run, "users.lock"), false)
}

// configuration is dockerd's own; the host's /etc/docker/daemon.json is not read.
type configuration struct {
	Hosts    []string `json:"hosts"`
	DataRoot string   `json:"data-root"`
	ExecRoot string   `json:"exec-root"`
	Pidfile  string   `json:"pidfile"`
	// Bridge "none" leaves docker0 alone; clusters have their own network.
	Bridge string `json:"bridge"`
	// If dockerd finds a containerd of the host, these names separate our containers from the host's.
	ContainerdNamespace        string `json:"containerd-namespace"`
	ContainerdPluginsNamespace string `json:"containerd-plugins-namespace"`
	// KeyPath keeps older daemons from writing /etc/docker/key.json; newer ones ignore it.
	KeyPath        string                   `json:"deprecated-key-path"`
	DefaultRuntime string                   `json:"default-runtime,omitempty"`
	Runtimes       map[string]runtimeConfig `json:"runtimes,omitempty"`
}

type runtimeConfig struct {
	Path string `json:"path"`
}

// configure returns the daemon's configuration; runtime is the path of an OCI runtime other than runc, or empty.
func (d *daemon) configure(runtime string) configuration {
	c := configuration{
		Hosts:                      []string{d.host()},
		DataRoot:                   d.dataRoot(),
		ExecRoot:                   d.execRoot(),
		Pidfile:                    d.pidfile(),
		Bridge:                     "none",
		ContainerdNamespace:        "csi-topo",
		ContainerdPluginsNamespace: "csi-topo-plugins",
		KeyPath:                    d.key(),
	}
	if runtime != "" {
		c.DefaultRuntime = "csi-topo"
		c.Runtimes = map[string]runtimeConfig{c.DefaultRuntime: {Path: runtime}}
	}
	return c
}

func (d *daemon) writeConfig(c configuration) error {
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return fmt.Errorf("describing the private engine: %w", err)
	}
	if err := os.WriteFile(d.config(), text, 0o600); err != nil {
		return fmt.Errorf("configuring the private engine: %w", err)
	}
	return nil
}
