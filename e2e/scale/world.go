// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	storagev1 "k8s.io/api/storage/v1"
)

// world is the environment of a run: an API server, a driver, and the programs that the run has started.
type world struct {
	*api

	dir      string
	programs Programs
	driver   *standIn
	socket   string

	processes []*process
}

// once runs the variant once, and removes everything afterwards.
func (v variant) once(ctx context.Context, programs Programs) (found figures, err error) {
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
	w := &world{api: server, dir: dir, programs: programs, driver: &standIn{}, socket: filepath.Join(dir, "csi.sock")}
	stop, err := w.driver.serve(ctx, w.socket)
	if err != nil {
		return nil, err
	}
	defer stop()
	defer func() {
		for _, p := range slices.Backward(w.processes) {
			p.stop()
		}
	}()
	return v.run(ctx, w)
}

// startSidecar starts a sidecar for the driver, and waits until it answers.
func (w *world) startSidecar(ctx context.Context, which sidecar, flags ...string) (*process, error) {
	address, err := freeAddress(ctx)
	if err != nil {
		return nil, err
	}
	p, err := w.start(ctx, which.program, w.programs.Sidecars[which], append([]string{
		"--csi-address=" + w.socket, "--kubeconfig=" + w.kubeconfig, "--http-endpoint=" + address, "--leader-election=false", "--v=2",
	}, flags...)...)
	if err != nil {
		return nil, err
	}
	p.metrics = "http://" + address + "/metrics"
	return p, w.ready(ctx, p)
}

// provision starts csi-provisioner with capacity tracking.
func (w *world) provision(ctx context.Context, version sidecar, flags ...string) (*process, error) {
	return w.startSidecar(ctx, version, append([]string{"--enable-capacity", "--capacity-ownerref-level=-1"}, flags...)...)
}

// populate creates nodes that are a segment each, and StorageClasses with late binding.
func (w *world) populate(ctx context.Context, segments, classes int) error {
	if err := createNodes(ctx, w, 0, segments); err != nil {
		return err
	}
	return createClasses(ctx, w, classes, storagev1.VolumeBindingWaitForFirstConsumer)
}
