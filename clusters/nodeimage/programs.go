// SPDX-License-Identifier: Apache-2.0

package nodeimage

import (
	"context"
	"path/filepath"
)

// ControlPlane holds the paths of the programs of a control plane.
type ControlPlane struct {
	Etcd, APIServer, ControllerManager, Scheduler string
}

// ControlPlane returns the control plane programs in the nodes of a minor version of Kubernetes, such as "1.37". It
// builds programs that the cache does not have.
func (b *Builder) ControlPlane(ctx context.Context, minor string) (ControlPlane, error) {
	c, _, err := kubernetes(minor)
	if err != nil {
		return ControlPlane{}, err
	}
	dir, err := b.programs(ctx, c)
	if err != nil {
		return ControlPlane{}, err
	}
	etcdDir, err := b.programs(ctx, etcd())
	if err != nil {
		return ControlPlane{}, err
	}
	return ControlPlane{
		Etcd:              filepath.Join(etcdDir, "server"),
		APIServer:         filepath.Join(dir, "kube-apiserver"),
		ControllerManager: filepath.Join(dir, "kube-controller-manager"),
		Scheduler:         filepath.Join(dir, "kube-scheduler"),
	}, nil
}
