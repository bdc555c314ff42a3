// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// world is all that a run has: an API server, a driver, and csi-provisioner once the run has started it.
type world struct {
	*api

	driver  *standIn
	program string
	socket  string

	running *provisioner
}

// once runs the experiment once. Nothing stays.
func (e Experiment) once(ctx context.Context, programs Programs, version string) (found figures, err error) {
	dir, err := os.MkdirTemp("", "scale-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	server, err := startAPI(programs.ControlPlane, dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.stop()) }()
	w := &world{api: server, driver: &standIn{}, program: programs.Provisioners[version], socket: filepath.Join(dir, "csi.sock")}
	stop, err := w.driver.serve(ctx, w.socket)
	if err != nil {
		return nil, err
	}
	defer stop()
	defer func() {
		if w.running != nil {
			w.running.stop()
		}
	}()
	return e.run(ctx, w)
}

// provision starts csi-provisioner.
func (w *world) provision(ctx context.Context, flags ...string) error {
	started, err := startProvisioner(ctx, w.program, w.socket, w.kubeconfig, io.Discard, flags...)
	if err != nil {
		return err
	}
	w.running = started
	return nil
}

// populate creates nodes and StorageClasses.
func (w *world) populate(ctx context.Context, segments, classes int) error {
	if err := createNodes(ctx, w, segments); err != nil {
		return err
	}
	return createClasses(ctx, w, classes)
}
