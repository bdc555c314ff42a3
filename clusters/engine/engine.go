// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Options configures the engine's directories and its progress output.
type Options struct {
	// Out receives one line per step; nil discards them.
	Out io.Writer
	// CacheDir holds images and logs of a private daemon; empty means csi-topo in the
	// user's cache directory.
	CacheDir string
	// RunDir holds the socket and the locks of a private daemon; empty means /run/csi-topo.
	// Two private daemons need two directories and two network namespaces, because
	// each daemon rewrites Docker's chains in the firewall of its namespace.
	RunDir string
	// Purge makes Down delete the private daemon's images too.
	Purge bool
}

func (o Options) withDefaults() (Options, error) {
	if o.Out == nil {
		o.Out = io.Discard
	}
	if o.RunDir == "" {
		o.RunDir = "/run/csi-topo"
	}
	if o.CacheDir != "" {
		return o, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return o, fmt.Errorf("finding a place for the engine's files: %w: set XDG_CACHE_HOME or HOME", err)
	}
	o.CacheDir = filepath.Join(cache, "csi-topo")
	return o, nil
}

// Engine is a Docker that answers.
type Engine struct {
	// Host is the value of DOCKER_HOST that reaches it; empty means the client's default.
	Host string
	// Private reports whether this package started the daemon.
	Private bool
	// Facts describes the host for a cluster on this engine.
	Facts Facts

	daemon *daemon // nil unless Private
	use    *lock   // held while this process needs the private daemon
}

// Ensure returns an engine that answers: the engine that DOCKER_HOST names, else a private engine that is running, else
// the client's default, else a private engine that it starts. An error is one sentence with the problem and its remedy.
func Ensure(ctx context.Context, o Options) (*Engine, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	private := newDaemon(o)
	found, err := find(ctx, private)
	if err != nil {
		return nil, err
	}
	if found == nil {
		if found, err = join(ctx, private); err != nil {
			return nil, err
		}
	}
	if found.Facts, err = readFacts(ctx, found.client()); err != nil {
		return nil, errors.Join(err, found.Release(ctx))
	}
	raiseInotify(o.Out)
	return found, nil
}

// find returns the engine that the host provides, or nil if the private one is to be used. It returns an error if neither
// can be used.
func find(ctx context.Context, private *daemon) (*Engine, error) {
	named := os.Getenv("DOCKER_HOST")
	if named != "" && named != private.host() {
		if _, err := (client{host: named}).version(ctx); err != nil {
			return nil, fmt.Errorf("the Docker that DOCKER_HOST=%s names does not answer: %w: start it, or unset DOCKER_HOST", named, err)
		}
		return &Engine{Host: named}, nil
	}
	if private.live(ctx) {
		return nil, nil
	}
	_, err := client{}.version(ctx)
	if err == nil {
		return &Engine{}, nil
	}
	return nil, checkPrivate(inspectHost(), err)
}

// join makes this process a user of the private daemon, and starts the daemon if it is not running. If installing it
// starts the host's own Docker, join returns that engine instead.
func join(ctx context.Context, private *daemon) (*Engine, error) {
	lifecycle, err := private.lockLifecycle(ctx)
	if err != nil {
		return nil, err
	}
	defer lifecycle.release()
	if !private.live(ctx) && !private.waitUntilLive(ctx) {
		added, err := install(ctx, private.out, private.installLog())
		if err != nil {
			return nil, err
		}
		if _, err := (client{}).version(ctx); added && err == nil {
			_, _ = fmt.Fprintln(private.out, "engine: docker.io was installed, and the host's own Docker is running; using it")
			return &Engine{}, nil
		}
		if err := private.start(ctx); err != nil {
			return nil, err
		}
	}
	use, err := private.lockUse(ctx)
	if err != nil {
		return nil, err
	}
	return &Engine{Host: private.host(), Private: true, daemon: private, use: use}, nil
}

// Env returns the environment variables with which a docker client reaches the engine.
func (e *Engine) Env() []string {
	if e.Host == "" {
		return nil
	}
	return []string{"DOCKER_HOST=" + e.Host}
}

func (e *Engine) client() client { return client{host: e.Host} }

// Release records that this process no longer needs the engine. The last user of a private daemon stops it, unless
// containers are kept on it. Release does so even if ctx has ended, as after an interrupt, and takes two minutes at most.
func (e *Engine) Release(ctx context.Context) error {
	if e.use == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*stopTimeout)
	defer cancel()
	lifecycle, err := e.daemon.lockLifecycle(ctx)
	if err != nil {
		return err
	}
	defer lifecycle.release()
	last, err := e.use.leave()
	e.use = nil
	if err != nil || !last {
		return err
	}
	containers, err := e.client().lines(ctx, "ps", "--all", "--quiet")
	if err != nil {
		return fmt.Errorf("asking the private engine for containers before stopping it: %w (its log: %s)", err, e.daemon.log())
	}
	if len(containers) > 0 {
		return nil
	}
	return e.daemon.stop(ctx)
}

// Down stops the private daemon even if it is in use, with all of its containers and networks. Images stay in the cache
// unless Options.Purge. It succeeds if there is no private daemon.
func Down(ctx context.Context, o Options) error {
	o, err := o.withDefaults()
	if err != nil {
		return err
	}
	private := newDaemon(o)
	if !private.leftSomething() && !o.Purge {
		_, _ = fmt.Fprintln(o.Out, "engine: no private engine is running")
		return nil
	}
	if host := inspectHost(); !host.root {
		return errors.New("the private engine belongs to root: run this as root, with sudo")
	}
	lifecycle, err := private.lockLifecycle(ctx)
	if err != nil {
		return err
	}
	defer lifecycle.release()
	if private.leftSomething() {
		if err := private.removeContainers(ctx); err != nil {
			return err
		}
	}
	if o.Purge {
		return private.purge()
	}
	return nil
}
